"""Derivations of exact equations beside KanesMethod."""

from __future__ import annotations

from collections.abc import Iterable

from comparisons.equations import Budget, Derived, compare_equations
from tables import duration, mark, table

TITLE = "Exact equations"
_TEXT = """\
Wall time from `Model` to SymPy's matrices, in textbook form, beside `KanesMethod` of sympy.physics.mechanics as it
comes, unsimplified; *operations* are `sympy.count_ops` of mass matrix and forcing. Pendulums are of uniform rods or of
points, with the same relative angles on both sides. Both sides have run before; small systems are derived five times in
a row, of which the median counts. SymPy keeps results in a cache, and gyrostat the equations of the last systems: both
are emptied before each run. In the last but one ratio the same derivation has just filled SymPy's, in the last both. A
target is met if the first ratio and the last meet it.

{derived}

{budgets}
"""


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    derived, budgets = compare_equations(short=short)
    return _TEXT.format(derived=equation_table(derived), budgets=budget_table(budgets))


def equation_table(rows: Iterable[Derived]) -> str:
    """Return the derivations of exact equations beside SymPy's; ratios are SymPy's time divided by ours."""
    headings = (
        *("model", "ours", "KanesMethod", "times faster", "target", "met", "SymPy's cache filled", "both filled"),
        *("operations", "KanesMethod's", "after trigsimp", "difference"),
    )
    return table(headings, (_equation_row(row) for row in rows))


def _equation_row(row: Derived) -> tuple[str, ...]:
    target = "" if row.target is None else f"≥ {row.target:g}"
    met = mark(None if row.target is None else min(row.ratio, row.ratio_repeated) >= row.target)
    times = duration(row.seconds), duration(row.peer_seconds), f"{row.ratio:.1f}", target, met
    simplified = "" if row.simplified_operations is None else str(row.simplified_operations)
    sizes = str(row.operations), str(row.peer_operations), simplified
    filled = f"{row.ratio_beside_filled:.1f}", f"{row.ratio_repeated:.1f}"
    return (row.model, *times, *filled, *sizes, f"{row.difference:.0e}")


def budget_table(rows: Iterable[Budget]) -> str:
    """Return the derivations that have a limit of time."""
    lines = (
        (row.what, duration(row.seconds), f"≤ {duration(row.target)}", mark(row.seconds <= row.target)) for row in rows
    )
    return table(("derivation", "time", "target", "met"), lines)
