"""Lemke's algorithm for linear complementarity problems."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.events.contact_set import Places
from gyrostat.coordinates.arguments import Floats

_PIVOT = 1e-11
"""Smallest pivot, relative to the largest entry of its column."""
_TIE = 1e-12
"""Difference of ratios, relative to the right side, that counts as a tie."""


def solve_complementarity(M: Floats, q: Floats) -> Floats | None:
    """Return z with 0 ≤ z ⊥ M z + q ≥ 0, None where the algorithm ends on a ray.

    Complementary pivoting with lexicographic ratios, which excludes cycles (Cottle, Pang and Stone, The Linear
    Complementarity Problem, 1992, ch. 4.4 and 4.9). For copositive M it finds a solution where the condition of their
    theorem 4.4.13 holds: zᵀ q ≥ 0 for all z with 0 ≤ z ⊥ M z ≥ 0.
    """
    count = len(q)
    if count == 0 or q.min() >= 0.0:
        return np.zeros(count)
    size = float(np.abs(q).max())
    covering = 2 * count
    columns = np.column_stack((np.eye(count), -M, -np.ones(count)))  # of w, z, z₀ in w − M z − z₀ = q
    values: Floats = q / size
    inverse: Floats = np.eye(count)
    basis = np.arange(count)
    row = _first(inverse, np.flatnonzero(values <= values.min() + _TIE), np.ones(count))
    entering = covering
    for _ in range(50 * count + 50):
        leaving, basis[row] = int(basis[row]), entering
        try:
            inverse = np.asarray(
                np.linalg.inv(columns[:, basis]), dtype=float
            )  # anew: updates would add up rounding errors
        except np.linalg.LinAlgError:
            return None
        values = inverse @ (q / size)
        if values[basis == covering].max(initial=0.0) <= _TIE:
            found = np.zeros(2 * count + 1)
            found[basis] = values
            return np.asarray(size * np.maximum(found[count:covering], 0.0))
        entering = leaving + count if leaving < count else leaving - count
        column = inverse @ columns[:, entering]
        falling = np.flatnonzero(column > _PIVOT * float(np.abs(column).max()))
        if not len(falling):
            return None
        ratios = np.maximum(values[falling], 0.0) / column[falling]
        tied = falling[ratios <= ratios.min() + _TIE]
        ends = tied[basis[tied] == covering]
        row = int(ends[0]) if len(ends) else _first(inverse, tied, column)
    return None


def _first(inverse: Floats, rows: Places, column: Floats) -> int:
    """Return the row that is lexicographically least after division by a column, among rows of equal ratio."""
    for k in range(len(inverse)):
        if len(rows) == 1:
            break
        values = inverse[rows, k] / column[rows]
        rows = rows[values <= values.min() + _TIE]
    return int(rows[0])
