"""What guards against wrong numbers cost on smooth motions."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.watching import TARGET, WatchRow, compare_watching
from tables import duration, mark, table

TITLE = "Watching"
_TEXT = """\
Processor time of whole calls of `simulate` on smooth motions, with and without what guards against wrong numbers: the
search for switches of time and state, and the comparison of the energy with what it must be. Evaluations are those of
the rates by the integrator. Under loads that do work the comparison takes their power, and its rate, at each of up to
1024 steps.

{watching}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    return _TEXT.format(watching=watch_table(compare_watching(rounds=5 if short else 21)))


def watch_table(rows: Iterable[WatchRow]) -> str:
    """Return what watching costs on smooth motions."""
    lines = (
        (
            row.motion,
            str(row.steps),
            str(row.evaluations),
            str(row.unwatched_evaluations),
            duration(row.seconds),
            duration(row.unwatched_seconds),
            f"{row.ratio:.3f}",
            f"≤ {TARGET:g}",
            mark(row.ratio <= TARGET),
        )
        for row in rows
    )
    headings = ("motion", "steps", "evaluations", "without", "time", "without watching", "ratio", "target", "met")
    return table(headings, lines)
