"""The studio: from a slider to the data of the motion."""

from __future__ import annotations

from statistics import median

from comparisons.studio import TARGET, StudioRow, measure_studio
from tables import duration, mark, table

TITLE = "Studio"
_TEXT = """\
Processor time of the server from the message of a moved slider to the encoded data of the motion and its plots, for
the examples of up to seven bodies: each slider alone, and pairs of them, the second of which is timed. The target is
a median of {target}; a frame of the page is drawn after that. A motion lasts as long as the studio chooses: 10 s, or
less where that would be slow.

{rows}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    headings = ("model", "bodies", "motion", "alone: median", "worst", "pairs: median", "worst", "met")
    rows = table(headings, (_row(one) for one in measure_studio(most=3 if short else None)))
    return _TEXT.format(target=duration(TARGET), rows=rows)


def _row(row: StudioRow) -> tuple[str, ...]:
    times = (f(values) for values in (row.single, row.combined) for f in (median, max))
    return (row.model, str(row.bodies), f"{row.duration:g} s", *map(duration, times), mark(row.met))
