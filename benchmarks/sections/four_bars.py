"""Costs of rows of four-bars."""

from __future__ import annotations

from collections.abc import Sequence

from comparisons.four_bars import COUNTS, FourBars, measure_four_bars
from tables import duration, power, table

TITLE = "Four-bars in a row"
_TEXT = """\
*Prepare* goes from the model to the end of a first short simulation, without the cache; *evaluate* is the native loop
of the rates; the error is that of the crank's angle after 10 s with DOP853 and tolerances of 1e-8. The last row has
exponents of growth from ten four-bars on: 1 is linear.

{four_bars}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    rows = measure_four_bars(counts=COUNTS[:3] if short else COUNTS, rounds=5)
    return _TEXT.format(four_bars=four_bar_table(rows))


def four_bar_table(rows: Sequence[FourBars]) -> str:
    """Return the costs of rows of four-bars, and how they grow."""
    headings = (
        *("four-bars", "operations", "prepare", "evaluate", "evaluate, each", "integrate a second", "the same, each"),
        *("whole call, a second", "steps in 10 s", "error"),
    )
    lines = [
        (
            str(row.count),
            str(row.operations),
            duration(row.preparation),
            duration(row.evaluation),
            duration(row.evaluation / row.count),
            duration(row.integration),
            duration(row.integration / row.count),
            duration(row.simulated_second),
            str(row.steps),
            f"{row.error:.0e}",
        )
        for row in rows
    ]
    costs = (
        [getattr(row, name) for row in rows] for name in ("operations", "preparation", "evaluation", "integration")
    )
    counts = [row.count for row in rows]
    operations, prepare, evaluate, integrate = (f"N^{power(counts, cost):.2f}" for cost in costs)
    whole = f"N^{power(counts, [row.simulated_second for row in rows]):.2f}"
    lines.append(("growth from 10", operations, prepare, evaluate, "", integrate, "", whole, "", ""))
    return table(headings, lines)
