"""Slopes of the rates along the constraints alone, for positions that are nearly singular.

Off the constraints accelerations change without bound there, and stages are brought back to the constraints; then what
counts are the slopes J Π, where Π takes away what the return takes away: Π = 1 − M⁻¹Aᵀ (A M⁻¹Aᵀ)⁻¹ A.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.linear_equations import solve_dependent
from gyrostat.analysis.kernels.local_coordinates import clear, copy
from gyrostat.analysis.kernels.methods import StepMetric
from gyrostat.analysis.kernels.problem import Floats, Native, Tables
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.program.translation import call, flat, kernel, rare_kernel


@rare_kernel
def keep_tangent_slopes(
    matrix: Floats,
    metric: StepMetric,
    native: Native,
    tables: Tables,
    x: Floats,
    t: float,
    h: float,
    y: Floats,
    n_q: int,
) -> None:
    """Replace J, stored by columns, by J Π at a state that begins a step of length h.

    Coordinates whose rates are no speeds keep their slopes.
    """
    rows, speeds = metric.found.shape[1], metric.found.shape[2]
    set_state(native, tables, x, t, t + 0.5 * h, y)
    call(metric.directions, x.ctypes.data, metric.found.ctypes.data)
    for r in range(rows):
        for c in range(rows):
            total = 0.0
            for i in range(speeds):
                total += metric.found[0, r, i] * metric.found[1, c, i]
            metric.responses[c, r] = total
    for i in range(speeds):
        for r in range(rows):
            metric.gaps[r] = metric.found[0, r, i]
        copy(flat(metric.responses), flat(metric.left))
        solve_dependent(metric.left, metric.gaps, metric.order, metric.loads)
        for r in range(rows):
            metric.shares[r, i] = metric.loads[r]
    for i in range(n_q):
        metric.speed_of[i] = _speed_of(matrix, n_q, i)
    for i in range(speeds):
        metric.speed_of[n_q + i] = i
    _take_away(matrix, metric, 0, n_q)
    _take_away(matrix, metric, n_q, n_q + speeds)


@kernel
def _speed_of(matrix: Floats, n_q: int, row: int) -> int:
    """Return the speed that is the rate of a coordinate, or −1 where none alone is."""
    found = -1
    for j in range(matrix.shape[0]):
        if matrix[j, row] != 0.0 and j >= n_q:
            if found >= 0 or matrix[j, row] != 1.0:
                return -1
            found = j - n_q
    return found


@kernel
def _take_away(matrix: Floats, metric: StepMetric, first: int, end: int) -> None:
    """Take from the columns of coordinates, or of speeds, what they have across the constraints."""
    n, rows = matrix.shape[0], metric.found.shape[1]
    across = metric.moves
    clear(flat(across))
    for j in range(first, end):
        speed = metric.speed_of[j]
        if speed >= 0:
            for r in range(rows):
                weight = metric.found[1, r, speed]
                for i in range(n):
                    across[r, i] += weight * matrix[j, i]
    for j in range(first, end):
        speed = metric.speed_of[j]
        if speed >= 0:
            for r in range(rows):
                weight = metric.shares[r, speed]
                for i in range(n):
                    matrix[j, i] -= weight * across[r, i]
