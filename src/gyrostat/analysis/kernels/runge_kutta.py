"""The loop of explicit Runge–Kutta methods: steps, step control, outputs, events, signs of stiffness."""

from __future__ import annotations

import math

import numpy as np

from gyrostat.analysis.kernels.event_search import moment
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, local_rates, move, normalise
from gyrostat.analysis.kernels.methods import Method, Stages
from gyrostat.analysis.kernels.problem import Floats, Log, Native, Places, Projection, Room, Rotations, Tables, Watch
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    CALM,
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
    NON_FINITE,
    PAUSED,
    REJECTED,
    STEP,
    STIFF,
    STIFF_STEPS,
    STIFFNESS,
    TIME,
    UNDERFLOW,
)
from gyrostat.analysis.kernels.projection import nearness, project
from gyrostat.analysis.kernels.right_side import evaluate, evaluate_here
from gyrostat.analysis.kernels.step_record import (
    begin_watch,
    count_step,
    due,
    go_on_watching,
    next_stop,
    passed_breaks,
    record_step,
)
from gyrostat.program.translation import kernel, rare_kernel

_SAFETY = 0.7
"""How much of the step that would just do is tried.

At equal error of swinging pendulums, arms and chains it takes 4 % fewer evaluations than 0.8 and 15 % fewer than 0.9,
with which a quarter of the steps is refused.
"""
_JUST_STABLE = 0.8
"""How much of the longest stable step counts as held down by stability."""
_CAREFUL = 1e-2
"""How near to a singular position, by the pivots, states are brought back to the constraints in every stage."""
_SINGULAR = 1e-3
_SINGULAR_STEP = 0.1
"""The shortest step there, in terms of the mean step."""


@kernel
def explicit_loop(
    method: Method,
    work: Stages,
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
    stages, all_stages, degree = method.stages, method.c.size, method.dense.shape[1]
    c, k, step, stage, new = method.c, work.k, work.step, work.state, work.new
    # without rotations to turn and constraints to obey, a stage is a sum that is written where the rates are taken
    plain = projection.coordinates == 0 and (rotations.places.shape[0] == 0 or not rotations.exponential)
    pair_states, polynomial = work.pair_states, work.polynomial
    events, grid = watch.sides.size, log.grid
    times, hints, states = log.checkpoint_times, log.checkpoint_steps, log.checkpoint_states
    most_events = log.event_times.size - room.fractions.size
    t, end = clock[TIME], clock[END]
    rejected, fresh, made = False, True, 0
    tried = clock[STEP]

    while made < steps and t < end:
        if counts[CHECKPOINTS] >= times.size or counts[LOGGED] > most_events:
            clock[TIME] = t
            return PAUSED
        if passed_breaks(breaks, counts, t) > 0:
            fresh = True
        stop = next_stop(breaks, counts, end)
        if fresh:
            clear(step)
            ahead = t + 1e-9 * (stop - t)
            evaluate(native, tables, x, t, ahead, y, k[0])
            counts[EVALUATIONS] += 1
            local_rates(step, y, rotations, k[0])
            begin_watch(native, tables, watch, x, t, ahead, y, room)
            if not is_finite(k[0]):
                clock[TIME] = t
                return NON_FINITE
            if clock[STEP] <= 0.0:
                clock[STEP] = _first_step(method, native, tables, rotations, x, t, stop - t, y, k, stage, new)
                counts[EVALUATIONS] += 1
            fresh = False
        if not rejected:
            tried = clock[STEP]
        # the end of the step: on the grid of a fixed step, or where the control of the step says; never past a stop
        if method.adaptive:
            h = min(clock[STEP], clock[LARGEST_STEP])
            reached = t + h
        else:
            h = clock[STEP]
            reached = clock[ANCHOR] + (counts[FIXED_STEPS] + 1) * h
        slack = 1e-10 * h
        if reached >= stop - slack:
            reached = stop
        elif method.adaptive and reached > stop - 0.5 * h:
            reached = t + 0.5 * (stop - t)  # two equal steps rather than a long and a tiny one
        h = reached - t
        if not h > 0.0:  # a step too short to change the time would be made for ever
            clock[TIME] = t
            return UNDERFLOW
        middle = t + 0.5 * h

        near, obeys = nearness(projection, k[0, n:]), True
        for s in range(1, stages + 1):
            at = t + c[s] * h
            if plain:
                stage = x[1 : 1 + n]
                _combine(method, k, s, h, y, stage)
                if s == stages:
                    normalise(rotations, stage)
                evaluate_here(native, tables, x, at, middle, k[s])
            else:
                _combine(method, k, s, h, work.zero, step)
                move(y, step, rotations, stage)
                if s == stages:
                    normalise(rotations, stage)
                if s == stages or near < _CAREFUL:
                    obeys = project(projection, native, tables, rotations, x, at, middle, stage)
                evaluate(native, tables, x, at, middle, stage, k[s])
                near = min(near, nearness(projection, k[s, n:]))
                local_rates(step, stage, rotations, k[s])
            if s == method.pair[0]:
                copy(stage if plain else step, pair_states[0])
            if s == method.pair[1]:
                copy(stage if plain else step, pair_states[1])
        copy(stage, new)
        counts[EVALUATIONS] += stages
        finite = is_finite(k[stages]) and is_finite(new) and obeys
        if method.adaptive:
            error = _error(method, k, y, new, rotations, h) if finite else np.inf
            finite = math.isfinite(error)
            # at a singular position no step is good enough: it is passed with short steps, not with ever shorter ones
            shortest = _SINGULAR_STEP * clock[MEAN_STEP] if near < _SINGULAR else 0.0
            forced = finite and not error <= 1.0 and h <= 1.001 * shortest
            if forced:
                counts[FORCED] += 1
                error = 1.0
            if not error <= 1.0:
                counts[REJECTED] += 1
                rejected = True
                shrink = max(0.2, _SAFETY * error ** (-1.0 / method.error_order)) if finite else 0.1
                # where a step leads to no state that obeys, only a shorter one may
                clock[STEP] = max(h * shrink, min(shortest, 0.999 * h)) if finite else h * shrink
                if clock[STEP] <= 1e-15 * max(abs(t), 1e-3 * (end - t)):
                    clock[TIME] = t
                    return UNDERFLOW if finite else NON_FINITE
                continue
            growth = 10.0 if error == 0.0 else min(10.0, max(0.2, _SAFETY * error ** (-1.0 / method.error_order)))
            next_step = h * (min(1.0, growth) if rejected else growth)
            if h < 0.9 * clock[STEP] and not rejected:
                next_step = max(next_step, clock[STEP])  # the step was cut short by a stop
            rejected = False
            if not forced:
                clock[MEAN_STEP] = h if clock[MEAN_STEP] == 0.0 else 0.8 * clock[MEAN_STEP] + 0.2 * h
        elif not finite:
            clock[TIME] = t
            return NON_FINITE
        else:
            next_step = clock[STEP]
        _watch_stiffness(method, k, pair_states, y, h, clock, counts)
        # with the step as it was tried first, the same steps are rejected when it is repeated
        count_step(times, hints, states, counts, t, tried, y)
        made += 1

        # what happened on the way: outputs and events, on the polynomial of the step
        cut = -1.0
        if events > 0 or due(grid, counts, reached):
            for s in range(stages + 1, all_stages):
                _combine(method, k, s, h, work.zero, step)
                move(y, step, rotations, work.state)
                evaluate(native, tables, x, t + c[s] * h, middle, work.state, k[s])
                local_rates(step, work.state, rotations, k[s])
            counts[EVALUATIONS] += all_stages - stages - 1
            for j in range(degree):
                for i in range(n):
                    value = 0.0
                    for s in range(all_stages):
                        value += method.dense[s, j] * k[s, i]
                    polynomial[j, i] = h * value
            cut = record_step(native, tables, rotations, watch, log, x, counts, t, reached, y, polynomial, new, room)
        if cut >= 0.0:
            finish = moment(t, reached, cut)
            copy(new, y)
            clock[TIME], clock[STEP] = finish, next_step
            clock[ANCHOR], counts[FIXED_STEPS] = finish, 0
            return EVENT
        copy(new, y)
        copy(k[stages], k[0])
        if not plain:
            clear(step)
            local_rates(step, y, rotations, k[0])
        if events > 0:
            go_on_watching(watch, room)
        counts[FIXED_STEPS] += 1
        if reached == stop and not method.adaptive:
            clock[ANCHOR], counts[FIXED_STEPS] = reached, 0
        t = reached
        clock[TIME], clock[STEP] = t, next_step
    return DONE if t >= end else PAUSED


@kernel
def _combine(method: Method, k: Floats, s: int, h: float, start: Floats, target: Floats) -> None:
    """Write start + h Σ a[s, j] k[j] over the stages before s that count.

    Four sums at a time stay in one register; two such rows do not wait for each other.
    """
    n = start.size
    whole = n - n % 4
    first, last = method.begins[s], method.begins[s + 1]
    paired = last - (last - first) % 2
    for i in range(0, whole, 4):
        sum0, sum1, sum2, sum3 = 0.0, 0.0, 0.0, 0.0
        other0, other1, other2, other3 = 0.0, 0.0, 0.0, 0.0
        for place in range(first, paired, 2):
            weight, j = method.weights[place], method.sources[place]
            sum0 += weight * k[j, i]
            sum1 += weight * k[j, i + 1]
            sum2 += weight * k[j, i + 2]
            sum3 += weight * k[j, i + 3]
            weight, j = method.weights[place + 1], method.sources[place + 1]
            other0 += weight * k[j, i]
            other1 += weight * k[j, i + 1]
            other2 += weight * k[j, i + 2]
            other3 += weight * k[j, i + 3]
        if paired < last:
            weight, j = method.weights[paired], method.sources[paired]
            sum0 += weight * k[j, i]
            sum1 += weight * k[j, i + 1]
            sum2 += weight * k[j, i + 2]
            sum3 += weight * k[j, i + 3]
        target[i], target[i + 1] = start[i] + h * (sum0 + other0), start[i + 1] + h * (sum1 + other1)
        target[i + 2], target[i + 3] = start[i + 2] + h * (sum2 + other2), start[i + 3] + h * (sum3 + other3)
    for i in range(whole, n):
        total = 0.0
        for place in range(first, last):
            total += method.weights[place] * k[method.sources[place], i]
        target[i] = start[i] + h * total


@kernel
def _error(method: Method, k: Floats, y: Floats, new: Floats, rotations: Rotations, h: float) -> float:
    """Return the error of a step in units of the tolerance, root mean square."""
    first, second, size = 0.0, 0.0, max(y.size, 1)  # where all coordinates are driven there is no state
    for i in range(y.size):
        scale = method.absolute[i] + method.relative * max(abs(y[i]), abs(new[i]))
        e, f = 0.0, 0.0
        for s in range(method.stages + 1):
            e += method.error[0, s] * k[s, i]
            f += method.error[1, s] * k[s, i]
        first += (e / scale) ** 2
        second += (f / scale) ** 2
    if second == 0.0:
        return h * math.sqrt(first / size)
    return h * first / math.sqrt((first + 0.01 * second) * size)


@rare_kernel
def _first_step(
    method: Method,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    x: Floats,
    t: float,
    span: float,
    y: Floats,
    k: Floats,
    stage: Floats,
    work: Floats,
) -> float:
    """Return a first step by the size of the state, its rate, and the change of its rate over a short Euler step."""
    n = y.size
    size, rate = 0.0, 0.0
    for i in range(n):
        scale = method.absolute[i] + method.relative * abs(y[i])
        size += (y[i] / scale) ** 2
        rate += (k[0, i] / scale) ** 2
    size, rate = math.sqrt(size / max(n, 1)), math.sqrt(rate / max(n, 1))
    short = min(1e-6 if size < 1e-5 or rate < 1e-5 else 0.01 * size / rate, span)
    for i in range(n):
        work[i] = short * k[0, i]
    move(y, work, rotations, stage)
    evaluate(native, tables, x, t + short, t + 0.5 * short, stage, k[1])
    local_rates(work, stage, rotations, k[1])
    change = 0.0
    for i in range(n):
        scale = method.absolute[i] + method.relative * abs(y[i])
        change += ((k[1, i] - k[0, i]) / scale) ** 2
    change = math.sqrt(change / max(n, 1)) / short
    steepest = max(rate, change)
    if not math.isfinite(steepest):
        return short
    long = max(1e-6, short * 1e-3) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / method.error_order)
    return min(100.0 * short, long, span)


@kernel
def _watch_stiffness(
    method: Method, k: Floats, pair_states: Floats, y: Floats, h: float, clock: Floats, counts: Places
) -> None:
    """Count steps that stability holds down: step times eigenvalue is beyond what the method damps (Hairer's test)."""
    change, distance, size = 0.0, 0.0, 0.0
    for i in range(pair_states.shape[1]):
        size += y[i] ** 2
        change += (k[method.pair[1], i] - k[method.pair[0], i]) ** 2
        distance += (pair_states[1, i] - pair_states[0, i]) ** 2
    if distance <= 1e-26 * size:  # a difference of rounding errors tells nothing
        return
    eigenvalue = math.sqrt(change / distance)
    if h * eigenvalue > _JUST_STABLE * method.limit:
        counts[STIFF] += 1
        counts[CALM] = 0
        if counts[STIFF] >= 15:
            counts[STIFF_STEPS] += 1
            clock[STIFFNESS] = max(clock[STIFFNESS], eigenvalue)
    else:
        counts[CALM] += 1
        if counts[CALM] >= 6:
            counts[STIFF] = 0
