"""The frame of a step, for all loops: stops before it; checkpoint, outputs and events on its polynomial after it."""

from __future__ import annotations

from gyrostat.analysis.kernels.crossing import moment, state_at
from gyrostat.analysis.kernels.event_search import NO_ROOM, ends_step, has_direction, search_events
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import Equations, Floats, Places, Progress, Step
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    BREAK,
    BREAK_TOLERANCE,
    CHECKPOINTS,
    CROWDED,
    CROWDED_OUT,
    END,
    FIXED_STEPS,
    LOGGED,
    OUTPUT,
    ROUGH,
    STEP,
    STEPS,
    STRIDE,
    TIME,
    WHOLE,
    WORK,
)
from gyrostat.analysis.kernels.right_side import evaluate_events, set_modes, set_state
from gyrostat.analysis.kernels.run_record import Log, RunRecord, Watch
from gyrostat.program.translation import kernel, rare_kernel

_TIME_TOLERANCE = 1e-15
"""An output so soon after an event, in terms of the time, is at its time: the state is that before it."""


# --- before a step ---------------------------------------------------------------------------------------------------


@kernel
def is_full(record: RunRecord, counts: Places) -> bool:
    """Return whether the log lacks room for the checkpoint of another step."""
    return bool(counts[CHECKPOINTS] >= record.log.checkpoint_times.size)


@kernel
def passed_breaks(breaks: Floats, counts: Places, t: float) -> int:
    """Count breaks up to now as passed; return how many that are since the last call."""
    before = counts[BREAK]
    while counts[BREAK] < breaks.size and breaks[counts[BREAK]] <= t:
        counts[BREAK] += 1
    return int(counts[BREAK] - before)


@kernel
def next_stop(breaks: Floats, counts: Places, end: float) -> float:
    """Return the next time that no step may pass over."""
    return min(end, breaks[counts[BREAK]]) if counts[BREAK] < breaks.size else end


@kernel
def shortly_after(t: float, stop: float) -> float:
    """Return a time in the piece of inputs that begins at t, where there is no step yet."""
    return t + 1e-9 * (stop - t)


@kernel
def start_time(breaks: Floats, counts: Places, t: float, stop: float) -> float:
    """Return the time at which a step from t begins to be evaluated: just after a break, else t itself.

    Breaks lie a few units of rounding before the instant at which formulas of time change.
    """
    place = counts[BREAK]
    if place > 0 and breaks[place - 1] == t:
        return t + 7e-15 * abs(t) + 1e-15 * (stop - t)
    return t


@kernel
def fixed_step_end(clock: Floats, counts: Places, stop: float) -> float:
    """Return the end of a step on the grid of fixed steps since the last stop or event, or the stop."""
    reached = clock[ANCHOR] + (counts[FIXED_STEPS] + 1) * clock[STEP]
    return stop if reached >= stop - 1e-10 * clock[STEP] else reached


@rare_kernel
def begin_watch(equations: Equations, record: RunRecord, y: Floats, t: float, within: float) -> None:
    """Evaluate the event functions at the start of a step that does not follow another."""
    if record.watch.sides.size > 0:
        evaluate_events(equations, t, within, y, record.room.start)
        _take_sides(record.watch, record.room.start)


@rare_kernel
def returns_across(equations: Equations, record: RunRecord, y: Floats, t: float, within: float) -> bool:
    """Tell whether an event function that acts moved away from zero at the start of a step, and has crossed it by y."""
    watch, start, found = record.watch, record.room.start, record.room.found
    count = watch.sides.size
    evaluate_events(equations, t, within, y, found)
    for i in range(count):
        side = watch.sides[i]
        fallen = side * found[i] < min(side * start[i], 0.0)
        if watch.active[i] != 0 and side * start[count + i] > 0.0 and fallen:
            return True
    return False


# --- after a step ----------------------------------------------------------------------------------------------------


@kernel
def count_step(log: Log, progress: Progress, step: float) -> None:
    """Count a step that begins at the present time and state, and make it a checkpoint where its turn has come."""
    counts = progress.counts
    if counts[STEPS] % counts[STRIDE] == 0:
        place = counts[CHECKPOINTS]
        log.checkpoint_times[place], log.checkpoint_steps[place] = progress.clock[TIME], step
        if progress.clock[ROUGH] == progress.clock[TIME]:
            log.checkpoint_steps[place] = -step
        log.checkpoint_works[place] = progress.clock[WORK]
        copy(progress.y, log.checkpoint_states[place])
        counts[CHECKPOINTS] += 1
    counts[STEPS] += 1


@kernel
def due(grid: Floats, counts: Places, reached: float) -> bool:
    """Return whether there is an output up to a time."""
    return bool(counts[OUTPUT] < grid.size and grid[counts[OUTPUT]] <= reached)


@rare_kernel
def record_step(equations: Equations, record: RunRecord, progress: Progress, step: Step) -> float:
    """Record events and outputs of a step, on its polynomial.

    Return WHOLE, or the fraction of the step at which an event asks for an action; `step.new` is the state then. Where
    the log lacks room, nothing is recorded and the result is CROWDED_OUT.
    """
    log, room, counts = record.log, record.room, progress.counts
    t, reached, start, rotations = step.t, step.reached, step.start, equations.rotations
    cut, switching = WHOLE, equations.switching
    copy(switching.modes, switching.samples[1])
    if record.watch.sides.size > 0:
        total = search_events(equations, record, counts, step, progress.clock[END])
        if total == NO_ROOM:
            counts[CROWDED] = 1
            return CROWDED_OUT
        cut = _log_events(equations, record, counts, step, total)
    finish = moment(t, reached, cut) if cut >= 0.0 else reached
    together = finish + _TIME_TOLERANCE * abs(finish) if cut >= 0.0 else finish
    if switching.modes.size > 0 and cut < 0.0:
        together = finish + BREAK_TOLERANCE * abs(finish)
    while counts[OUTPUT] < log.grid.size and log.grid[counts[OUTPUT]] <= together:
        place = counts[OUTPUT]
        if log.grid[place] >= reached:
            copy(step.new, log.states[place])
        else:
            theta = (log.grid[place] - t) / step.h
            state_at(start, step.polynomial, theta, rotations, room.step, log.states[place])
        if switching.modes.size > 0:
            record_modes(equations, log.grid[place], log.states[place], log.modes[place])
        counts[OUTPUT] += 1
    if cut >= 0.0:
        state_at(start, step.polynomial, cut, rotations, room.step, step.new)
    for i in range(switching.modes.size):  # modes that leave a sliding mode keep the end of their range
        switching.modes[i] = switching.samples[1, i]
    return cut


@rare_kernel
def record_modes(equations: Equations, t: float, y: Floats, target: Floats) -> None:
    """Write the modes that the motion of a step has at an output, with the inputs as they are recorded there.

    At a jump of an input, these are those after it: sliding modes that it ends take the end of their range.
    """
    switching = equations.switching
    set_state(equations, t, t, y)
    set_modes(equations)
    copy(switching.modes, target)
    for a in range(switching.sizes[0]):
        i = switching.sliding[a]
        target[i] = min(max(target[i], switching.lower[i]), switching.lower[i] + 1.0)


@kernel
def end_step(record: RunRecord, progress: Progress, step: Step, stop: float, cut: float) -> bool:
    """Advance time and state to the end of a step; return whether the run goes on.

    It does not where an event cuts the step at a fraction that is not negative.
    """
    clock, counts = progress.clock, progress.counts
    copy(step.new, progress.y)
    if cut >= 0.0:
        clock[TIME] = clock[ANCHOR] = moment(step.t, step.reached, cut)
        counts[FIXED_STEPS] = 0
        return False
    if record.watch.sides.size > 0:
        copy(record.room.samples[0], record.room.start)
        _take_sides(record.watch, record.room.start)
    advance_clock(clock, counts, step.reached, stop)
    return True


@kernel
def advance_clock(clock: Floats, counts: Places, reached: float, stop: float) -> None:
    """Set the time; the grid of fixed steps begins anew at a stop."""
    counts[FIXED_STEPS] += 1
    if reached == stop:
        clock[ANCHOR], counts[FIXED_STEPS] = reached, 0
    clock[TIME] = reached


@kernel
def _take_sides(watch: Watch, sample: Floats) -> None:
    """Set the unknown sides of event functions, at zero from the rate."""
    count = watch.sides.size
    for i in range(count):
        if watch.sides[i] == 0:
            value = sample[i] if sample[i] != 0.0 else sample[count + i]
            watch.sides[i] = 1 if value > 0.0 else (-1 if value < 0.0 else 0)


@rare_kernel
def _log_events(equations: Equations, record: RunRecord, counts: Places, step: Step, total: int) -> float:
    """Record the crossings behind the log up to the first that asks for an action; return its fraction, or WHOLE.

    Crossings at the same time, to rounding, belong together.
    """
    watch, log = record.watch, record.log
    cut, first = WHOLE, counts[LOGGED]
    together = 1e-14 + 1e-15 * abs(step.t) / (step.reached - step.t)
    for place in range(first, first + total):
        fraction, number = log.event_times[place], log.event_numbers[place]
        if cut >= 0.0 and fraction > cut + together:
            break
        watch.sides[number] = log.event_directions[place]
        if not has_direction(record, place):
            continue
        if cut < 0.0 and ends_step(record, place):
            cut = fraction
        target = counts[LOGGED]
        log.event_times[target] = moment(step.t, step.reached, fraction)
        log.event_numbers[target] = number
        log.event_directions[target] = log.event_directions[place]
        state_at(step.start, step.polynomial, fraction, equations.rotations, record.room.step, log.event_states[target])
        counts[LOGGED] += 1
    return cut
