"""Zero crossings of event functions within one step, on the step's interpolation polynomial; for every integrator.

All event functions are sampled together, with their rates: one call of their program for each sample. The step is cut
at output times and at an uneven place. Each part [a, b] is cut once more at m, unevenly, so that no periodic function
looks the same in all samples. There the cubic Hermite interpolant of the ends, H, is compared with the function:

    d = |f(m) − H(m)|,   d' = |ḟ(m) − Ḣ(m)| (b − a),   e = max(d, d'/8).

The interpolants of [a, m] and [m, b] are nearer to a smooth function by a factor of 10 to 30; where the rates, which
are those of the equations of motion, differ from those of the polynomial by a constant, e bounds the error. An
interpolant is trusted where d and d' are small against the function and its change. In terms of its Bernstein
coefficients c₀ … c₃, a part without a change of side has no crossing where c₁ and c₂ are farther from zero than e; a
part with a change of side has one crossing where c₀ … c₃ differ from one to the next by e at least. Otherwise the part
is divided further, for the functions that need it. An interpolant of a function that varies rapidly may fit by chance:
where interval arithmetic has bounds of a function, these have to prove what it shows (`event_bounds`). At the zeros of
guards, where event functions jump, a part is cut on both sides: a sample at the zero itself may belong to either side,
and the next zero may be as near as rounding allows.

Most steps are far from all zeros. Where a step has no output and its own polynomial would take more evaluations, the
functions are first looked at on a cubic polynomial of the states (`exclude_zeros`).

Large steps of a method of low order may have a polynomial far from the equations of motion: then no part is short
enough for rates to fit. After many samples in a step, rates are taken from differences along its polynomial.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.crossing import NOWHERE, locate, resolution, sample, sign_of, turning_point
from gyrostat.analysis.kernels.event_bounds import exclude_crossings, has_bounds, is_proven, is_rounding
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import Equations, Floats, Places, Step
from gyrostat.analysis.kernels.progress import LOGGED, OUTPUT
from gyrostat.analysis.kernels.run_record import GUARD, Room, RunRecord, Watch
from gyrostat.program.translation import kernel, rare_kernel

_LONGEST_PART = 0.6
"""Longest part of a step between samples at output times; a longer one is cut."""
_CUT_FRACTION = 0.53
"""Where it is cut."""
_SPLIT_FRACTION = 0.43
"""Where a part is cut to compare the function with its interpolant."""
_SHORTEST_PART = 2.0**-16
"""Shortest part that is divided further, in terms of the step."""
_CUT_DISTANCE, _CUT_ROUNDINGS = 2.0**-38, 4.0
"""Distance of the cuts from the zero of a guard: in terms of the step, and of the resolution of time."""
_REBOUND_DISTANCE = 1e-10
"""Distance beyond zero, as of a contact that is closed to rounding, from which the way back is no crossing."""
_VALUE_TOLERANCE, _RATE_TOLERANCE, _COEFFICIENT_LIMIT = 0.005, 0.05, 2.0
"""Errors d and d' and largest coefficient, in terms of the function, up to which an interpolant is trusted.

An interpolant of a function that oscillates within the part is steep, and fits by chance only.
"""
_END_ROUNDINGS = 16.0
"""Rounding errors of states in terms of the resolution of time: a zero so near to the end of a run belongs to it."""
_FITTING_SAMPLES, _EFFORT, _EFFORT_OF_CROSSING, _EFFORT_OF_PART = 60, 500, 32, 2
"""Numbers of samples in a step beyond which rates are differences along its polynomial, and functions count as rough;
and the numbers for each crossing and for each part between outputs besides."""

_CHANGE_RATIO = 0.5
"""Change of a function over a step, at its largest rate and in terms of its least value, below which it is far."""

NO_ROOM = -1
_NO_DECISION, _TURNING_POINT = -1, 2


@rare_kernel
def search_events(equations: Equations, record: RunRecord, counts: Places, step: Step, end: float) -> int:
    """Write all crossings of a step behind the log, in order of time; return their number, or NO_ROOM.

    There `event_times` are fractions θ of the step. `room.start` has the samples at its start. The search may end at
    the first crossing that asks for an action; otherwise row 0 of `room.samples` is that at the end of the step. The
    end of the run belongs to it: a zero there, to rounding errors, is a crossing.
    """
    watch, room = record.watch, record.room
    _begin_search(equations, watch, room, step)
    shortest, horizon = max(_SHORTEST_PART, 16.0 * resolution(step)), 1.0
    total, top, made, parts = 0, 0, 0, 0
    while room.places[0] < horizon:
        if top == 0:
            room.places[1], room.levels[1] = _next_place(record.log.grid, counts[OUTPUT], step, room.places[0]), 0
            sample(equations, room, step, room.places[1], room.samples[1])
            top, made, parts = 1, made + 1, parts + 1
        left, right = room.places[0], room.places[top]
        effort = made - _EFFORT_OF_CROSSING * total - _EFFORT_OF_PART * parts
        if room.differenced[0] == 0 and effort > _FITTING_SAMPLES:
            room.differenced[0] = 1
            for row in range(top + 1):
                sample(equations, room, step, room.places[row], room.samples[row])
        last = right - left <= shortest or effort > _EFFORT
        settled = False
        split = right
        if last or room.levels[top] != room.levels[0]:
            split = _first_jump(equations, record, step, top, last)
        if split >= right and (last or room.levels[top] != room.levels[0]):
            found = _settle(equations, record, counts, step, top, total, last)
            if found == NO_ROOM:
                return NO_ROOM
            if found > total:
                horizon = _first_cut(record, counts, found)
            total = found
            settled = _are_settled(room, left)
        if split >= 0.0 and split < right:  # the part up to there has not been compared with its interpolant
            room.levels[0] = room.levels[top]
            for side in range(2):  # behind it, and before it
                cut = split + (1 - 2 * side) * _beside(step)
                if cut > left and cut < right:
                    room.places[top + 1], room.levels[top + 1] = cut, room.levels[top]
                    sample(equations, room, step, cut, room.samples[top + 1])
                    top, made = top + 1, made + 1
        elif settled:
            copy(room.samples[top], room.samples[0])
            copy(room.errors[top], room.errors[0])
            room.places[0], room.levels[0] = right, room.levels[top]
            top -= 1
        else:
            room.places[top + 1] = left + _SPLIT_FRACTION * (right - left)
            room.levels[top + 1] = max(room.levels[top], room.levels[0]) + 1
            sample(equations, room, step, room.places[top + 1], room.samples[top + 1])
            _compare(room, step, top)
            top, made = top + 1, made + 1
    for i in range(watch.sides.size):
        if watch.wanted[i] == GUARD:
            watch.sides[i] = room.now[i]
    return _arrive(record, counts, step, total) if horizon >= 1.0 and step.reached >= end else total


@rare_kernel
def exclude_zeros(equations: Equations, record: RunRecord, step: Step, end: float) -> bool:
    """Return whether a cubic polynomial of a step shows that all event functions stay far from zero.

    Samples are at the places at which the search itself begins, so that it would find no more. Row 0 of `room.samples`
    is then that at the end of the step.
    """
    room = record.room
    along = equations.pairs.kernels.present() or equations.contacts.modes.size > 0  # rates are those of the polynomial
    if along or equations.switching.sizes[0] > 0 or step.reached >= end:
        return False
    room.places[0], room.differenced[0] = 0.0, 0
    copy(room.start, room.samples[0])
    for part in range(2):
        right = _CUT_FRACTION if part == 0 else 1.0
        room.places[1] = right
        sample(equations, room, step, right, room.samples[1])
        sample(equations, room, step, room.places[0] + _SPLIT_FRACTION * (right - room.places[0]), room.samples[2])
        _compare(room, step, 1)
        if not _is_far_part(record.watch, room, step):
            return False
        if not exclude_crossings(equations, record.watch, step, room.places[0], right):
            return False
        copy(room.samples[1], room.samples[0])
        room.places[0] = right
    return True


@kernel
def _is_far_part(watch: Watch, room: Room, step: Step) -> bool:
    """Return whether all functions change little, at their rates in a part, against their distance from zero.

    Values and rates at the uneven place, row 2, agree with the interpolant between the ends, rows 0 and 1.
    """
    count = watch.sides.size
    for i in range(count):
        least, change = watch.sides[i] * room.samples[0, i], 0.0
        for row in range(3):
            least = min(least, watch.sides[i] * room.samples[row, i])
            change = max(change, step.h * abs(room.samples[row, count + i]))
        if not (least > 0.0 and change <= _CHANGE_RATIO * least):
            return False
        if not (room.errors[2, i] <= _VALUE_TOLERANCE * least and room.errors[2, count + i] <= _RATE_TOLERANCE * least):
            return False
    return True


@rare_kernel
def _begin_search(equations: Equations, watch: Watch, room: Room, step: Step) -> None:
    """Take over the sides and samples at the start of a step."""
    for i in range(watch.sides.size):
        room.now[i] = watch.sides[i]
        room.settled[i] = 0.0
    copy(room.start, room.samples[0])
    room.places[0], room.levels[0], room.differenced[0] = 0.0, 0, 0
    if equations.pairs.kernels.present():  # rates of functions leave out those of loads that kernels write
        room.differenced[0] = 1
        sample(equations, room, step, 0.0, room.samples[0])


@rare_kernel
def _arrive(record: RunRecord, counts: Places, step: Step, total: int) -> int:
    """Add crossings of functions at the end of a run, to rounding errors; return the number of all, or NO_ROOM."""
    room, shortest = record.room, _END_ROUNDINGS * resolution(step) * step.h
    count = room.settled.size
    for i in range(count):
        value, rate = room.now[i] * room.samples[0, i], room.now[i] * room.samples[0, count + i]
        if record.watch.wanted[i] != GUARD and value > 0.0 and value + rate * shortest <= 0.0:
            if counts[LOGGED] + total >= record.log.event_times.size:
                return NO_ROOM
            room.now[i] = -room.now[i]
            _insert(record, counts[LOGGED], total, 1.0, i)
            total += 1
    return total


@kernel
def _next_place(grid: Floats, output: int, step: Step, left: float) -> float:
    """Return the fraction at which the next part of a step ends: an output time, the end, or a place before."""
    place, beyond = output, grid.size
    while place < beyond:  # the first output after the fraction, by bisection
        middle = (place + beyond) // 2
        if (grid[middle] - step.t) / step.h <= left:
            place = middle + 1
        else:
            beyond = middle
    right = (grid[place] - step.t) / step.h if place < grid.size and grid[place] < step.reached else 1.0
    return left + _CUT_FRACTION * (right - left) if right - left > _LONGEST_PART else right


@kernel
def _beside(step: Step) -> float:
    """Return the distance from the zero of a guard at which event functions are those of one side."""
    return max(_CUT_DISTANCE, _CUT_ROUNDINGS * resolution(step))


@kernel
def _are_settled(room: Room, left: float) -> bool:
    """Return whether all functions are settled in the part that begins here."""
    least = 1.0
    for i in range(room.settled.size):
        least = min(least, room.settled[i])
    return bool(least > left)


@kernel
def _compare(room: Room, step: Step, top: int) -> None:
    """Write the errors of the interpolants of the part up to the row `top`, at the row above it."""
    first, last, middle, errors = room.samples[0], room.samples[top], room.samples[top + 1], room.errors[top + 1]
    width = (room.places[top] - room.places[0]) * step.h
    s, count = _SPLIT_FRACTION, room.settled.size
    s2, r2 = s * s, (1.0 - s) * (1.0 - s)
    for i in range(count):
        change, rate0, rate1 = last[i] - first[i], width * first[count + i], width * last[count + i]
        value = first[i] + s2 * (3.0 - 2.0 * s) * change + s * r2 * rate0 - s2 * (1.0 - s) * rate1
        rate = 6.0 * s * (1.0 - s) * change + (1.0 - s) * (1.0 - 3.0 * s) * rate0 + s * (3.0 * s - 2.0) * rate1
        errors[i], errors[count + i] = abs(middle[i] - value), abs(width * middle[count + i] - rate)


@rare_kernel
def _first_jump(equations: Equations, record: RunRecord, step: Step, top: int, last: bool) -> float:
    """Return the fraction at which the first guard crosses zero in a part, its end where none does.

    It is NOWHERE where the part has to be divided further to tell. Guards that cross together with the first one are on
    their new sides then.
    """
    room, wanted = record.room, record.watch.wanted
    left, right = room.places[0], room.places[top]
    first, crossing = right, -1
    for i in range(room.settled.size):
        if wanted[i] != GUARD or room.settled[i] > left:
            continue
        if room.now[i] == 0:
            room.now[i] = sign_of(room.samples[top, i])
            continue
        crossings, turn = _crossings(room, step, i, top, last), right
        if crossings == _NO_DECISION:
            return NOWHERE
        if crossings == _TURNING_POINT:
            turn = turning_point(equations, room, step, i, top, _error(room, i, top))
            crossings = 1 if turn >= 0.0 else 0
        if crossings > 0:
            copy(room.samples[0], room.found)
            root = locate(equations, room, step, i, left, turn)
            if root <= first:
                first, crossing = root, i
    reach = right
    if crossing >= 0:
        room.now[crossing] = -room.now[crossing]
        reach = min(first + _beside(step), right)
        sample(equations, room, step, reach, room.found)
    for i in range(room.settled.size):
        if wanted[i] == GUARD:
            room.settled[i] = max(room.settled[i], reach)
            if crossing >= 0 and room.found[i] != 0.0:
                room.now[i] = sign_of(room.found[i])
    return float(first)


@rare_kernel
def _settle(
    equations: Equations, record: RunRecord, counts: Places, step: Step, top: int, total: int, last: bool
) -> int:
    """Settle the functions of a part for which that is possible; return the number of all crossings, or NO_ROOM."""
    room, known = record.room, False
    left, right = room.places[0], room.places[top]
    for i in range(room.settled.size):
        if record.watch.wanted[i] == GUARD or room.settled[i] > left:
            continue
        if room.now[i] == 0:
            room.now[i] = sign_of(room.samples[top, i])
            room.settled[i] = right
            continue
        crossings, turn = _crossings(room, step, i, top, last), right
        if crossings == _NO_DECISION:
            continue
        if not last and has_bounds(equations, i) and not is_rounding(room, step, i, top):
            proven = is_proven(equations, room, step, i, top, crossings == _TURNING_POINT, known)
            known = True
            if not proven:
                continue
        room.settled[i] = right
        if crossings == _TURNING_POINT:
            turn = turning_point(equations, room, step, i, top, _error(room, i, top))
            crossings = 2 if turn >= 0.0 else 0
        for c in range(crossings):
            if counts[LOGGED] + total >= record.log.event_times.size:
                return NO_ROOM
            if c == 0:
                copy(room.samples[0], room.found)
            low, high = (left, turn) if c == 0 else (turn, right)
            root = locate(equations, room, step, i, low, high)
            room.now[i] = -room.now[i]
            _insert(record, counts[LOGGED], total, root, i)
            total += 1
    return total


@kernel
def _error(room: Room, number: int, top: int) -> float:
    """Return the error e of a function's interpolant in a part: of the sample that was made later at its ends."""
    row = top if room.levels[top] > room.levels[0] else 0
    return float(max(room.errors[row, number], 0.125 * room.errors[row, room.settled.size + number]))


@kernel
def _crossings(room: Room, step: Step, number: int, top: int, last: bool) -> int:
    """Return how often a function crosses zero in a part: 0 or 1, _TURNING_POINT for 0 or 2, or _NO_DECISION."""
    count, side = room.settled.size, int(room.now[number])
    width = (room.places[top] - room.places[0]) * step.h
    row, error = top if room.levels[top] > room.levels[0] else 0, _error(room, number, top)
    of_value, of_rate = room.errors[row, number], room.errors[row, count + number]
    # towards the present side: Bernstein coefficients of the interpolant
    c0, c3 = side * room.samples[0, number], side * room.samples[top, number]
    rate0, rate3 = side * room.samples[0, count + number], side * room.samples[top, count + number]
    c1, c2 = c0 + width * rate0 / 3.0, c3 - width * rate3 / 3.0
    rough = last or is_rounding(room, step, number, top)
    scale = max(abs(c0), abs(c3))
    change = max(scale, width * max(abs(rate0), abs(rate3)))
    good = of_value <= _VALUE_TOLERANCE * scale and of_rate <= _RATE_TOLERANCE * change
    good = good and max(abs(c1), abs(c2)) <= _COEFFICIENT_LIMIT * scale
    if c0 <= 0.0 and min(c0, c3) >= -_REBOUND_DISTANCE and min(rate0, rate3) > 0.0:
        return 0  # closed at the start, and separating
    if c3 < 0.0 or (c3 == 0.0 and c0 > 0.0):  # a zero counts as arrival on the other side
        return 1 if rough or (good and min(c0 - c1, c1 - c2, c2 - c3) >= error) else _NO_DECISION
    if c3 == 0.0 or (good and min(c1, c2) > error):
        return 0
    convex = min(c0 - 2.0 * c1 + c2, c1 - 2.0 * c2 + c3) >= error
    if rate0 < 0.0 and rate3 > 0.0 and (rough or (good and convex)):
        return _TURNING_POINT
    return 0 if rough else _NO_DECISION


@rare_kernel
def _insert(record: RunRecord, first: int, total: int, fraction: float, number: int) -> None:
    """Insert a crossing to the present side behind the log so that times stay in order."""
    times, numbers = record.log.event_times, record.log.event_numbers
    directions, place = record.log.event_directions, first + total
    while place > first and times[place - 1] > fraction:
        times[place] = times[place - 1]
        numbers[place] = numbers[place - 1]
        directions[place] = directions[place - 1]
        place -= 1
    times[place], numbers[place], directions[place] = fraction, number, record.room.now[number]


@rare_kernel
def _first_cut(record: RunRecord, counts: Places, total: int) -> float:
    """Return the fraction of the first crossing that asks for an action, else 1."""
    log, first = record.log, counts[LOGGED]
    for place in range(first, first + total):
        if ends_step(record, place):
            return float(log.event_times[place])
    return 1.0


@kernel
def has_direction(record: RunRecord, place: int) -> bool:
    """Return whether the crossing at a place of the log has the direction that is asked for."""
    wanted = record.watch.wanted[record.log.event_numbers[place]]
    return bool(wanted == 0 or wanted == record.log.event_directions[place])


@kernel
def ends_step(record: RunRecord, place: int) -> bool:
    """Return whether the crossing at a place of the log ends the step."""
    return bool(record.watch.active[record.log.event_numbers[place]] and has_direction(record, place))
