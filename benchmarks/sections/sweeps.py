"""Sweeps of double pendula, and the memory that they take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from comparisons.sweeps import MEMORY_TARGET, MemoryRow, SweepRow, compare_sweeps, measure_memory
from tables import duration, mark, table

TITLE = "Sweeps"
_TEXT = """\
Double pendula from random angles, at rest. Settings are matched as above, by the largest error of a coordinate at the
end over 48 motions, by which peers are timed too; ours is the whole call of `gs.sweep`, with the start of processes on
two cores. *In lanes* beside *unbatched* compares processor times of the same steps.

{sweeps}

Peak memory of a process that sweeps into a store, two numbers for each point:

{memory}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    swept, memory = compare_sweeps(rounds=1 if short else 5, short=short), measure_memory(short=short)
    return _TEXT.format(sweeps=sweep_table(swept), memory=memory_table(memory))


def sweep_table(rows: Iterable[SweepRow]) -> str:
    """Return sweeps beside other ways: simulations in a second."""
    headings = ("sweep", "in a second", "beside", "in a second", "times faster", "target", "met")
    return table(headings, (_sweep_row(row) for row in rows))


def _sweep_row(row: SweepRow) -> tuple[str, ...]:
    own = row.what, f"{row.rate:.0f}", row.beside
    target = "" if row.target is None else f"≥ {row.target:g}"
    if row.beside_rate is None or row.times is None:
        return (*own, row.failure, "", target, "")
    return (*own, f"{row.beside_rate:.3g}", f"{row.times:.2f}", target, mark(row.met))


def memory_table(rows: Sequence[MemoryRow]) -> str:
    """Return the peak memory of sweeps into stores."""
    few = rows[0].megabytes
    lines = [
        (str(row.points), f"{row.megabytes:.0f} MB", duration(row.seconds), "", "")
        if row is rows[0]
        else (
            str(row.points),
            f"{row.megabytes:.0f} MB",
            duration(row.seconds),
            f"≤ {MEMORY_TARGET:.0f} MB more",
            mark(row.megabytes - few <= MEMORY_TARGET),
        )
        for row in rows
    ]
    return table(("points", "peak memory", "time", "target", "met"), lines)
