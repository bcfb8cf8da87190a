"""What loops of all kinds do with a finished step: checkpoints, outputs and events, on the step's polynomial."""

from __future__ import annotations

from gyrostat.analysis.kernels.event_search import moment, search_events, state_at
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import SAMPLES, Floats, Log, Native, Places, Room, Rotations, Tables, Watch
from gyrostat.analysis.kernels.progress import BREAK, CHECKPOINTS, LOGGED, OUTPUT, STEPS, STRIDE
from gyrostat.analysis.kernels.right_side import evaluate_events
from gyrostat.program.translation import kernel, rare_kernel

_TOGETHER = 1e-15
"""An output so soon after an event, in terms of the time, is at its time: the state is that before it."""


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


@rare_kernel
def begin_watch(
    native: Native, tables: Tables, watch: Watch, x: Floats, t: float, within: float, y: Floats, room: Room
) -> None:
    """Learn the event functions at the start of a step that does not follow another."""
    if watch.sides.size > 0:
        evaluate_events(native, tables, x, t, within, y, room.samples[0])
        _take_sides(watch, room.samples[0])


@kernel
def go_on_watching(watch: Watch, room: Room) -> None:
    """Take the end of a step for the start of the next."""
    copy(room.samples[SAMPLES], room.samples[0])
    _take_sides(watch, room.samples[0])


@kernel
def count_step(
    times: Floats, steps: Floats, states: Floats, counts: Places, t: float, next_step: float, y: Floats
) -> None:
    """Count a step that began at a time and state, and make it a checkpoint where its turn has come."""
    if counts[STEPS] % counts[STRIDE] == 0:
        place = counts[CHECKPOINTS]
        times[place], steps[place] = t, next_step
        copy(y, states[place])
        counts[CHECKPOINTS] += 1
    counts[STEPS] += 1


@kernel
def due(grid: Floats, counts: Places, reached: float) -> bool:
    """Return whether there is an output up to a time."""
    return bool(counts[OUTPUT] < grid.size and grid[counts[OUTPUT]] <= reached)


@rare_kernel
def record_step(
    native: Native,
    tables: Tables,
    rotations: Rotations,
    watch: Watch,
    log: Log,
    x: Floats,
    counts: Places,
    t: float,
    reached: float,
    start: Floats,
    polynomial: Floats,
    new: Floats,
    room: Room,
) -> float:
    """Write down events and outputs of a step from t to a time reached, where the state is `new`.

    Return −1, or the fraction of the step at which an event asks for something to be done; `new` is the state then.
    """
    h = reached - t
    cut = -1
    if watch.sides.size > 0:
        total = search_events(
            native, tables, x, t, reached, start, polynomial, rotations, watch.sides, room,
        )  # fmt: skip
        cut = _log_events(watch, log, counts, total, t, reached, start, polynomial, rotations, room)
    finish = moment(t, reached, room.fractions[cut]) if cut >= 0 else reached
    together = finish + _TOGETHER * abs(finish) if cut >= 0 else finish
    while counts[OUTPUT] < log.grid.size and log.grid[counts[OUTPUT]] <= together:
        place = counts[OUTPUT]
        if log.grid[place] >= reached:
            copy(new, log.states[place])
        else:
            theta = (log.grid[place] - t) / h
            state_at(start, polynomial, theta, rotations, room.step, log.states[place])
        counts[OUTPUT] += 1
    if cut < 0:
        return -1.0
    state_at(start, polynomial, room.fractions[cut], rotations, room.step, new)
    return float(room.fractions[cut])


@kernel
def _take_sides(watch: Watch, sample: Floats) -> None:
    """Learn the side of zero of event functions that is not known; of those at zero, from their rate."""
    count = watch.sides.size
    for i in range(count):
        if watch.sides[i] == 0:
            value = sample[i] if sample[i] != 0.0 else sample[count + i]
            watch.sides[i] = 1 if value > 0.0 else (-1 if value < 0.0 else 0)


@rare_kernel
def _log_events(
    watch: Watch,
    log: Log,
    counts: Places,
    total: int,
    t: float,
    reached: float,
    start: Floats,
    polynomial: Floats,
    rotations: Rotations,
    room: Room,
) -> int:
    """Write down the crossings up to the first that something is to be done at; return its number in the list, or −1.

    Crossings at the same time, to rounding, belong together.
    """
    cut = -1
    together = 1e-14 + 1e-15 * abs(t) / (reached - t)
    for c in range(total):
        if cut >= 0 and room.fractions[c] > room.fractions[cut] + together:
            break
        number = room.numbers[c]
        watch.sides[number] = room.directions[c]
        if watch.wanted[number] != 0 and watch.wanted[number] != room.directions[c]:
            continue
        place = counts[LOGGED]
        log.event_times[place] = moment(t, reached, room.fractions[c])
        log.event_numbers[place] = number
        log.event_directions[place] = room.directions[c]
        state_at(start, polynomial, room.fractions[c], rotations, room.step, log.event_states[place])
        counts[LOGGED] += 1
        if watch.active[number] and cut < 0:
            cut = c
    return cut
