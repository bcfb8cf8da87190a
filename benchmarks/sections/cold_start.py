"""Stages from a cold process to a finished simulation."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.cold_simulation import STAGES, ColdRun, measure_cold_simulations
from tables import duration, mark, table

TITLE = "From a cold process to a simulation"
_TEXT = """\
Wall time from starting `python` to the end of a double pendulum's first 10 s, with caches of programs and kernels that
are empty, and medians with filled ones. *Kernels* is what the integration of a first run takes more than that of a
second: translating and compiling its loop, or loading its machine code.

{cold}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    return _TEXT.format(cold=cold_table(measure_cold_simulations(processes=2 if short else 7)))


def cold_table(runs: Iterable[ColdRun]) -> str:
    """Return the stages from a cold process to a finished simulation."""
    headings = ("caches", "in all", "target", "met", *STAGES.values())
    lines = (
        (
            run.caches,
            duration(run.seconds),
            "" if run.target is None else f"≤ {duration(run.target)}",
            mark(None if run.target is None else run.seconds <= run.target),
            *(duration(max(run.stages[name], 0.0)) for name in STAGES),
        )
        for run in runs
    )
    return table(headings, lines)
