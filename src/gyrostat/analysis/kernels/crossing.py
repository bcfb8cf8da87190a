"""Location of a zero, or of the turning point, of one event function between two samples of a step."""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import copy, move, normalise
from gyrostat.analysis.kernels.problem import Equations, Floats, Rotations, Step
from gyrostat.analysis.kernels.right_side import evaluate_events, set_modes, set_state
from gyrostat.analysis.kernels.run_record import Room
from gyrostat.program.translation import call, kernel, rare_kernel

NOWHERE = -1.0
_SLIDING_DIFFERENCE = 1e-3
"""The part of a step over which sliding modes are differentiated."""
_DIFFERENCE = 1e-5
"""The part of a step on both sides of a place over which event functions are differentiated."""
_PARABOLAS, _DECREASE_RATIO = 20, 0.9
"""Largest number of parabolas, and the decrease of the value beyond which another one is tried."""
_STEP_FACTOR = 1.001
"""Factor of steps of Newton's method, so that brackets shrink at both ends."""


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
def shorten(polynomial: Floats, theta: float) -> None:
    """Shorten the polynomial of a step to the part up to a fraction θ."""
    factor = 1.0
    for j in range(polynomial.shape[0]):
        factor *= theta
        for i in range(polynomial.shape[1]):
            polynomial[j, i] *= factor


@kernel
def moment(t: float, reached: float, theta: float) -> float:
    """Return the time at a fraction of a step; at its end, exactly the time reached."""
    return reached if theta >= 1.0 else t + theta * (reached - t)


@kernel
def sign_of(value: float) -> int:
    """Return −1, 0 or 1."""
    return 1 if value > 0.0 else (-1 if value < 0.0 else 0)


@rare_kernel
def sample(equations: Equations, room: Room, step: Step, theta: float, found: Floats) -> None:
    """Write the event functions and their rates at a fraction of the step."""
    if room.differenced[0] != 0 or equations.contacts.modes.size > 0:  # loads of contacts have no rates
        _add_differences(equations, room, step, theta, found)
        return
    if equations.switching.sizes[0] > 0:
        _add_mode_rates(equations, room, step, theta, found)
        return
    _find_state(equations, room, step, theta)
    evaluate_events(equations, moment(step.t, step.reached, theta), step.t + 0.5 * step.h, room.state, found)


@rare_kernel
def _find_state(equations: Equations, room: Room, step: Step, theta: float) -> None:
    """Write into `room.state` the state at a fraction of the step; the end is that of the step, to the last digit."""
    if theta >= 1.0:
        copy(step.new, room.state)
    else:
        state_at(step.start, step.polynomial, theta, equations.rotations, room.step, room.state)


@rare_kernel
def _add_differences(equations: Equations, room: Room, step: Step, theta: float, found: Floats) -> None:
    """Write the same where the polynomial of the step does not satisfy the equations of motion: rates along it."""
    low, high = max(theta - _DIFFERENCE, 0.0), min(theta + _DIFFERENCE, 1.0)
    middle, count = step.t + 0.5 * step.h, room.settled.size
    state_at(step.start, step.polynomial, high, equations.rotations, room.step, room.state)
    evaluate_events(equations, moment(step.t, step.reached, high), middle, room.state, found)
    for i in range(count):
        found[count + i] = found[i]
    state_at(step.start, step.polynomial, low, equations.rotations, room.step, room.state)
    evaluate_events(equations, moment(step.t, step.reached, low), middle, room.state, room.other)
    for i in range(count):
        room.other[count + i] = (found[count + i] - room.other[i]) / ((high - low) * step.h)
    _find_state(equations, room, step, theta)
    evaluate_events(equations, moment(step.t, step.reached, theta), middle, room.state, found)
    for i in range(count):
        found[count + i] = room.other[count + i]


@rare_kernel
def _add_mode_rates(equations: Equations, room: Room, step: Step, theta: float, found: Floats) -> None:
    """Write the same while conditions slide: rates include those of the sliding modes, by differences in time."""
    modes, later, count = equations.switching.modes, equations.switching.samples[2], room.settled.size
    change, middle = _SLIDING_DIFFERENCE if theta < 0.5 else -_SLIDING_DIFFERENCE, step.t + 0.5 * step.h
    state_at(step.start, step.polynomial, theta + change, equations.rotations, room.step, room.state)
    set_state(equations, step.t + (theta + change) * step.h, middle, room.state)
    set_modes(equations)
    copy(modes, later)
    _find_state(equations, room, step, theta)
    evaluate_events(equations, moment(step.t, step.reached, theta), middle, room.state, found)
    for i in range(modes.size):
        modes[i] = later[i]
    call(equations.native.events, equations.x.ctypes.data, room.other.ctypes.data)
    for i in range(count):
        found[count + i] += (room.other[i] - found[i]) / (change * step.h)


@kernel
def resolution(step: Step) -> float:
    """Return the smallest difference of fractions that changes the time."""
    return max(4e-16 * max(abs(step.t), abs(step.t + step.h)) / step.h, 1e-15)


@rare_kernel
def locate(equations: Equations, room: Room, step: Step, number: int, left: float, right: float) -> float:
    """Return the fraction, to rounding, at which a function leaves its present side between two others.

    Newton's method from the end of the bracket that is nearer to zero, a little too far so that the zero lies between;
    the middle of the bracket where two such steps have not quartered it. `room.found` is the sample at the left. A
    function that is beyond zero at the left, and returns, leaves where it turns.
    """
    finest, side, count = resolution(step), int(room.now[number]), room.settled.size
    value, rate, place = side * room.found[number], side * room.found[count + number], left
    returning = value <= 0.0 and rate > 0.0
    before, once = 8.0, 4.0
    while right - left > finest:
        width = right - left
        middle = left + 0.5 * width
        if rate < 0.0 and width <= 0.25 * before:
            nearer = place - _STEP_FACTOR * value / (rate * step.h)
            if abs(2.0 * nearer - left - right) < width:
                middle = min(max(nearer, left + 0.4 * finest), right - 0.4 * finest)
        before, once = once, width
        sample(equations, room, step, middle, room.found)
        new = side * room.found[number]
        if abs(new) <= abs(value):
            value, rate, place = new, side * room.found[count + number], middle
        if new > 0.0 or (returning and side * room.found[count + number] > 0.0):
            left = middle
        else:
            right = middle
    return right


@rare_kernel
def turning_point(equations: Equations, room: Room, step: Step, number: int, top: int, error: float) -> float:
    """Return a fraction at which a function that approaches zero and turns is on the other side; NOWHERE if it is not.

    It lies between row 0 of the samples and another. Where the tangents of these meet farther from zero than the error,
    there is none. Otherwise minima of parabolas through three values are followed, beginning where the rate vanishes.
    """
    side, count = int(room.now[number]), room.settled.size
    left, right = room.places[0], room.places[top]
    value0, value1 = side * room.samples[0, number], side * room.samples[top, number]
    rate0, rate1 = side * room.samples[0, count + number], side * room.samples[top, count + number]
    meeting = (value1 - value0 - (right - left) * step.h * rate1) / (rate0 - rate1)
    if value0 + meeting * rate0 > error:
        return NOWHERE
    lowest = left + min(max(rate0 / (rate0 - rate1), 0.05), 0.95) * (right - left)
    sample(equations, room, step, lowest, room.found)
    value = side * room.found[number]
    for again in range(_PARABOLAS):
        if value < 0.0:
            return float(lowest)
        slope0, slope1 = (value - value0) / (lowest - left), (value1 - value) / (right - lowest)
        bend = (slope1 - slope0) / (right - left)
        place = 0.5 * (left + lowest - slope0 / bend)
        if not (bend > 0.0 and abs(2.0 * place - left - right) < right - left and place != lowest):
            return NOWHERE
        sample(equations, room, step, place, room.found)
        new = side * room.found[number]
        done = again > 0 and new >= _DECREASE_RATIO * value
        if new >= value:  # the new place is an end of the bracket
            if place < lowest:
                left, value0 = place, new
            else:
                right, value1 = place, new
        elif place < lowest:
            right, value1, lowest, value = lowest, value, place, new
        else:
            left, value0, lowest, value = lowest, value, place, new
        if done:
            return NOWHERE
    return NOWHERE
