"""Stages of a process that finds its program in the cache."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.cached_start import TARGET, Start, measure_starts
from models import BENCHMARKED
from tables import duration, mark, table

TITLE = "Cached start"
_TEXT = """\
Medians over fresh processes, of processor time; the program is in the cache. *Load* goes from the result of
`gs.formulate` to a program that can be called.

{starts}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    return _TEXT.format(starts=start_table(measure_starts(tuple(BENCHMARKED), processes=3 if short else 15)))


def start_table(starts: Iterable[Start]) -> str:
    """Return the stages of a cached start."""
    headings = (
        *("model", "import gyrostat", "build the model", "formulate", "load the program", "target", "met"),
        "load again in the same process",
    )
    return table(headings, (_start_row(start) for start in starts))


def _start_row(start: Start) -> tuple[str, ...]:
    stages = start.stages
    before = (duration(stages[name]) for name in ("import", "model", "formulate", "load"))
    judged = f"≤ {duration(TARGET)}", mark(stages["load"] <= TARGET)
    return (start.model, *before, *judged, duration(stages["load_again"]))
