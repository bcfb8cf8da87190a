"""Sparse linear equations in a fixed order of elimination: factorisation by columns, and solution.

Pivots are chosen beforehand, so that the structure of the factors is known (`integrators.elimination`). A pivot that
turns out too small in its column makes the factorisation fail; the caller then takes a dense one with row exchanges.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.methods import SparseFactors
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel, rare_kernel

_SMALLEST_PIVOT = 1e-6
"""The smallest pivot, relative to the largest entry below it, that is accepted."""


@rare_kernel
def factorise_sparse(sparse: SparseFactors, jacobian: Floats, masses: Floats, scale: float, n_q: int) -> bool:
    """Write the factors of scale · diag(masses) − J; return whether all pivots were large enough.

    J is stored by columns. The k-th column of L and U follows from the columns before it (left-looking). The first n_q
    unknowns are coordinates: their pivots 1/(hγ) may be small beside stiffnesses, since to eliminate them is to insert
    q̇ = N(q) u into the equations of motion, as dense factors do.
    """
    column, rows, values, begins = sparse.column, sparse.rows, sparse.values, sparse.begins
    for k in range(sparse.row_order.size):
        source, first, last = sparse.column_order[k], begins[k], begins[k + 1]
        for e in range(first, last):
            column[rows[e]] = -jacobian[source, sparse.row_order[rows[e]]]
        if masses[source] != 0.0:
            column[sparse.row_places[source]] += scale * masses[source]
        diagonal = sparse.diagonals[k]
        for e in range(first, diagonal):
            j = rows[e]
            factor = column[j]
            values[e] = factor
            if factor != 0.0:
                for below in range(sparse.diagonals[j] + 1, begins[j + 1]):
                    column[rows[below]] -= factor * values[below]
        pivot, largest = column[k], 0.0
        for e in range(diagonal + 1, last):
            largest = max(largest, abs(column[rows[e]]))
        least = 0.0 if k < n_q else _SMALLEST_PIVOT * largest
        if not abs(pivot) > least:
            return False
        values[diagonal] = pivot
        for e in range(diagonal + 1, last):
            values[e] = column[rows[e]] / pivot
    return True


@kernel
def solve_sparse(sparse: SparseFactors, right: Floats) -> None:
    """Replace the right side by the solution."""
    column, rows, values, begins = sparse.column, sparse.rows, sparse.values, sparse.begins
    n = right.size
    for k in range(n):
        column[k] = right[sparse.row_order[k]]
    for k in range(n):
        value = column[k]
        if value != 0.0:
            for e in range(sparse.diagonals[k] + 1, begins[k + 1]):
                column[rows[e]] -= value * values[e]
    for k in range(n - 1, -1, -1):
        diagonal = sparse.diagonals[k]
        value = column[k] / values[diagonal]
        right[sparse.column_order[k]] = value
        if value != 0.0:
            for e in range(begins[k], diagonal):
                column[rows[e]] -= value * values[e]
