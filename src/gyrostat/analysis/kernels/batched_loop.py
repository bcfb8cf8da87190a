"""The loop of explicit Runge–Kutta methods with a fixed step, for many motions at once.

All motions have the same times of steps and outputs; they differ in states, parameters and inputs. The rates of all are
evaluated by one call, in SIMD lanes. There are no events and no constraints.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.batch import Batch, FixedMethod
from gyrostat.analysis.kernels.crossing import state_at
from gyrostat.analysis.kernels.input_tables import set_table_inputs
from gyrostat.analysis.kernels.local_coordinates import clear, copy, local_rates, move, normalise
from gyrostat.analysis.kernels.problem import Floats, Places, Rotations
from gyrostat.analysis.kernels.progress import END, OUTPUT, TIME
from gyrostat.analysis.kernels.right_side import set_row
from gyrostat.analysis.kernels.step_record import (
    advance_clock,
    due,
    fixed_step_end,
    next_stop,
    passed_breaks,
    shortly_after,
    start_time,
)
from gyrostat.program.translation import call, flat, kernel


@kernel
def batched_loop(method: FixedMethod, batch: Batch, clock: Floats, counts: Places, steps: int, begins: bool) -> bool:
    """Advance all motions by at most so many steps; return whether the end is reached."""
    y, k = batch.y, batch.k
    stages = method.stages
    step, new = batch.step, batch.new
    turning = batch.rotations.places.shape[0] > 0
    t, end = clock[TIME], clock[END]
    made, fresh = 0, begins
    while made < steps and t < end:
        if passed_breaks(batch.breaks, counts, t) > 0:
            fresh = True
        stop = next_stop(batch.breaks, counts, end)
        if fresh:
            clear(flat(step))
            _write(batch, start_time(batch.breaks, counts, t, stop), shortly_after(t, stop), y)
            _evaluate(batch, step, y, k[0], turning)
            fresh = False
        reached = fixed_step_end(clock, counts, stop)
        width = reached - t
        middle = t + 0.5 * width
        for s in range(1, stages + 1):
            _combine(method.a[s], k, s, width, step)
            _move(batch.rotations, y, step, new, turning)
            if s == stages and turning:
                for row in range(new.shape[0]):
                    normalise(batch.rotations, new[row])
            _write(batch, t + method.c[s] * width, middle, new)
            _evaluate(batch, step, new, k[s], turning)
        if due(batch.grid, counts, reached):
            _record(method, batch, counts, t, reached, turning)
        copy(flat(new), flat(y))
        copy(flat(k[stages]), flat(k[0]))
        if turning:
            clear(flat(step))
            for row in range(y.shape[0]):
                local_rates(step[row], y[row], batch.rotations, k[0, row])
        advance_clock(clock, counts, reached, stop)
        t = reached
        made += 1
    return bool(t >= end)


@kernel
def _write(batch: Batch, t: float, within: float, states: Floats) -> None:
    """Write time, states and the inputs of tables into x."""
    x, tables = batch.x, batch.tables
    for row in range(x.shape[0]):
        set_row(x[row], t, states[row])
    if tables.places.size > 0:
        set_table_inputs(tables, x[0], t, within)
        for row in range(1, x.shape[0]):
            for i in range(tables.places.size):
                x[row, tables.places[i]] = x[0, tables.places[i]]


@kernel
def _evaluate(batch: Batch, step: Floats, states: Floats, rates: Floats, turning: bool) -> None:
    """Write the rates at the rows x; those of rotations in the local coordinates of the step."""
    call(batch.rates, batch.x.ctypes.data, rates.ctypes.data, batch.x.shape[0])
    if turning:
        for row in range(states.shape[0]):
            local_rates(step[row], states[row], batch.rotations, rates[row])


@kernel
def _combine(weights: Floats, k: Floats, count: int, h: float, step: Floats) -> None:
    """Write h Σ weights[j] k[j] over the first so many stages."""
    total, size = flat(step), step.size
    first = True
    for j in range(count):
        weight = weights[j] * h
        if weight == 0.0:
            continue
        stage = flat(k[j])
        if first:
            for i in range(size):
                total[i] = weight * stage[i]
        else:
            for i in range(size):
                total[i] += weight * stage[i]
        first = False
    if first:
        clear(total)


@kernel
def _move(rotations: Rotations, y: Floats, step: Floats, new: Floats, turning: bool) -> None:
    """Write the states that a step leads to."""
    if turning:
        for row in range(y.shape[0]):
            move(y[row], step[row], rotations, new[row])
        return
    start, way, target = flat(y), flat(step), flat(new)
    for i in range(start.size):
        target[i] = start[i] + way[i]


@kernel
def _record(method: FixedMethod, batch: Batch, counts: Places, t: float, reached: float, turning: bool) -> None:
    """Write the states at output times of a step, on its polynomial, after the stages that only this needs."""
    y, k, grid, h = batch.y, batch.k, batch.grid, reached - t
    n, all_stages, degree = y.shape[1], method.a.shape[0], method.dense.shape[1]
    inside = grid[counts[OUTPUT]] < reached
    step, new, stage, polynomial, way = batch.step, batch.new, batch.stage, batch.polynomial, batch.way
    if inside:
        for s in range(method.stages + 1, all_stages):
            _combine(method.a[s], k, s, h, step)
            _move(batch.rotations, y, step, stage, turning)
            _write(batch, t + method.c[s] * h, t + 0.5 * h, stage)
            _evaluate(batch, step, stage, k[s], turning)
    first = counts[OUTPUT]
    while counts[OUTPUT] < grid.size and grid[counts[OUTPUT]] <= reached:
        counts[OUTPUT] += 1
    for row in range(y.shape[0]):
        if inside:
            for j in range(degree):
                for i in range(n):
                    value = 0.0
                    for s in range(all_stages):
                        value += method.dense[s, j] * k[s, row, i]
                    polynomial[j, i] = h * value
        for place in range(first, counts[OUTPUT]):
            if grid[place] >= reached:
                copy(new[row], batch.states[row, place])
            else:
                theta = (grid[place] - t) / h
                state_at(y[row], polynomial, theta, batch.rotations, way, batch.states[row, place])
