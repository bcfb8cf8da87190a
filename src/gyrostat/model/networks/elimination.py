"""Elimination of a few linear equations over abstract scalars, with pivots that are chosen beforehand."""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.model.networks.affine import Affine
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, negate, subtract

Pivots = tuple[tuple[int, int], ...]
"""Equations and unknowns in the order of elimination."""

_PIVOT_TOLERANCE = 1e-11
"""The largest pivot, relative to the scaled equation, that counts as zero."""


def solve(equations: Sequence[Affine], pivots: Pivots) -> dict[int, Scalar]:
    """Return the unknowns for which all forms are zero.

    >>> solve([Affine(-3.0, {0: 1.0, 1: 1.0}), Affine(-1.0, {0: 1.0, 1: -1.0})], ((0, 0), (1, 1)))
    {1: 1.0, 0: 2.0}
    """
    rows = [dict(one.terms) for one in equations]
    right = [negate(one.constant) for one in equations]
    for k, (row, column) in enumerate(pivots):
        for other, _ in pivots[k + 1 :]:
            if column not in rows[other]:
                continue
            factor = divide(rows[other].pop(column), rows[row][column])
            for j, entry in rows[row].items():
                if j != column:
                    rows[other][j] = subtract(rows[other].get(j, 0), multiply(factor, entry))
            right[other] = subtract(right[other], multiply(factor, right[row]))
    found: dict[int, Scalar] = {}
    for row, column in reversed(pivots):
        value = right[row]
        for j, entry in rows[row].items():
            if j != column:
                value = subtract(value, multiply(entry, found[j]))
        found[column] = divide(value, rows[row][column])
    return found


def choose_pivots(equations: Sequence[Affine]) -> Pivots | None:
    """Return pivots for equations with numbers, largest in scaled rows first; None if the matrix is singular.

    Of pivots of similar size those in rows with few entries are taken, which keeps written solutions short.
    """
    rows = [{j: float(value) for j, value in one.terms.items() if value} for one in equations]
    left, pivots = set(range(len(rows))), list[tuple[int, int]]()
    scale = [max(map(abs, row.values()), default=1.0) for row in rows]
    while left:
        candidates = [
            (len(rows[i]), i, j) for i in left for j, value in rows[i].items() if abs(value) > 0.1 * _largest(rows[i])
        ]
        candidates = [c for c in candidates if abs(rows[c[1]][c[2]]) > _PIVOT_TOLERANCE * scale[c[1]]]
        if not candidates:
            return None
        _, row, column = min(candidates)
        pivots.append((row, column))
        left.discard(row)
        for other in left:
            if column in rows[other]:
                factor = rows[other].pop(column) / rows[row][column]
                for j, entry in rows[row].items():
                    if j != column:
                        rows[other][j] = rows[other].get(j, 0.0) - factor * entry
    return tuple(pivots)


def _largest(row: dict[int, float]) -> float:
    return max(map(abs, row.values()), default=0.0)
