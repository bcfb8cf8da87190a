"""The first switch within a step, on its interpolation polynomial.

The margin of a switching function is positive as long as its mode is valid. With modes held, the motion is smooth up to
the switch and beyond, so that values and rates at a few instants tell where margins may become negative; only there are
more samples taken.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.crossing import moment, resolution, shorten, state_at
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import LEAVING, OPEN, SLIDING, Equations, Floats, Progress, Step, Switching
from gyrostat.analysis.kernels.progress import BEGIN, END, STEP
from gyrostat.analysis.kernels.right_side import set_modes, set_state
from gyrostat.analysis.kernels.sliding import evaluate_switches
from gyrostat.program.translation import kernel, rare_kernel

SAMPLE_FRACTION = 0.4372
"""Where in an interval the middle sample lies; not at a half, where a periodic function would show the same value."""
_SMALLEST_INTERVAL, _CROWDED_INTERVAL, _INTERVAL_COUNT = 1e-8, 0.002, 100
"""Intervals shorter than this part of the step are not divided; after many of them, those shorter than the second."""
_DIP = 4.0 / 27.0
"""The largest value of the cubic θ (1 − θ)² on [0, 1]."""
_SLIDING_DIFFERENCE = 1e-3
"""The part of a step over which margins of sliding modes are differentiated."""
_RESOLUTION_TOLERANCE = 0.2
"""The deviation from a cubic polynomial, in terms of the variation, beyond which a step does not resolve a function."""
_SIGN_TOLERANCE = 0.1
"""The deviation from a cubic polynomial, in terms of the values, up to which a change of sign is a single one."""
_STEEPNESS = 0.15
"""The weight of a deviation of the rate over the interval, beside one of the value."""
_CUBIC_STEEPNESS = 1.0
"""The same where the step is sketched by a cubic polynomial, whose own error shows in the rate alone."""
_SHORTEST_STEP = 1e-4
"""The shortest step, in terms of the duration, to which a step is cut so that it resolves all functions."""
_NO_CROSSING, _FIRST_PART, _SECOND_PART, _NO_DECISION = 0, 1, 2, 3


@rare_kernel
def begin_switches(equations: Equations, t: float, within: float, y: Floats) -> None:
    """Evaluate the margins at the start of a step that does not follow another."""
    switching, start = equations.switching, equations.switching.samples[0]
    set_state(equations, t, within, y)
    set_modes(equations)
    evaluate_switches(equations)
    for i in range(switching.modes.size):
        start[switching.modes.size + i] = 0.0
    _margins(switching, 0.0, start)
    for i in range(switching.modes.size):
        start[i] = max(start[i], 0.0)  # at a switch the function is zero to rounding


@rare_kernel
def is_clear(equations: Equations, step: Step) -> bool:
    """Return whether a cubic polynomial of a step shows that no function switches in it.

    In terms of the error of the cubic, a function's rate at the inner sample differs by as much from that along it as
    its value does at the middle. The margins at the end of the step are then those at the start of the next.
    """
    switching = equations.switching
    samples, n = switching.samples, switching.modes.size
    if switching.sizes[0] > 0:
        return False
    _sample(equations, step, 1.0, samples[2])
    _sample(equations, step, SAMPLE_FRACTION, samples[1])
    for i in range(n):
        samples[0, n + i] *= step.h
    found = _judge(switching, SAMPLE_FRACTION, 1.0 - SAMPLE_FRACTION, _CUBIC_STEEPNESS, False)
    for i in range(n):
        samples[0, n + i] /= step.h
        if found == _NO_CROSSING:
            samples[0, i], samples[0, n + i] = samples[2, i], samples[2, n + i] / step.h
    return found == _NO_CROSSING


@rare_kernel
def first_switch(equations: Equations, step: Step, progress: Progress) -> float:
    """Return the fraction of a step at which the first function switches, or −1; its phase is OPEN then.

    A step that does not resolve a function is cut as well, without a switch. Where there is none, the margins at the
    end of the step are those at the start of the next.
    """
    switching = equations.switching
    samples, clock = switching.samples, progress.clock
    n, left, right, known, count = switching.modes.size, 0.0, 1.0, False, 0
    for i in range(n):
        samples[0, n + i] *= step.h
    if switching.sizes[0] > 0:  # changes of sliding modes are known along a step only
        _sample(equations, step, 0.0, samples[0])
        for i in range(n):
            samples[0, i] = max(samples[0, i], 0.0)
    while left < 1.0:
        count += 1
        inner = left + SAMPLE_FRACTION * (right - left)
        if not known:
            _sample(equations, step, right, samples[2])
        _sample(equations, step, inner, samples[1])
        found = _judge(switching, inner - left, right - inner, _STEEPNESS, right - left <= _CROWDED_INTERVAL)
        if found == _NO_DECISION and right - left > (
            _SMALLEST_INTERVAL if count < _INTERVAL_COUNT else _CROWDED_INTERVAL
        ):
            right, known = inner, True
            copy(samples[1], samples[2])
            continue
        if found == _NO_DECISION:
            found = _crossed(switching)
        if found == _FIRST_PART:
            copy(samples[1], samples[2])
            return _locate(equations, step, left, inner)
        if found == _SECOND_PART:
            copy(samples[1], samples[0])
            return _locate(equations, step, inner, right)
        long = right < 1.0 and (right - left) * step.h > _SHORTEST_STEP * (clock[END] - clock[BEGIN])
        if long and _is_unresolved(switching, right - left):
            clock[STEP] = min(clock[STEP], 2.0 * right * step.h)
            return right
        copy(samples[2], samples[0])
        left, right, known = right, min(1.0, right + 2.0 * (right - left)), False
    for i in range(n):
        samples[0, n + i] /= step.h
    return -1.0


@kernel
def _margins(switching: Switching, width: float, target: Floats) -> None:
    """Write the margins of the functions in `found`, and their changes over a width of time; those of sliding modes
    are differences that the target has already.
    """
    n, found, modes = switching.modes.size, switching.found, switching.modes
    for i in range(n):
        value, mode = found[i], modes[i]
        if switching.phases[i] == SLIDING:
            target[i] = (mode - switching.lower[i]) * (1.0 + switching.lower[i] - mode)
            continue
        rate = found[n + i] * (width if width > 0.0 else 1.0)
        if switching.whole[i] > 0.0:
            target[i], target[n + i] = (value - mode) * (1.0 + mode - value), rate * (1.0 + 2.0 * (mode - value))
        elif mode == 0.5:
            target[i], target[n + i] = 1.0 if value == 0.0 else -abs(value), 0.0
        else:
            side = 1.0 if mode > 0.5 else -1.0
            target[i], target[n + i] = side * value + switching.touching.slack[i], side * rate


@rare_kernel
def _sample(equations: Equations, step: Step, theta: float, target: Floats) -> None:
    """Write the margins and their changes per step at a fraction of a step."""
    switching = equations.switching
    n = switching.modes.size
    if switching.sizes[0] > 0:
        change = _SLIDING_DIFFERENCE if theta < 0.5 else -_SLIDING_DIFFERENCE
        _evaluate(equations, step, theta + change)
        for i in range(n):
            if switching.phases[i] == SLIDING:
                near = switching.modes[i] - switching.lower[i]
                target[n + i] = near * (1.0 - near)
        _evaluate(equations, step, theta)
        _margins(switching, step.h, target)
        for i in range(n):
            if switching.phases[i] == SLIDING:
                target[n + i] = (target[n + i] - target[i]) / change
        return
    _evaluate(equations, step, theta)
    _margins(switching, step.h, target)


@kernel
def _evaluate(equations: Equations, step: Step, theta: float) -> None:
    """Write the switching functions at a fraction of a step into `found`."""
    switching, middle = equations.switching, step.t + 0.5 * step.h
    if theta == 1.0:
        set_state(equations, step.reached, middle, step.new)
    else:
        state_at(step.start, step.polynomial, theta, equations.rotations, switching.step, switching.state)
        set_state(equations, moment(step.t, step.reached, theta), middle, switching.state)
    set_modes(equations)
    evaluate_switches(equations)


@rare_kernel
def _judge(switching: Switching, first: float, second: float, steepness: float, fine: bool) -> int:
    """Return whether three samples show that no margin becomes negative between them, or where one does.

    In fine intervals margins are cubic polynomials, but for rounding errors near zero: there samples alone decide.
    """
    samples, n, crossing = switching.samples, switching.modes.size, _NO_CROSSING
    for i in range(n):
        a, b, c = samples[0, i], samples[1, i], samples[2, i]
        slack = 2.0 * _deviation(samples, n, i, first + second, steepness)
        uneven = slack > _SIGN_TOLERANCE * max(abs(a), abs(b), abs(c))
        low = _lowest(a, samples[0, n + i] * first, b, samples[1, n + i] * first, slack)
        high = _lowest(b, samples[1, n + i] * second, c, samples[2, n + i] * second, slack)
        if b < 0.0 or c < 0.0:
            if not (fine and uneven) and (uneven or (b >= 0.0 and low < 0.0)):
                return _NO_DECISION
            crossing = _FIRST_PART if b < 0.0 or crossing == _FIRST_PART else _SECOND_PART
        elif (low < 0.0 or high < 0.0) and not (fine and uneven):
            return _NO_DECISION
    return crossing


@kernel
def _deviation(samples: Floats, n: int, i: int, width: float, steepness: float) -> float:
    """Return by how much the inner sample deviates, by value and rate, from the cubic polynomial through the others."""
    s, rise = SAMPLE_FRACTION, samples[2, i] - samples[0, i]
    bend = (1.0 - s) * samples[0, n + i] * width - s * samples[2, n + i] * width + (2.0 * s - 1.0) * rise
    turn = 2.0 * rise - (samples[0, n + i] + samples[2, n + i]) * width
    value = samples[0, i] + s * rise + s * (1.0 - s) * bend
    rate = rise + (1.0 - 2.0 * s) * bend + s * (1.0 - s) * turn
    return float(abs(samples[1, i] - value) + steepness * abs(samples[1, n + i] * width - rate))


@kernel
def _lowest(a: float, ra: float, b: float, rb: float, slack: float) -> float:
    """Return a lower bound of a margin between two samples, with changes ra and rb per interval."""
    if ra >= 0.0 and b >= a and rb >= 0.0 and max(ra, rb) <= 3.0 * (b - a) and slack <= 0.5 * (b - a):
        return a  # it rises throughout
    bound = min(a, b) - slack
    if ra < 0.0 and rb > 0.0:
        bound -= _DIP * (rb - ra)
    return bound


@kernel
def _crossed(switching: Switching) -> int:
    """Return in which part of the interval a margin has become negative, if one has."""
    n, found = switching.modes.size, _NO_CROSSING
    for i in range(n):
        if switching.samples[1, i] < 0.0:
            return _FIRST_PART
        if switching.samples[2, i] < 0.0:
            found = _SECOND_PART
    return found


@kernel
def _is_unresolved(switching: Switching, width: float) -> bool:
    """Return whether a margin varies much faster than the samples tell."""
    samples, n = switching.samples, switching.modes.size
    for i in range(n):
        a, b, c = samples[0, i], samples[1, i], samples[2, i]
        deviation = _deviation(samples, n, i, width, _STEEPNESS)
        variation = max(a, b, c) - min(a, b, c)
        if deviation > _RESOLUTION_TOLERANCE * variation and 2.0 * deviation > min(a, b, c):
            return True
    return False


@rare_kernel
def _locate(equations: Equations, step: Step, low: float, high: float) -> float:
    """Return the first fraction, to rounding, at which a margin is negative, and make such functions OPEN.

    The first and the last sample are those at both ends. Secants towards the earliest crossing aim a little before or
    beyond it, in turn, so that both ends close in; where they do not, the interval is halved.
    """
    switching, finest = equations.switching, resolution(step)
    samples, n = switching.samples, switching.modes.size
    inside, before, width, slow = False, high, high - low, 0
    while high - low > finest:
        guess = high
        for i in range(n):
            if samples[2, i] < 0.0:
                fall = samples[0, i] - samples[2, i]
                guess = min(guess, low + (high - low) * max(samples[0, i], 0.0) / fall)
        error = max(0.5 * abs(guess - before), 0.5 * finest)
        before = guess
        guess = guess + error if inside else guess - error
        if slow >= 2 or not (guess > low and guess < high):
            guess, slow = 0.5 * (low + high), 0
        _sample(equations, step, guess, samples[1])
        inside = True
        for i in range(n):
            if samples[1, i] < 0.0:
                inside = False
        if inside:
            low = guess
            copy(samples[1], samples[0])
        else:
            high = guess
            copy(samples[1], samples[2])
        slow = slow + 1 if high - low > 0.5 * width else 0
        width = high - low
    _sample(equations, step, high, samples[2])
    for i in range(n):
        if samples[2, i] < 0.0:
            if switching.phases[i] == SLIDING:  # the mode has reached an end of its range
                above = switching.modes[i] > switching.lower[i] + 0.5
                switching.modes[i] = switching.lower[i] + (1.0 if above else 0.0)
                switching.phases[i] = LEAVING
            else:
                switching.phases[i] = OPEN
    return high


@rare_kernel
def truncate(equations: Equations, step: Step, theta: float) -> None:
    """Shorten the polynomial of a step to its first part, and write the state at its end."""
    state_at(step.start, step.polynomial, theta, equations.rotations, equations.switching.step, step.new)
    shorten(step.polynomial, theta)
