"""The frame of a step, for all loops: stops before it; checkpoint, outputs and events on its polynomial after it."""

from __future__ import annotations

from gyrostat.analysis.kernels.event_search import moment, search_events, state_at
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import SAMPLES, Equations, Floats, Log, Places, Progress, Record, Step, Watch
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    BREAK,
    CHECKPOINTS,
    FIXED_STEPS,
    LOGGED,
    OUTPUT,
    STEP,
    STEPS,
    STRIDE,
    TIME,
)
from gyrostat.analysis.kernels.right_side import evaluate_events
from gyrostat.program.translation import kernel, rare_kernel

_TOGETHER = 1e-15
"""An output so soon after an event, in terms of the time, is at its time: the state is that before it."""

# --- before a step ---------------------------------------------------------------------------------------------------


@kernel
def is_full(record: Record, counts: Places) -> bool:
    """Return whether the log lacks room for the checkpoint or the events of another step."""
    log = record.log
    most_events = log.event_times.size - record.room.fractions.size
    return bool(counts[CHECKPOINTS] >= log.checkpoint_times.size or counts[LOGGED] > most_events)


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
def begin_watch(equations: Equations, record: Record, y: Floats, t: float, within: float) -> None:
    """Evaluate the event functions at the start of a step that does not follow another."""
    if record.watch.sides.size > 0:
        evaluate_events(equations, t, within, y, record.room.samples[0])
        _take_sides(record.watch, record.room.samples[0])


# --- after a step ----------------------------------------------------------------------------------------------------


@kernel
def count_step(log: Log, progress: Progress, step: float) -> bool:
    """Count a step that begins at the present time and state, and make it a checkpoint where its turn has come.

    Return whether it is one.
    """
    counts = progress.counts
    checkpoint = False
    if counts[STEPS] % counts[STRIDE] == 0:
        place = counts[CHECKPOINTS]
        log.checkpoint_times[place], log.checkpoint_steps[place] = progress.clock[TIME], step
        copy(progress.y, log.checkpoint_states[place])
        counts[CHECKPOINTS] += 1
        checkpoint = True
    counts[STEPS] += 1
    return checkpoint


@kernel
def due(grid: Floats, counts: Places, reached: float) -> bool:
    """Return whether there is an output up to a time."""
    return bool(counts[OUTPUT] < grid.size and grid[counts[OUTPUT]] <= reached)


@rare_kernel
def record_step(equations: Equations, record: Record, progress: Progress, step: Step) -> float:
    """Record events and outputs of a step, on its polynomial.

    Return −1, or the fraction of the step at which an event asks for an action; `step.new` is the state then.
    """
    watch, log, room, counts = record.watch, record.log, record.room, progress.counts
    t, reached, start, rotations = step.t, step.reached, step.start, equations.rotations
    cut = -1
    if watch.sides.size > 0:
        total = search_events(equations, record, step)
        cut = _log_events(equations, record, counts, step, total)
    finish = moment(t, reached, room.fractions[cut]) if cut >= 0 else reached
    together = finish + _TOGETHER * abs(finish) if cut >= 0 else finish
    while counts[OUTPUT] < log.grid.size and log.grid[counts[OUTPUT]] <= together:
        place = counts[OUTPUT]
        if log.grid[place] >= reached:
            copy(step.new, log.states[place])
        else:
            theta = (log.grid[place] - t) / step.h
            state_at(start, step.polynomial, theta, rotations, room.step, log.states[place])
        counts[OUTPUT] += 1
    if cut < 0:
        return -1.0
    state_at(start, step.polynomial, room.fractions[cut], rotations, room.step, step.new)
    return float(room.fractions[cut])


@kernel
def end_step(record: Record, progress: Progress, step: Step, stop: float, cut: float) -> bool:
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
        copy(record.room.samples[SAMPLES], record.room.samples[0])
        _take_sides(record.watch, record.room.samples[0])
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
def _log_events(equations: Equations, record: Record, counts: Places, step: Step, total: int) -> int:
    """Record the crossings up to the first that asks for an action; return its number in the list, or −1.

    Crossings at the same time, to rounding, belong together.
    """
    watch, log, room = record.watch, record.log, record.room
    cut = -1
    together = 1e-14 + 1e-15 * abs(step.t) / (step.reached - step.t)
    for c in range(total):
        if cut >= 0 and room.fractions[c] > room.fractions[cut] + together:
            break
        number = room.numbers[c]
        watch.sides[number] = room.directions[c]
        if watch.wanted[number] != 0 and watch.wanted[number] != room.directions[c]:
            continue
        place, fraction = counts[LOGGED], room.fractions[c]
        log.event_times[place] = moment(step.t, step.reached, fraction)
        log.event_numbers[place] = number
        log.event_directions[place] = room.directions[c]
        state_at(step.start, step.polynomial, fraction, equations.rotations, room.step, log.event_states[place])
        counts[LOGGED] += 1
        if watch.active[number] and cut < 0:
            cut = c
    return cut
