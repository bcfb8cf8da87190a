"""Back to the constraints after a stiff step, without waking what has decayed.

Speeds that are projected in the metric of the masses leave the slow motion that dampers and springs enforce: fast
motions begin anew, with the size of the error that was taken away, and hold the next steps down. Here loads along the
rows act during the step, under all its dampers and springs: the metric is that of its equations, M (1 − hγ J).
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.kernels.linear_equations import solve, solve_dependent
from gyrostat.analysis.kernels.local_coordinates import copy, is_finite, move, normalise
from gyrostat.analysis.kernels.methods import Rosenbrock, RosenbrockStages, StepMetric
from gyrostat.analysis.kernels.problem import Floats, Native, Projection, Rotations, Tables
from gyrostat.analysis.kernels.projection import project
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.program.translation import call, flat, kernel, rare_kernel

_HARMLESS = 0.05
"""A change by the metric of the masses, in units of the tolerance, that is left as it is."""
_PASSES = 2


@rare_kernel
def settle(
    method: Rosenbrock,
    work: RosenbrockStages,
    metric: StepMetric,
    projection: Projection,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    x: Floats,
    t: float,
    h: float,
    y: Floats,
    singular: bool,
) -> bool:
    """Move the new state onto the constraints; return whether that went well. `work.step` led to it from y.

    Near a singular position loads along the rows have no limit; there the metric of the masses is taken.
    """
    new, kept, reached, within = work.new, metric.kept, t + h, t + 0.5 * h
    copy(new, kept)
    good = project(projection, native, tables, rotations, x, reached, within, new)
    if singular or projection.rows == 0 or (good and _change(method, kept, new) <= _HARMLESS):
        return good
    moved = _move_in_step(method, work, metric, projection, native, tables, rotations, x, reached, within, h, y)
    if not moved:
        copy(kept, new)
    return project(projection, native, tables, rotations, x, reached, within, new)


@kernel
def _change(method: Rosenbrock, before: Floats, after: Floats) -> float:
    """Return the largest change of the state in units of the tolerance."""
    largest = 0.0
    for i in range(before.size):
        scale = method.absolute[i] + method.relative * abs(after[i])
        largest = max(largest, abs(after[i] - before[i]) / scale)
    return largest


@rare_kernel
def _move_in_step(
    method: Rosenbrock,
    work: RosenbrockStages,
    metric: StepMetric,
    projection: Projection,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    x: Floats,
    reached: float,
    within: float,
    h: float,
    y: Floats,
) -> bool:
    """Write the state after loads along the rows, first for positions, then for speeds; return whether it is nearer."""
    n, n_q, rows = y.size, method.n_q, projection.rows
    step, new, moves, found = work.step, work.new, metric.moves, projection.found
    scale = 1.0 / (h * method.gamma)
    copy(metric.kept, new)
    set_state(native, tables, x, reached, within, new)
    call(metric.directions, x.ctypes.data, metric.found.ctypes.data)
    for r in range(rows):
        for i in range(n_q):
            moves[r, i] = 0.0
        for i in range(n - n_q):
            moves[r, n_q + i] = metric.found[1, r, i]
        solve(work.factors, work.pivots, moves[r])
    for r in range(rows):
        for c in range(rows):
            total = 0.0
            for i in range(n - n_q):
                total += metric.found[0, r, i] * moves[c, n_q + i]
            metric.responses[c, r] = total
    before = np.inf
    for _ in range(_PASSES):
        set_state(native, tables, x, reached, within, new)
        call(projection.coordinates, x.ctypes.data, found.ctypes.data)
        gap = _find_loads(metric, found, n_q, rows)
        if not gap <= before:
            return False
        before = gap
        for r in range(rows):
            for i in range(n_q):
                step[i] -= scale * metric.loads[r] * moves[r, i]
        move(y, step, rotations, new)
        normalise(rotations, new)
    set_state(native, tables, x, reached, within, new)
    call(projection.speeds, x.ctypes.data, found.ctypes.data)
    _find_loads(metric, found, n - n_q, rows)
    for r in range(rows):
        for i in range(n_q, n):
            new[i] -= metric.loads[r] * moves[r, i]
    return is_finite(new)


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
