"""Mechanisms in joint, branch and absolute coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from comparisons.coordinates import SIDES, ChoiceRow, TrussRow, compare_coordinates, measure_trusses
from tables import duration, power, table

TITLE = "Choices of coordinates"
_TEXT = """\
The same mechanisms in joint, branch and absolute coordinates. *Operations* and *evaluate* are those of the rates, in a
native loop over states of the motion; *a simulated second* is what integration with DOP853 takes with the tolerance
at which all bodies are, at the end, within 1e-7 of the mechanism's size of where a run with tolerances of 1e-13 has
them. Ratios are to joint coordinates, of runs in turn.

{choices}

Trusses of hinged squares, as many above as beside each other. *Prepare* goes from the model to a loaded program,
without the cache, in processor time. The last rows have exponents of growth with the number of squares: 1 is linear.

{trusses}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    choices = compare_coordinates(rounds=5 if short else 21)
    trusses = measure_trusses(sides=SIDES[:3] if short else SIDES, rounds=5 if short else 15)
    return _TEXT.format(choices=choice_table(choices), trusses=truss_table(trusses))


def choice_table(rows: Sequence[ChoiceRow]) -> str:
    """Return the choices of coordinates on some mechanisms; ratios are to joint coordinates."""
    headings = (
        *("mechanism", "coordinates", "speeds", "constraints", "operations", "ratio", "evaluate", "ratio"),
        *("a simulated second", "ratio", "error"),
    )
    joint = {row.model: row.operations for row in rows if row.choice == "joint"}
    return table(headings, (_choice_row(row, row.operations / joint[row.model]) for row in rows))


def _choice_row(row: ChoiceRow, operations: float) -> tuple[str, ...]:
    sizes = str(row.speeds), str(row.rows), str(row.operations), f"{operations:.2f}"
    evaluation = duration(row.evaluation), f"{row.evaluation_ratio:.2f}"
    if row.simulated_second is None or row.error is None:
        return (row.model, row.choice, *sizes, *evaluation, "error not reached", "", "")
    ratio = "" if row.second_ratio is None else f"{row.second_ratio:.2f}"
    return (row.model, row.choice, *sizes, *evaluation, duration(row.simulated_second), ratio, f"{row.error:.0e}")


def truss_table(rows: Sequence[TrussRow]) -> str:
    """Return the costs of growing trusses in each choice of coordinates, and how they grow."""
    headings = (
        *("squares", "coordinates", "speeds", "constraints", "prepare", "operations", "operations, each"),
        *("evaluate", "evaluate, each"),
    )
    lines = [
        (
            str(row.cells),
            row.choice,
            str(row.speeds),
            str(row.rows),
            duration(row.preparation),
            str(row.operations),
            f"{row.operations / row.cells:.0f}",
            duration(row.evaluation),
            duration(row.evaluation / row.cells),
        )
        for row in rows
    ]
    for choice in dict.fromkeys(row.choice for row in rows):
        own = [row for row in rows if row.choice == choice and row.cells > 1]
        counts = [10 * row.cells for row in own]  # all of them count
        growths = (
            f"N^{power(counts, [getattr(row, cost) for row in own]):.2f}"
            for cost in ("preparation", "operations", "evaluation")
        )
        prepare, operations, evaluate = growths
        lines.append(("growth from 4", choice, "", "", prepare, operations, "", evaluate, ""))
    return table(headings, lines)
