"""The loop of Rosenbrock methods: linearly implicit steps with the exact Jacobian, for stiff systems."""

from __future__ import annotations

import math

import numpy as np

from gyrostat.analysis.kernels.event_search import moment
from gyrostat.analysis.kernels.linear_equations import factorise, solve
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, local_rates, move, normalise
from gyrostat.analysis.kernels.methods import RateSlopes, Rosenbrock, RosenbrockStages, StepMetric
from gyrostat.analysis.kernels.problem import Floats, Log, Native, Places, Projection, Room, Rotations, Tables, Watch
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    CHECKPOINTS,
    DONE,
    END,
    EVALUATIONS,
    EVENT,
    FIXED_STEPS,
    FORCED,
    LARGEST_STEP,
    LOGGED,
    MEAN_STEP,
    NO_JACOBIAN,
    NON_FINITE,
    PAUSED,
    REJECTED,
    STEP,
    TIME,
    UNDERFLOW,
)
from gyrostat.analysis.kernels.projection import nearness, project
from gyrostat.analysis.kernels.jacobian import are_finite, find_slopes
from gyrostat.analysis.kernels.right_side import evaluate
from gyrostat.analysis.kernels.stiff_projection import settle
from gyrostat.analysis.kernels.step_record import (
    begin_watch,
    count_step,
    due,
    go_on_watching,
    next_stop,
    passed_breaks,
    record_step,
)
from gyrostat.analysis.kernels.tangent_slopes import keep_tangent_slopes
from gyrostat.program.translation import kernel, rare_kernel

_SAFETY = 0.9
"""How much of the step that would just do is tried."""
_LEAST, _MOST = 0.2, 6.0
"""By how much a step may differ from the last."""
_CAREFUL = 1e-2
"""How near to a singular position, by the pivots, states are brought back to the constraints in every stage."""
_SINGULAR = 1e-3
"""How near to a singular position, by the pivots, steps are kept from becoming ever shorter."""
_SINGULAR_STEP = 0.1
"""The shortest step there, in terms of the mean step."""
_FIRST_MOTION = 0.01
"""By how much of its size the state changes in the first step that is tried."""


@kernel
def rosenbrock_loop(
    method: Rosenbrock,
    slopes: RateSlopes,
    work: RosenbrockStages,
    metric: StepMetric,
    room: Room,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    projection: Projection,
    watch: Watch,
    log: Log,
    breaks: Floats,
    x: Floats,
    y: Floats,
    clock: Floats,
    counts: Places,
    steps: int,
) -> int:
    """Go on from the state y at the time on the clock, for at most so many steps; return why it stopped.

    All that a later call needs is in the arrays: nothing is lost between calls.
    """
    n = y.size
    new = work.new
    events, grid = watch.sides.size, log.grid
    times, hints, states = log.checkpoint_times, log.checkpoint_steps, log.checkpoint_states
    most_events = log.event_times.size - room.fractions.size
    t, end = clock[TIME], clock[END]
    watching, known, rejected, made = False, False, False, 0
    tried, near = clock[STEP], 1.0

    while made < steps and t < end:
        if counts[CHECKPOINTS] >= times.size or counts[LOGGED] > most_events:
            clock[TIME] = t
            return PAUSED
        if passed_breaks(breaks, counts, t) > 0:
            watching = False
        stop = next_stop(breaks, counts, end)
        if not watching:
            begin_watch(native, tables, watch, x, t, t + 1e-9 * (stop - t), y, room)
            watching = True
        if not known:
            clear(work.step)
            evaluate(native, tables, x, t, t + 1e-9 * (stop - t), y, work.start)
            local_rates(work.step, y, rotations, work.start)
            counts[EVALUATIONS] += 1
            near = nearness(projection, work.start[n:])
            if not is_finite(work.start):
                clock[TIME] = t
                return NON_FINITE
        if clock[STEP] <= 0.0:
            clock[STEP] = _first_step(method, y, work.start, stop - t)
        if not rejected:
            tried = clock[STEP]
        # the end of the step: on the grid of a fixed step, or where the control of the step says; never past a stop
        if method.adaptive:
            h = min(clock[STEP], clock[LARGEST_STEP])
            reached = t + h
        else:
            h = clock[STEP]
            reached = clock[ANCHOR] + (counts[FIXED_STEPS] + 1) * h
        if reached >= stop - 1e-10 * h:
            reached = stop
        elif method.adaptive and reached > stop - 0.5 * h:
            reached = t + 0.5 * (stop - t)  # two equal steps rather than a long and a tiny one
        h = reached - t
        if not h > 0.0:  # a step too short to change the time would be made for ever
            clock[TIME] = t
            return UNDERFLOW
        if not known:
            find_slopes(slopes, native, tables, rotations, x, t, h, y)
            known = True
            if near < _CAREFUL:
                keep_tangent_slopes(slopes.matrix, metric, native, tables, x, t, h, y, method.n_q)
            if not are_finite(slopes):
                clock[TIME] = t
                return NO_JACOBIAN

        nearest = _make_step(method, slopes, work, metric, native, tables, rotations, projection, x, t, h, y, near)
        finite = nearest >= 0.0
        counts[EVALUATIONS] += method.c.size - 1
        if method.adaptive:
            error = _error(method, work.u, y, new) if finite else np.inf
            finite = math.isfinite(error)
            # at a singular position no step is good enough: it is passed with short steps, not with ever shorter ones
            shortest = _SINGULAR_STEP * clock[MEAN_STEP] if nearest < _SINGULAR else 0.0
            forced = finite and not error <= 1.0 and h <= 1.001 * shortest
            if forced:
                counts[FORCED] += 1
                error = 1.0
            if not error <= 1.0:
                counts[REJECTED] += 1
                rejected = True
                shrink = max(_LEAST, _SAFETY * error ** (-1.0 / method.error_order)) if finite else 0.1
                clock[STEP] = max(h * shrink, min(shortest, 0.999 * h)) if finite else h * shrink
                if clock[STEP] <= 1e-15 * max(abs(t), 1e-3 * (end - t)):
                    clock[TIME] = t
                    return UNDERFLOW if finite else NON_FINITE
                continue
            growth = _MOST if error == 0.0 else _SAFETY * error ** (-1.0 / method.error_order)
            next_step = h * min(1.0 if rejected else _MOST, max(_LEAST, growth))
            if h < 0.9 * clock[STEP] and not rejected:
                next_step = max(next_step, clock[STEP])  # the step was cut short by a stop
            rejected = False
            if nearest >= _CAREFUL:  # otherwise a singular position would be approached by ever shorter steps
                clock[MEAN_STEP] = h if clock[MEAN_STEP] == 0.0 else 0.8 * clock[MEAN_STEP] + 0.2 * h
        elif not finite:
            clock[TIME] = t
            return NON_FINITE
        else:
            next_step = clock[STEP]
        # with the step as it was tried first, the same steps are rejected when it is repeated
        count_step(times, hints, states, counts, t, tried, y)
        made += 1
        known = False

        # what happened on the way: outputs and events, on the polynomial of the step
        cut = -1.0
        if events > 0 or due(grid, counts, reached):
            _draw(method, work.u, work.polynomial)
            cut = record_step(
                native, tables, rotations, watch, log, x, counts, t, reached, y, work.polynomial, new, room,
            )  # fmt: skip
        copy(new, y)
        if cut >= 0.0:
            finish = moment(t, reached, cut)
            clock[TIME], clock[STEP] = finish, next_step
            clock[ANCHOR], counts[FIXED_STEPS] = finish, 0
            return EVENT
        if events > 0:
            go_on_watching(watch, room)
        counts[FIXED_STEPS] += 1
        if reached == stop and not method.adaptive:
            clock[ANCHOR], counts[FIXED_STEPS] = reached, 0
        t = reached
        clock[TIME], clock[STEP] = t, next_step
    return DONE if t >= end else PAUSED


@kernel
def _make_step(
    method: Rosenbrock,
    slopes: RateSlopes,
    work: RosenbrockStages,
    metric: StepMetric,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    projection: Projection,
    x: Floats,
    t: float,
    h: float,
    y: Floats,
    near: float,
) -> float:
    """Write the solutions of all stages and the state that they lead to; return how near a singular position is.

    `near` is that at the start. It is −1 where there is no such state.
    """
    n = y.size
    u, step, rates, factors = work.u, work.step, work.rates, work.factors
    diagonal = 1.0 / (h * method.gamma)
    for j in range(n):
        for i in range(n):
            factors[j, i] = -slopes.matrix[j, i]
        factors[j, j] += diagonal
    if not factorise(factors, method.n_q, work.pivots):
        return -1.0
    for s in range(method.c.size):
        if s == 0:
            copy(work.start, rates)
        else:
            _combine(method.a, u, s, step)
            move(y, step, rotations, work.state)
            if near < _CAREFUL:
                project(projection, native, tables, rotations, x, t + method.c[s] * h, t + 0.5 * h, work.state)
            evaluate(native, tables, x, t + method.c[s] * h, t + 0.5 * h, work.state, rates)
            local_rates(step, work.state, rotations, rates)
            near = min(near, nearness(projection, rates[n:]))
        _combine(method.link, u, s, step)
        right = u[s]
        for i in range(n):
            right[i] = rates[i] + step[i] / h + h * method.time[s] * slopes.in_time[i]
        if not is_finite(right):
            return -1.0
        solve(factors, work.pivots, right)
    for i in range(n):
        value = 0.0
        for s in range(method.b.size):
            value += method.b[s] * u[s, i]
        step[i] = value
    move(y, step, rotations, work.new)
    if not is_finite(work.new):
        return -1.0
    normalise(rotations, work.new)
    careful = near < _CAREFUL
    good = settle(method, work, metric, projection, native, tables, rotations, x, t, h, y, careful)
    return near if good and is_finite(work.new) else -1.0


@kernel
def _combine(weights: Floats, u: Floats, s: int, total: Floats) -> None:
    """Write Σ weights[s, j] U_j over the stages before s."""
    clear(total)
    for j in range(s):
        weight = weights[s, j]
        if weight != 0.0:
            for i in range(total.size):
                total[i] += weight * u[j, i]


@rare_kernel
def _draw(method: Rosenbrock, u: Floats, polynomial: Floats) -> None:
    """Write the polynomial of a step."""
    for j in range(polynomial.shape[0]):
        for i in range(polynomial.shape[1]):
            value = 0.0
            for s in range(u.shape[0]):
                value += method.dense[s, j] * u[s, i]
            polynomial[j, i] = value


@kernel
def _error(method: Rosenbrock, u: Floats, y: Floats, new: Floats) -> float:
    """Return the error of a step in units of the tolerance, root mean square."""
    total = 0.0
    for i in range(y.size):
        value = 0.0
        for s in range(method.error.size):
            value += method.error[s] * u[s, i]
        total += (value / (method.absolute[i] + method.relative * max(abs(y[i]), abs(new[i])))) ** 2
    return math.sqrt(total / max(y.size, 1))  # where all coordinates are driven there is no state


@rare_kernel
def _first_step(method: Rosenbrock, y: Floats, rates: Floats, span: float) -> float:
    """Return a first step in which the state changes by a small part of its size."""
    size, rate = 0.0, 0.0
    for i in range(y.size):
        scale = method.absolute[i] + method.relative * abs(y[i])
        size += (y[i] / scale) ** 2
        rate += (rates[i] / scale) ** 2
    size, rate = math.sqrt(size / max(y.size, 1)), math.sqrt(rate / max(y.size, 1))
    return min(1e-6 if size < 1e-5 or rate < 1e-5 else _FIRST_MOTION * size / rate, span)
