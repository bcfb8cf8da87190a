"""Linear equations: LU factorisation with pivoting, solution, and solution of rank-deficient equations.

A matrix is stored by columns, `matrix[j, i]` being row i of column j, so that all inner loops run along memory.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.translation import kernel, rare_kernel

_PANEL = 4
"""The number of columns that are factorised before later ones are touched."""

_PIVOT_TOLERANCE = 1e-9
"""A pivot below this, in terms of the first, counts as zero: the equations are linearly dependent."""


@rare_kernel
def factorise(matrix: Floats, first: int, pivots: Places) -> bool:
    """Replace a matrix by its factors L and U, and write the rows that were exchanged; return whether it is regular.

    On the diagonal are the reciprocals of that of U: `solve` does not wait for quotients.

    There are as many equations as `pivots` has room for; the matrix may be larger, its other rows and columns stay.
    For the `first` unknowns, the coordinates, pivots are looked for in the first equations alone, q̇ = N(q) u. These
    have few entries, all others cost nothing, and what is left are as many full equations as there are speeds.
    Four columns at a time are subtracted from all later ones, which are read and written a quarter as often then.
    """
    n, k = pivots.size, 0
    while k < n:
        width = min(_PANEL, n - k)
        if not _factorise_panel(matrix, first, pivots, k, width):
            return False
        for j in range(k):
            _exchange(matrix[j], pivots, k, width)
        for j in range(k + width, n):
            _exchange(matrix[j], pivots, k, width)
            if width == _PANEL:
                _subtract_four(matrix, k, matrix[j, :n])
            else:
                _subtract(matrix, k, k + width, matrix[j, :n])
        k += width
    return True


@kernel
def _factorise_panel(matrix: Floats, first: int, pivots: Places, start: int, width: int) -> bool:
    """Factorise the columns from `start` on, their rows exchanged among themselves; return whether all have pivots."""
    n = pivots.size
    for k in range(start, start + width):
        column = matrix[k, :n]
        for before in range(start, k):
            place = pivots[before]
            column[before], column[place] = column[place], column[before]
        _subtract(matrix, start, k, column)
        end = first if k < first else n
        place, largest = k, abs(column[k])
        for i in range(k + 1, end):
            if abs(column[i]) > largest:
                place, largest = i, abs(column[i])
        pivots[k] = place
        if not largest > 0.0:
            return False
        for j in range(start, k + 1):
            matrix[j, k], matrix[j, place] = matrix[j, place], matrix[j, k]
        scale = 1.0 / column[k]
        column[k] = scale
        for i in range(k + 1, n):
            column[i] *= scale
    return True


@kernel
def _exchange(column: Floats, pivots: Places, start: int, width: int) -> None:
    """Exchange the rows of a column as those of a panel were."""
    for k in range(start, start + width):
        place = pivots[k]
        if place != k:
            column[k], column[place] = column[place], column[k]


@kernel
def _subtract(matrix: Floats, start: int, end: int, target: Floats) -> None:
    """Eliminate the unknowns from `start` to `end` from a column, one by one."""
    for k in range(start, end):
        factor, column = target[k], matrix[k]
        if factor != 0.0:
            for i in range(k + 1, target.size):
                target[i] -= factor * column[i]


@kernel
def _subtract_four(matrix: Floats, k: int, target: Floats) -> None:
    """Eliminate four unknowns from a column at once."""
    column0, column1, column2, column3 = matrix[k], matrix[k + 1], matrix[k + 2], matrix[k + 3]
    factor0 = target[k]
    factor1 = target[k + 1] - factor0 * column0[k + 1]
    factor2 = target[k + 2] - factor0 * column0[k + 2] - factor1 * column1[k + 2]
    factor3 = target[k + 3] - factor0 * column0[k + 3] - factor1 * column1[k + 3] - factor2 * column2[k + 3]
    if factor0 == 0.0 and factor1 == 0.0 and factor2 == 0.0 and factor3 == 0.0:
        return
    target[k + 1], target[k + 2], target[k + 3] = factor1, factor2, factor3
    for i in range(k + 4, target.size):
        pair = factor0 * column0[i] + factor1 * column1[i]
        target[i] -= pair + (factor2 * column2[i] + factor3 * column3[i])


@kernel
def solve(factors: Floats, pivots: Places, right: Floats) -> None:
    """Replace the right side by the solution."""
    n = pivots.size
    for k in range(n):
        place = pivots[k]
        if place != k:
            right[k], right[place] = right[place], right[k]
    for k in range(n):
        value = right[k]
        if value != 0.0:
            column = factors[k]
            for i in range(k + 1, n):
                right[i] -= value * column[i]
    for k in range(n - 1, -1, -1):
        column = factors[k]
        value = right[k] * column[k]
        right[k] = value
        if value != 0.0:
            for i in range(k):
                right[i] -= value * column[i]


@rare_kernel
def solve_dependent(matrix: Floats, right: Floats, order: Places, solution: Floats) -> None:
    """Write a solution of equations that may be linearly dependent; both sides are overwritten.

    Pivots are the largest entries left, whose places `order` tells; unknowns that are not determined become zero.
    """
    n = right.size
    rank, first = n, 0.0
    for k in range(n):
        order[k] = k
    for k in range(n):
        row, column, largest = k, k, -1.0
        for j in range(k, n):
            for i in range(k, n):
                if abs(matrix[j, i]) > largest:
                    row, column, largest = i, j, abs(matrix[j, i])
        if k == 0:
            first = largest
        if not largest > _PIVOT_TOLERANCE * first:
            rank = k
            break
        for j in range(n):
            matrix[j, k], matrix[j, row] = matrix[j, row], matrix[j, k]
        for i in range(n):
            matrix[k, i], matrix[column, i] = matrix[column, i], matrix[k, i]
        right[k], right[row] = right[row], right[k]
        order[k], order[column] = order[column], order[k]
        for i in range(k + 1, n):
            factor = matrix[k, i] / matrix[k, k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    matrix[j, i] -= factor * matrix[j, k]
                right[i] -= factor * right[k]
    for k in range(n - 1, -1, -1):
        value = 0.0
        if k < rank:
            value = right[k]
            for j in range(k + 1, rank):
                value -= matrix[j, k] * right[j]
            value /= matrix[k, k]
        right[k] = value
        solution[order[k]] = value
