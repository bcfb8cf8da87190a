"""Zero-crossings within one step, on the step's interpolation polynomial; usable by every integrator.

An event function is followed by its side of zero. Where its side changes between two samples of the step, the crossing
is bracketed and located; where it does not, but its rate says that it turned round in between, the turning point is
looked at, so that a pair of crossings is not overlooked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.local_coordinates import move, normalise
from gyrostat.analysis.kernels.problem import SAMPLES, Floats, Native, Places, Room, Rotations, Tables
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
def search_events(
    native: Native,
    tables: Tables,
    x: Floats,
    t: float,
    reached: float,
    start: Floats,
    polynomial: Floats,
    rotations: Rotations,
    sides: NDArray[np.int8],
    room: Room,
) -> int:
    """Find all crossings in a step from t to a time reached, and return how many there are.

    In the room, `samples` holds the functions and their rates at the start in its first row; the others are filled.
    Fractions θ of the step, numbers of events and directions are written in order of time. At most two crossings of one
    event in each part are found. `sides` is left alone.
    """
    count, h = sides.size, reached - t
    samples, step, y, found = room.samples, room.step, room.state, room.found
    for k in range(1, SAMPLES + 1):
        state_at(start, polynomial, k / SAMPLES, rotations, step, y)
        evaluate_events(native, tables, x, moment(t, reached, k / SAMPLES), t + 0.5 * h, y, samples[k])
    total = 0
    resolution = max(4e-16 * max(abs(t), abs(t + h)) / h, 1e-15)
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
                turn = _turning_point(
                    native, tables, x, t, h, start, polynomial, rotations, i, side, left, right,
                    resolution, step, y, found,
                )  # fmt: skip
                state_at(start, polynomial, turn, rotations, step, y)
                evaluate_events(native, tables, x, t + h * turn, t + 0.5 * h, y, found)
                if _sign(found[i]) == -side:
                    crossings = 2
            for c in range(crossings):
                low, high = (left, turn) if c == 0 else (turn, right)
                root = _locate(
                    native, tables, x, t, h, start, polynomial, rotations, i, side, low, high,
                    resolution, step, y, found,
                )  # fmt: skip
                if total < room.fractions.size:
                    _insert(root, i, -side, room.fractions, room.numbers, room.directions, total)
                    total += 1
                side = -side
    return total


@kernel
def _sign(value: float) -> int:
    return 1 if value > 0.0 else (-1 if value < 0.0 else 0)


@rare_kernel
def _insert(
    fraction: float,
    number: int,
    direction: int,
    fractions: Floats,
    numbers: Places,
    directions: NDArray[np.int8],
    total: int,
) -> None:
    """Insert a crossing so that times stay in order."""
    place = total
    while place > 0 and fractions[place - 1] > fraction:
        fractions[place] = fractions[place - 1]
        numbers[place] = numbers[place - 1]
        directions[place] = directions[place - 1]
        place -= 1
    fractions[place], numbers[place], directions[place] = fraction, number, direction


@rare_kernel
def _locate(
    native: Native,
    tables: Tables,
    x: Floats,
    t: float,
    h: float,
    start: Floats,
    polynomial: Floats,
    rotations: Rotations,
    number: int,
    side: int,
    left: float,
    right: float,
    resolution: float,
    step: Floats,
    y: Floats,
    found: Floats,
) -> float:
    """Return the first fraction, to rounding, at which the function has left its side: bisection, some 50 samples."""
    while right - left > resolution:
        middle = 0.5 * (left + right)
        state_at(start, polynomial, middle, rotations, step, y)
        evaluate_events(native, tables, x, t + h * middle, t + 0.5 * h, y, found)
        if _sign(found[number]) == side:
            left = middle
        else:
            right = middle
    return right


@rare_kernel
def _turning_point(
    native: Native,
    tables: Tables,
    x: Floats,
    t: float,
    h: float,
    start: Floats,
    polynomial: Floats,
    rotations: Rotations,
    number: int,
    side: int,
    left: float,
    right: float,
    resolution: float,
    step: Floats,
    y: Floats,
    found: Floats,
) -> float:
    """Return a fraction at which the function is on the other side, or else where it comes nearest to zero."""
    count = found.size // 2
    while right - left > 1e3 * resolution:
        middle = 0.5 * (left + right)
        state_at(start, polynomial, middle, rotations, step, y)
        evaluate_events(native, tables, x, t + h * middle, t + 0.5 * h, y, found)
        if _sign(found[number]) == -side:
            return middle
        if side * found[count + number] < 0.0:
            left = middle
        else:
            right = middle
    return 0.5 * (left + right)
