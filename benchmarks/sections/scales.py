"""Multiple scales beside oscilate."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.scales import TARGET, ScalesRow, compare_scales
from tables import duration, mark, table

TITLE = "Multiple scales"
_TEXT = """\
Processor time from equations to modulation equations in polar form, beside oscilate; SymPy's cache is emptied before
each run. *Difference* is that of the amplitudes' rates at a random point. Through order two both agree. At order three
oscilate's terms of ε³ differ, those of a linear oscillator too; tests show that the error of gyrostat's solution falls
with ε³. Coupled oscillators at order two are beyond oscilate.

{scales}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    scales = compare_scales(short=short)
    return _TEXT.format(scales=scales_table(scales) if scales else "oscilate is missing.")


def scales_table(rows: Iterable[ScalesRow]) -> str:
    """Return multiple scales beside oscilate; ratios are its time divided by ours."""
    headings = ("oscillators", "order", "ours", "oscilate", "times faster", "target", "met", "difference")
    return table(headings, (_scales_row(row) for row in rows))


def _scales_row(row: ScalesRow) -> tuple[str, ...]:
    target, met = f"≥ {TARGET:g}", mark(row.met)
    if row.peer_seconds is None or row.times_faster is None or row.difference is None:
        return (row.problem, str(row.order), duration(row.seconds), "fails", "", "a result", met, "")
    times = duration(row.seconds), duration(row.peer_seconds), f"{row.times_faster:.0f}"
    return (row.problem, str(row.order), *times, target, met, f"{row.difference:.0e}")
