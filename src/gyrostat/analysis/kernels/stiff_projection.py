"""Constraints in stiff steps: projection in the metric of the step, and the Jacobian along the constraints.

Speeds that are projected in the metric of the masses leave the slow motion that dampers and springs enforce: fast
motions begin anew, with the size of the error that was taken away, and limit the next steps. Here loads along the rows
act during the step, under all its dampers and springs: the metric is that of its equations, M (1 − hγ J).

Near a singular position accelerations change without bound off the constraints, and stages are projected onto them.
There the Jacobian is J Π with Π = 1 − M⁻¹Aᵀ (A M⁻¹Aᵀ)⁻¹ A, which removes what the projection removes. How projected
speeds change with positions, and with time where drivers move, is left out: such steps are of order two, and few.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from gyrostat.analysis.kernels.linear_equations import solve, solve_dependent
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, move, normalise
from gyrostat.analysis.kernels.methods import Control, Method, Rosenbrock, RosenbrockStages, StepMetric
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.projection import project
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.analysis.kernels.sparse_factors import solve_sparse
from gyrostat.program.translation import call, flat, kernel, rare_kernel

Stiff: TypeAlias = Method[Rosenbrock, RosenbrockStages]

_CHANGE_TOLERANCE = 0.05
"""A change by the metric of the masses, in units of the tolerance, that is accepted."""
_PASSES = 2


@kernel
def solve_stage(memory: RosenbrockStages, right: Floats) -> None:
    """Replace the right side by the solution of the linear equations of a stage, with the present factors."""
    if memory.sparse.used[0] != 0:
        solve_sparse(memory.sparse, right)
    else:
        solve(memory.factors, memory.pivots, right)


# --- states ----------------------------------------------------------------------------------------------------------


@rare_kernel
def project_in_step(method: Stiff, equations: Equations, step: Step, singular: bool) -> bool:
    """Move the new state onto the constraints; return whether that went well. `memory.step` led to it.

    Near a singular position loads along the rows have no limit; there the metric of the masses is taken.
    """
    new, kept, within = step.new, method.memory.metric.kept, step.t + 0.5 * step.h
    reached = step.t + step.h
    copy(new, kept)
    good = project(equations, reached, within, new)
    if singular or equations.projection.rows == 0 or (good and _change(method.control, kept, new) <= _CHANGE_TOLERANCE):
        return good
    if not _move_by_loads(method, equations, step):
        copy(kept, new)
    return project(equations, reached, within, new)


@kernel
def _change(control: Control, before: Floats, after: Floats) -> float:
    """Return the largest change of the state in units of the tolerance."""
    largest = 0.0
    for i in range(before.size):
        scale = control.absolute[i] + control.relative * abs(after[i])
        largest = max(largest, abs(after[i] - before[i]) / scale)
    return largest


@rare_kernel
def _move_by_loads(method: Stiff, equations: Equations, step: Step) -> bool:
    """Write the state after loads along the rows, first for positions, then for speeds; return whether it is nearer."""
    projection, rotations, memory = equations.projection, equations.rotations, method.memory
    n, n_q, rows, x = step.start.size, method.numbers.n_q, equations.projection.rows, equations.x
    reached, within, new = step.t + step.h, step.t + 0.5 * step.h, step.new
    way, metric, moves, found = memory.step, memory.metric, memory.metric.moves, projection.found
    scale = 1.0 / (step.h * method.numbers.gamma)
    copy(metric.kept, new)
    set_state(equations, reached, within, new)
    _find_responses(method, equations)
    before = np.inf
    for _ in range(_PASSES):
        set_state(equations, reached, within, new)
        call(projection.coordinates, x.ctypes.data, found.ctypes.data)
        gap = _find_loads(metric, found, n_q, rows)
        if not gap <= before:
            return False
        before = gap
        for r in range(rows):
            for i in range(n_q):
                way[i] -= scale * metric.loads[r] * moves[r, i]
        move(step.start, way, rotations, new)
        normalise(rotations, new)
    set_state(equations, reached, within, new)
    call(projection.speeds, x.ctypes.data, found.ctypes.data)
    _find_loads(metric, found, projection.n_u, rows)
    for r in range(rows):
        for i in range(n_q, n):
            new[i] -= metric.loads[r] * moves[r, i]
    return is_finite(new)


@kernel
def _find_responses(method: Stiff, equations: Equations) -> None:
    """Write the motion during the step by a load along each row, and how it changes the speeds along the rows."""
    memory, n_q, n_u = method.memory, method.numbers.n_q, equations.projection.n_u
    metric, moves = memory.metric, memory.metric.moves
    rows = moves.shape[0]
    call(metric.directions, equations.x.ctypes.data, metric.found.ctypes.data)
    for r in range(rows):
        clear(moves[r])
        for i in range(n_u):
            moves[r, n_q + i] = metric.found[1, r, i]
        solve_stage(memory, moves[r])
    for r in range(rows):
        for c in range(rows):
            total = 0.0
            for i in range(n_u):
                total += metric.found[0, r, i] * moves[c, n_q + i]
            metric.responses[c, r] = total


@kernel
def _find_loads(metric: StepMetric, found: Floats, first: int, rows: int) -> float:
    """Write the loads that close the gaps in `found`, from a place on; return the largest gap."""
    largest = 0.0
    for r in range(rows):
        metric.gaps[r] = found[first + r]
        largest = max(largest, abs(found[first + r]))
    copy(flat(metric.responses), flat(metric.left))
    solve_dependent(metric.left, metric.gaps, metric.order, metric.loads)
    return largest


# --- the Jacobian ----------------------------------------------------------------------------------------------------


@rare_kernel
def restrict_jacobian(method: Stiff, equations: Equations, step: Step) -> None:
    """Replace J, stored by columns, by J Π at the start of a step.

    Columns of coordinates whose rates are no speeds are kept.
    """
    matrix, metric, n_q = method.memory.jacobian.matrix, method.memory.metric, method.numbers.n_q
    rows, speeds = metric.found.shape[1], metric.found.shape[2]
    set_state(equations, step.t, step.t + 0.5 * step.h, step.start)
    call(metric.directions, equations.x.ctypes.data, metric.found.ctypes.data)
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
    _remove_across(matrix, metric, 0, n_q)
    _remove_across(matrix, metric, n_q, n_q + speeds)


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
def _remove_across(matrix: Floats, metric: StepMetric, first: int, end: int) -> None:
    """Remove from the columns of coordinates, or of speeds, their part across the constraints."""
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
