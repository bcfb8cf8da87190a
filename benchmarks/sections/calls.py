"""Numeric methods at one state, and analyses."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.calls import ABOVE_NATIVE, Overhead, compare_calls, measure_analyses, measure_overheads
from comparisons.derivatives import compare_long_derivatives
from tables import analysis_table, duration, mark, ratio_table, table

TITLE = "Calls and analyses"
_TEXT = """\
Numeric methods of a system at one state, given as arrays, through the public interface. *Native* is the same program
called on buffers; as differences of times are judged, not ratios, the least times of all rounds count.

{calls}

{overheads}

Processor times of analyses. *First* is the first call of a model whose kinds of links are in the cache; the sweep runs
in one process. Outputs of a long run are evaluated in a process of its own.

{analyses}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    rounds = 5 if short else 31
    calls, overheads = compare_calls(rounds=rounds), measure_overheads(rounds=rounds)
    calls += compare_long_derivatives(rounds=rounds, short=short)
    return _TEXT.format(
        calls=ratio_table(calls) if calls else "Pinocchio is missing.",
        overheads=overhead_table(overheads),
        analyses=analysis_table(measure_analyses(rounds=5 if short else 21, short=short)),
    )


def overhead_table(rows: Iterable[Overhead]) -> str:
    """Return numeric methods at one state, beside their native code."""
    headings = ("method", "model", "call", "native", "above", "target", "met")
    return table(
        headings,
        (
            (
                f"`{row.method}`",
                row.model,
                *map(duration, (row.seconds, row.native, row.seconds - row.native)),
                f"≤ {duration(ABOVE_NATIVE)}",
                mark(row.met),
            )
            for row in rows
        ),
    )
