"""Zero crossings of event functions within one step, on the step's interpolation polynomial; for every integrator.

An event function is followed by its side of zero. Where its side changes between two samples of the step, the crossing
is bracketed and located; where it does not, but its rate changes sign towards zero and back, the turning point is
examined, so that a pair of crossings is not overlooked.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import move, normalise
from gyrostat.analysis.kernels.problem import SAMPLES, Equations, Floats, Record, Room, Rotations, Step
from gyrostat.analysis.kernels.right_side import evaluate_events
from gyrostat.program.translation import kernel, rare_kernel


@kernel
def state_at(start: Floats, polynomial: Floats, theta: float, rotations: Rotations, step: Floats, y: Floats) -> None:
    """Write into y the state at a fraction θ of the step: motion Σ polynomial[j] θ^(j+1) from its start."""
    degree = polynomial.shape[0]
    for i in range(start.size):
        value = polynomial[degree - 1, i]
        for j in range(degree - 2, -1, -1):
            value = value * theta + polynomial[j, i]
        step[i] = value * theta
    move(start, step, rotations, y)
    normalise(rotations, y)


@kernel
def moment(t: float, reached: float, theta: float) -> float:
    """Return the time at a fraction of a step; at its end, exactly the time reached."""
    return reached if theta >= 1.0 else t + theta * (reached - t)


@rare_kernel
def search_events(equations: Equations, record: Record, step: Step) -> int:
    """Find all crossings in a step and return their number.

    In the room, `samples` holds the functions and their rates at the start in its first row; the others are filled.
    Fractions θ of the step, numbers of events and directions are written in order of time. At most two crossings of one
    event in each part are found. `sides` is not changed.
    """
    sides, room = record.watch.sides, record.room
    samples = room.samples
    for k in range(1, SAMPLES + 1):
        _sample(equations, room, step, k / SAMPLES, samples[k])
    total, count = 0, sides.size
    for i in range(count):
        side = _sign(float(sides[i]))
        for k in range(SAMPLES):
            left, right = k / SAMPLES, (k + 1) / SAMPLES
            after = _sign(samples[k + 1, i])
            if side == 0:
                side = after
                continue
            crossings, turn = 0, right
            if after != side and (after != 0 or _sign(samples[k, i]) == side):
                crossings = 1  # a zero counts as arrival on the other side
            elif after == side and side * samples[k, count + i] < 0 and side * samples[k + 1, count + i] > 0:
                turn = _turning_point(equations, room, step, i, side, left, right)
                _sample(equations, room, step, turn, room.found)
                if _sign(room.found[i]) == -side:
                    crossings = 2
            for c in range(crossings):
                low, high = (left, turn) if c == 0 else (turn, right)
                root = _locate(equations, room, step, i, side, low, high)
                if total < room.fractions.size:
                    _insert(room, total, root, i, -side)
                    total += 1
                side = -side
    return total


@kernel
def _sign(value: float) -> int:
    return 1 if value > 0.0 else (-1 if value < 0.0 else 0)


@rare_kernel
def _sample(equations: Equations, room: Room, step: Step, theta: float, found: Floats) -> None:
    """Write the event functions and their rates at a fraction of the step."""
    state_at(step.start, step.polynomial, theta, equations.rotations, room.step, room.state)
    evaluate_events(equations, moment(step.t, step.reached, theta), step.t + 0.5 * step.h, room.state, found)


@kernel
def time_resolution(step: Step) -> float:
    """Return the smallest difference of fractions that changes the time."""
    return max(4e-16 * max(abs(step.t), abs(step.t + step.h)) / step.h, 1e-15)


@rare_kernel
def _insert(room: Room, total: int, fraction: float, number: int, direction: int) -> None:
    """Insert a crossing so that times stay in order."""
    fractions, numbers, directions = room.fractions, room.numbers, room.directions
    place = total
    while place > 0 and fractions[place - 1] > fraction:
        fractions[place] = fractions[place - 1]
        numbers[place] = numbers[place - 1]
        directions[place] = directions[place - 1]
        place -= 1
    fractions[place], numbers[place], directions[place] = fraction, number, direction


@rare_kernel
def _locate(equations: Equations, room: Room, step: Step, number: int, side: int, left: float, right: float) -> float:
    """Return the first fraction, to rounding, at which the function has left its side: bisection, some 50 samples."""
    resolution = time_resolution(step)
    while right - left > resolution:
        middle = 0.5 * (left + right)
        _sample(equations, room, step, middle, room.found)
        if _sign(room.found[number]) == side:
            left = middle
        else:
            right = middle
    return right


@rare_kernel
def _turning_point(
    equations: Equations, room: Room, step: Step, number: int, side: int, left: float, right: float
) -> float:
    """Return a fraction at which the function is on the other side, or else where it comes nearest to zero."""
    found, resolution = room.found, time_resolution(step)
    count = found.size // 2
    while right - left > 1e3 * resolution:
        middle = 0.5 * (left + right)
        _sample(equations, room, step, middle, found)
        if _sign(found[number]) == -side:
            return middle
        if side * found[count + number] < 0.0:
            left = middle
        else:
            right = middle
    return 0.5 * (left + right)
