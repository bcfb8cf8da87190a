"""Rosenbrock methods, linearly implicit with the exact Jacobian: the kernels that the driver takes."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.crossing import state_at
from gyrostat.analysis.kernels.error_along import error_along
from gyrostat.analysis.kernels.fast_motion import is_far_from_motion, misses_motion
from gyrostat.analysis.kernels.jacobian import evaluate_jacobian, jacobian_is_finite, moves_along
from gyrostat.analysis.kernels.linear_equations import factorise
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, local_rates, move, normalise
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, Step
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    DONE,
    ERROR,
    EVALUATIONS,
    LAST_SWITCH,
    NEARNESS,
    NO_JACOBIAN,
    NON_FINITE,
    OUTPUT,
    PASSAGE,
    REJECTED,
    REPEAT,
    SINGULAR,
    STEP,
    TIME,
)
from gyrostat.analysis.kernels.projection import nearness, project
from gyrostat.analysis.kernels.right_side import evaluate, set_state
from gyrostat.analysis.kernels.run_record import Log
from gyrostat.analysis.kernels.singular_passage import INDETERMINACY_PIVOT, PROJECTION_PIVOT, passage_fraction
from gyrostat.analysis.kernels.sparse_factors import factorise_sparse
from gyrostat.analysis.kernels.step_control import first_step
from gyrostat.analysis.kernels.step_record import record_modes, shortly_after, start_time
from gyrostat.analysis.kernels.step_starting import start_step
from gyrostat.analysis.kernels.stiff_projection import Stiff, project_in_step, restrict_jacobian, solve_stage
from gyrostat.program.translation import kernel, rare_kernel

_STEP_REDUCTION = 0.25
"""The next attempt at a step that passes over a fast motion, in terms of the step."""
_OUTPUT_ERROR_LIMIT = 10.0
"""The largest error of an output's own step, in tolerances; nothing follows from that step."""


@kernel
def begin(method: Stiff, equations: Equations, progress: Progress, stop: float, fresh: bool, broken: bool) -> int:
    """Evaluate the rates at the start of a step; choose the first step."""
    memory, y, clock, t = method.memory, progress.y, progress.clock, progress.clock[TIME]
    clear(memory.step)
    at = start_time(progress.breaks, progress.counts, t, stop)
    evaluate(equations, at, shortly_after(t, stop), y, memory.start)
    local_rates(memory.step, y, equations.rotations, memory.start)
    progress.counts[EVALUATIONS] += 1
    memory.nearness[0] = nearness(equations.projection, memory.start[y.size :])
    if not is_finite(memory.start):
        return NON_FINITE
    if clock[STEP] <= 0.0:
        clock[STEP] = first_step(method.control, y, memory.start, stop - t)
    elif clock[LAST_SWITCH] == t:
        room = memory.new, memory.state, memory.rates
        clock[STEP] = start_step(method.control, equations, progress, stop - t, memory.start, room)
    return DONE


@kernel
def attempt(method: Stiff, equations: Equations, step: Step, progress: Progress) -> int:
    """Make a step, with the Jacobian at its start."""
    jacobian, clock = method.memory.jacobian, progress.clock
    if method.memory.nearness[0] < INDETERMINACY_PIVOT:
        return SINGULAR
    if not step.repeated:
        at = start_time(progress.breaks, progress.counts, step.t, step.reached)
        if equations.ropes.kernels.present():
            set_state(equations, at, step.t + 0.5 * step.h, step.start)
            if not equations.ropes.kernels.differentiate(equations, step.h, jacobian.by_time):
                return NO_JACOBIAN
        else:
            evaluate_jacobian(jacobian, equations, at, step.h, step.start)
        if method.memory.nearness[0] < PROJECTION_PIVOT:
            restrict_jacobian(method, equations, step)
        if not equations.ropes.kernels.present() and not jacobian_is_finite(jacobian, equations):
            return NO_JACOBIAN
    careful = method.memory.nearness[0] < PROJECTION_PIVOT
    near = _make_step(method, equations, step, careful)
    progress.counts[EVALUATIONS] += method.numbers.c.size - 1
    if near < PROJECTION_PIVOT and not careful:
        near = _make_step(method, equations, step, True)
        progress.counts[EVALUATIONS] += method.numbers.c.size - 1
    clock[NEARNESS] = near
    if near < PROJECTION_PIVOT:
        clock[PASSAGE] = passage_fraction(method.numbers.c, method.memory.nearness)
    if not near >= 0.0:
        return NON_FINITE
    if method.control.adaptive:
        clock[ERROR] = _error(method, equations, step, near)
    return DONE


@rare_kernel
def interpolate(method: Stiff, equations: Equations, step: Step, progress: Progress) -> None:
    """Write the polynomial of a step."""
    u, polynomial = method.memory.u, step.polynomial
    for j in range(polynomial.shape[0]):
        for i in range(polynomial.shape[1]):
            value = 0.0
            for s in range(u.shape[0]):
                value += method.numbers.dense[s, j] * u[s, i]
            polynomial[j, i] = value


@kernel
def sketch(method: Stiff, step: Step) -> bool:
    """Return that there is none: the polynomial of a step takes no evaluation."""
    return False


@kernel
def work(method: Stiff, equations: Equations, step: Step, fraction: float, whole: bool) -> float:
    """Return zero: the work is computed from the checkpoints."""
    return 0.0


@kernel
def follow(method: Stiff, equations: Equations, step: Step, progress: Progress) -> int:
    """Return REPEAT for a step that begins with a fast motion, after a jump, and passes over it."""
    clock = progress.clock
    if not method.control.adaptive or (step.t != clock[ANCHOR] and step.t != clock[LAST_SWITCH]):
        return DONE
    if method.memory.nearness[0] < PROJECTION_PIVOT or clock[NEARNESS] < PROJECTION_PIVOT:
        return DONE
    interpolate(method, equations, step, progress)
    progress.counts[EVALUATIONS] += 1
    if not is_far_from_motion(method, equations, step):
        return DONE
    clock[STEP] = _STEP_REDUCTION * step.h
    progress.counts[REJECTED] += 1
    return REPEAT


@rare_kernel
def settle(method: Stiff, equations: Equations, log: Log, progress: Progress, step: Step, first: int) -> None:
    """Let outputs that the polynomial misses be the ends of steps of their own, if those are good."""
    for place in range(first, progress.counts[OUTPUT]):
        t, y = log.grid[place], log.states[place]
        if t >= step.reached or method.memory.nearness[0] < PROJECTION_PIVOT:
            continue
        progress.counts[EVALUATIONS] += 1
        if misses_motion(method, equations, step, t, y):
            part = Step(step.t, t - step.t, t, True, step.start, y, step.polynomial)
            progress.counts[EVALUATIONS] += method.numbers.c.size - 1
            near = _make_step(method, equations, part, False)
            if near < PROJECTION_PIVOT or (
                method.control.adaptive and not _error(method, equations, part, near) <= _OUTPUT_ERROR_LIMIT
            ):
                state_at(step.start, step.polynomial, part.h / step.h, equations.rotations, method.memory.step, y)
            if equations.switching.modes.size > 0:
                record_modes(equations, t, y, log.modes[place])


@kernel
def accept(method: Stiff, equations: Equations, step: Step, progress: Progress, whole: bool) -> None:
    """Do nothing: the method takes nothing from one step to the next."""


@kernel
def _make_step(method: Stiff, equations: Equations, step: Step, careful: bool) -> float:
    """Write the solutions of all stages and the state that they lead to; return how near a singular position is.

    It is −1 where there is no such state. If `careful` all stages are projected onto the constraints.
    """
    tableau, memory, jacobian, rotations = method.numbers, method.memory, method.memory.jacobian, equations.rotations
    n, t, h, y, near = step.start.size, step.t, step.h, step.start, memory.nearness[0]
    u, way, rates = memory.u, memory.step, memory.rates
    if not _factorise(method, equations, h):
        return -1.0
    for s in range(tableau.c.size):
        if s == 0:
            copy(memory.start, rates)
        else:
            _combine(tableau.a, u, s, way)
            move(y, way, rotations, memory.state)
            if careful:
                project(equations, t + tableau.c[s] * h, t + 0.5 * h, memory.state)
            evaluate(equations, t + tableau.c[s] * h, t + 0.5 * h, memory.state, rates)
            local_rates(way, memory.state, rotations, rates)
            memory.nearness[s] = nearness(equations.projection, rates[n:]) if is_finite(rates) else -1.0
            near = min(near, memory.nearness[s])
        _combine(tableau.link, u, s, way)
        right = u[s]
        for i in range(n):
            right[i] = rates[i] + tableau.mass[i] * way[i] / h + h * tableau.time[s] * jacobian.by_time[i]
        if not is_finite(right):
            return -1.0
        if equations.ropes.kernels.present():
            equations.ropes.kernels.solve(equations, right)
        else:
            solve_stage(memory, right)
    for i in range(n):
        value = 0.0
        for s in range(tableau.b.size):
            value += tableau.b[s] * u[s, i]
        way[i] = value
    move(y, way, rotations, step.new)
    if not is_finite(step.new):
        return -1.0
    normalise(rotations, step.new)
    good = project_in_step(method, equations, step, careful or near < PROJECTION_PIVOT)
    return near if good and is_finite(step.new) else -1.0


@kernel
def _factorise(method: Stiff, equations: Equations, h: float) -> bool:
    """Write the factors of m/(hγ) − J; return whether it is regular.

    Near a singular position, where J is restricted to the constraints, and in a sliding mode it is not sparse.
    """
    if equations.ropes.kernels.present():
        return bool(equations.ropes.kernels.factorise(equations, h * method.numbers.gamma))
    memory, masses, scale = method.memory, method.numbers.mass, 1.0 / (h * method.numbers.gamma)
    factors, matrix, sparse = memory.factors, memory.jacobian.matrix, memory.sparse
    usable = sparse.row_order.size > 0 and memory.nearness[0] >= PROJECTION_PIVOT and not moves_along(equations)
    sparse.used[0] = int(usable and factorise_sparse(sparse, matrix, masses, scale, method.numbers.n_q))
    if sparse.used[0] != 0:
        return True
    n = factors.shape[0]
    for j in range(n):
        for i in range(n):
            factors[j, i] = -matrix[j, i]
        factors[j, j] += scale * masses[j]
    return factorise(factors, method.numbers.n_q, memory.pivots)


@kernel
def _combine(weights: Floats, u: Floats, s: int, total: Floats) -> None:
    """Write Σ weights[s, j] U_j over the stages before s."""
    clear(total)
    for j in range(s):
        weight = weights[s, j]
        if weight != 0.0:
            for i in range(total.size):
                total[i] += weight * u[j, i]


@kernel
def _error(method: Stiff, equations: Equations, step: Step, near: float) -> float:
    """Return the error of a step in units of the tolerance, root mean square; with ropes the largest of their nodes.

    Near a singular position, where pivots are small, it is measured along the constraints.
    """
    weights, control, u = method.numbers.error, method.control, method.memory.u
    y, new, total = step.start, step.new, 0.0
    for i in range(y.size):
        value = 0.0
        for s in range(weights.size):
            value += weights[s] * u[s, i]
        scaled = value / (control.absolute[i] + control.relative * max(abs(y[i]), abs(new[i])))
        method.memory.step[i] = scaled if equations.ropes.kernels.present() else value
        total += scaled**2
    if equations.ropes.kernels.present():
        return math.sqrt(equations.ropes.kernels.error(equations, method.memory.step))
    if near < PROJECTION_PIVOT:
        total = error_along(equations, control, step, method.memory.step, method.memory.state, near)
    return math.sqrt(total / max(y.size, 1))  # where all coordinates are driven there is no state
