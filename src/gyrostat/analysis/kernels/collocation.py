"""The loop of Gauss collocation: implicit steps of fixed length, solved by iteration to rounding."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.kernels.event_search import moment
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite, normalise
from gyrostat.analysis.kernels.methods import Collocation, CollocationStages, Memory
from gyrostat.analysis.kernels.problem import Floats, Log, Native, Places, Room, Rotations, Tables, Watch
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    CHECKPOINTS,
    DONE,
    END,
    EVALUATIONS,
    EVENT,
    FIXED_STEPS,
    LOGGED,
    NON_FINITE,
    NOT_CONVERGED,
    PAUSED,
    STEP,
    TIME,
)
from gyrostat.analysis.kernels.right_side import evaluate
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

MOST_ITERATIONS = 100
_ROUNDING = 1e-12
"""Changes below this share of the state are a matter of rounding."""


@kernel
def gauss_loop(
    method: Collocation,
    memory: Memory,
    work: CollocationStages,
    room: Room,
    native: Native,
    tables: Tables,
    rotations: Rotations,
    watch: Watch,
    log: Log,
    breaks: Floats,
    x: Floats,
    y: Floats,
    clock: Floats,
    counts: Places,
    steps: int,
) -> int:
    """Go on from the state y at the time on the clock, for at most so many steps; return why it stopped."""
    n, s = y.size, method.b.size
    a, b, c, low, rates = method.a, method.b, method.c, memory.low, memory.rates
    last = memory.step
    k, motion, stage, new = work.k, work.motion, work.state, work.new
    ends, inner, polynomial = work.ends, work.inner, work.polynomial
    events, grid = watch.sides.size, log.grid
    times, hints, states = log.checkpoint_times, log.checkpoint_steps, log.checkpoint_states
    most_events = log.event_times.size - room.fractions.size
    t, end = clock[TIME], clock[END]
    fresh = True
    for i in range(n):
        if memory.state[i] != y[i]:
            last[0] = 0.0
            clear(low)
            break

    for _ in range(steps):
        if t >= end:
            break
        if counts[CHECKPOINTS] >= times.size or counts[LOGGED] > most_events:
            break
        if passed_breaks(breaks, counts, t) > 0:
            fresh = True
            last[0] = 0.0
        stop = next_stop(breaks, counts, end)
        if fresh:
            ahead = t + 1e-9 * (stop - t)
            begin_watch(native, tables, watch, x, t, ahead, y, room)
            fresh = False
        reached = clock[ANCHOR] + (counts[FIXED_STEPS] + 1) * clock[STEP]
        if reached >= stop - 1e-10 * clock[STEP]:
            reached = stop
        h = reached - t
        middle = t + 0.5 * h

        # rates of the stages: guessed from the last step's polynomial, or constant
        if last[0] == 0.0:
            evaluate(native, tables, x, t, middle, y, stage)
            counts[EVALUATIONS] += 1
            for i in range(s):
                copy(stage, k[i])
        else:
            _extrapolate(c, rates, h / last[0], k)
        outcome = _iterate(a, c, k, motion, native, tables, x, t, h, y, low, stage, counts)
        if outcome != DONE:
            last[0] = 0.0
            clock[TIME] = t
            copy(y, memory.state)
            return outcome
        for i in range(s):
            copy(k[i], rates[i])
        count_step(times, hints, states, counts, t, clock[STEP], y)

        # y + low grows by the increment; what rounding takes away stays in low
        for i in range(n):
            increment = 0.0
            for j in range(s):
                increment += b[j] * k[j, i]
            increment = h * increment + low[i]
            new[i] = y[i] + increment
            stage[i] = increment + (y[i] - new[i])
        if rotations.places.shape[0] > 0:
            copy(new, motion[0])
            normalise(rotations, new)  # rounding only: the method keeps the length
            for r in range(rotations.places.shape[0]):
                for i in range(rotations.places[r, 0], rotations.places[r, 0] + 4):
                    if new[i] != motion[0, i]:
                        stage[i] = 0.0

        cut = -1.0
        if events > 0 or due(grid, counts, reached):
            _draw(method, k, native, tables, x, t, h, y, new, ends, inner, polynomial, motion[0])
            counts[EVALUATIONS] += 2 + inner.shape[0]
            cut = record_step(native, tables, rotations, watch, log, x, counts, t, reached, y, polynomial, new, room)
        copy(new, y)
        copy(new, memory.state)
        if cut >= 0.0:
            clear(low)
            last[0] = 0.0
            clock[TIME] = clock[ANCHOR] = moment(t, reached, cut)
            counts[FIXED_STEPS] = 0
            return EVENT
        copy(stage, low)
        if events > 0:
            go_on_watching(watch, room)
        counts[FIXED_STEPS] += 1
        if reached == stop:
            clock[ANCHOR], counts[FIXED_STEPS] = reached, 0
        t, last[0] = reached, h
        clock[TIME] = t
    clock[TIME] = t
    return DONE if t >= end else PAUSED


@kernel
def _extrapolate(c: Floats, rates: Floats, ratio: float, k: Floats) -> None:
    """Write the rates that the polynomial of the last step has at the stages of the next, `ratio` times as long."""
    s = c.size
    clear_rows(k)
    for i in range(s):
        at = 1.0 + ratio * c[i]
        for j in range(s):
            weight = 1.0
            for m in range(s):
                if m != j:
                    weight *= (at - c[m]) / (c[j] - c[m])
            for p in range(k.shape[1]):
                k[i, p] += weight * rates[j, p]


@kernel
def clear_rows(rows: Floats) -> None:
    """Write zeros."""
    for i in range(rows.shape[0]):
        for p in range(rows.shape[1]):
            rows[i, p] = 0.0


@kernel
def _iterate(
    a: Floats,
    c: Floats,
    k: Floats,
    motion: Floats,
    native: Native,
    tables: Tables,
    x: Floats,
    t: float,
    h: float,
    y: Floats,
    low: Floats,
    stage: Floats,
    counts: Places,
) -> int:
    """Solve for the rates of all stages by fixed-point iteration; return DONE, or what went wrong.

    It ends when changes no longer fall: then they are rounding errors, which must not be cut short in one direction
    (Hairer, McLachlan, Razakarivony 2008).
    """
    s, n = k.shape
    clear_rows(motion)
    first, before = 0.0, np.inf
    for iteration in range(MOST_ITERATIONS):
        change = 0.0
        for i in range(s):
            for p in range(n):
                value = 0.0
                for j in range(s):
                    value += a[i, j] * k[j, p]
                value *= h
                change = max(change, abs(value - motion[i, p]) / (1.0 + abs(y[p])))
                motion[i, p] = value
        if iteration == 0:
            first = change  # the whole motion of the step
        elif change > 2.0 * first + 1e-3:
            return NOT_CONVERGED
        if iteration > 0 and (change == 0.0 or (change >= before and change < _ROUNDING)):
            return DONE
        for i in range(s):
            for p in range(n):
                stage[p] = y[p] + (low[p] + motion[i, p])
            evaluate(native, tables, x, t + c[i] * h, t + 0.5 * h, stage, k[i])
            if not is_finite(k[i]):
                return NON_FINITE if iteration == 0 or change <= before else NOT_CONVERGED
        before = change
        counts[EVALUATIONS] += s
    return NOT_CONVERGED


@rare_kernel
def _draw(
    method: Collocation,
    k: Floats,
    native: Native,
    tables: Tables,
    x: Floats,
    t: float,
    h: float,
    y: Floats,
    new: Floats,
    ends: Floats,
    inner: Floats,
    polynomial: Floats,
    stage: Floats,
) -> None:
    """Write the polynomial of a step: through both ends, with rates there and at nodes.

    Rates at the nodes are first those of the stages there, then those of the states that the polynomial has there.
    """
    n, s = y.size, k.shape[0]
    middle = t + 0.5 * h
    evaluate(native, tables, x, t, middle, y, ends[0])
    evaluate(native, tables, x, t + h, middle, new, ends[1])
    for m in range(inner.shape[0]):
        copy(k[0 if m == 0 else s - 1], inner[m])
    _combine_data(method, h, y, new, ends, inner, polynomial)
    if inner.shape[0] == 0:
        return
    for m in range(inner.shape[0]):
        theta = method.nodes[m]
        for p in range(n):
            value = 0.0
            for j in range(polynomial.shape[0] - 1, -1, -1):
                value = (value + polynomial[j, p]) * theta
            stage[p] = y[p] + value
        evaluate(native, tables, x, t + theta * h, middle, stage, inner[m])
    _combine_data(method, h, y, new, ends, inner, polynomial)


@kernel
def _combine_data(
    method: Collocation, h: float, y: Floats, new: Floats, ends: Floats, inner: Floats, polynomial: Floats
) -> None:
    for j in range(polynomial.shape[0]):
        for p in range(y.size):
            value = method.dense[1, j] * ends[0, p] + method.dense[2, j] * ends[1, p]
            for m in range(inner.shape[0]):
                value += method.dense[3 + m, j] * inner[m, p]
            polynomial[j, p] = method.dense[0, j] * (new[p] - y[p]) + h * value
