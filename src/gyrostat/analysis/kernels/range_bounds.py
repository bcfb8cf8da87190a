"""Samples and bounds of functions of the state over an interval of a step.

The arguments of the functions are sampled at both ends and both thirds of the interval. Interval arithmetic over the
ranges of their values and rates bounds the functions and their rates.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.crossing import moment, state_at
from gyrostat.analysis.kernels.problem import Equations, Floats, RapidLaws, Step
from gyrostat.analysis.kernels.right_side import set_modes, set_state
from gyrostat.program.translation import call, kernel, rare_kernel

_DIFFERENCE_WEIGHT = 0.5
"""The weight of the third difference of samples of an argument, by which it may leave their cubic polynomial."""
_RATE_LIMIT = 1e300
"""Bounds of rates beyond are none."""


@kernel
def sample_thirds(equations: Equations, rapid: RapidLaws, step: Step, left: float, right: float) -> None:
    """Take the samples at both thirds of an interval."""
    third = (right - left) / 3.0
    sample_arguments(equations, rapid, step, left + third, rapid.samples[1])
    sample_arguments(equations, rapid, step, right - third, rapid.samples[2])


@rare_kernel
def sample_arguments(equations: Equations, rapid: RapidLaws, step: Step, theta: float, target: Floats) -> None:
    """Write the arguments at a fraction of a step, and behind them the values of the functions."""
    if theta >= 1.0:
        evaluate_at(equations, rapid, step, step.reached, step.new, target)
    else:
        state_at(step.start, step.polynomial, theta, equations.rotations, rapid.step, rapid.state)
        evaluate_at(equations, rapid, step, moment(step.t, step.reached, theta), rapid.state, target)


@kernel
def evaluate_at(equations: Equations, rapid: RapidLaws, step: Step, t: float, y: Floats, target: Floats) -> None:
    """Write the arguments at a state within a step, and behind them the values of the functions."""
    set_state(equations, t, step.t + 0.5 * step.h, y)
    set_modes(equations)
    call(rapid.signals, equations.x.ctypes.data, target.ctypes.data)
    n = rapid.box.shape[1]
    for i in range(rapid.conditions.size):
        begin = rapid.first[i]
        for k in range(rapid.first[i + 1] - begin):
            rapid.own[k] = target[rapid.places[begin + k]]
        call(rapid.programs[i, 0], rapid.own.ctypes.data, rapid.bounds.ctypes.data)
        target[n + i] = rapid.bounds[0]


@kernel
def set_box(rapid: RapidLaws, width: float) -> None:
    """Set the box of the arguments and their rates over the interval of the samples.

    The arguments are cubic polynomials through their four samples, within the hull of Bézier's control points.
    """
    box, samples = rapid.box, rapid.samples
    for i in range(box.shape[1]):
        a, b, c, d = samples[0, i], samples[1, i], samples[2, i], samples[3, i]
        second, third = (18.0 * b - 5.0 * a - 9.0 * c + 2.0 * d) / 6.0, (2.0 * a - 9.0 * b + 18.0 * c - 5.0 * d) / 6.0
        uneven = _DIFFERENCE_WEIGHT * abs(d - 3.0 * c + 3.0 * b - a)
        box[0, i] = min(a, b, c, d, second, third) - uneven
        box[1, i] = max(a, b, c, d, second, third) + uneven
        begin, middle, end = 3.0 * (second - a) / width, 3.0 * (third - second) / width, 3.0 * (d - third) / width
        box[2, i] = min(begin, middle, end) - 3.0 * uneven / width
        box[3, i] = max(begin, middle, end) + 3.0 * uneven / width


@kernel
def bound(rapid: RapidLaws, rates: bool) -> None:
    """Write bounds of all functions over the box, with `rates` of their rates as well, into `found`."""
    for i in range(rapid.conditions.size):
        begin = rapid.first[i]
        count = rapid.first[i + 1] - begin
        for k in range(count):
            place = rapid.places[begin + k]
            for end in range(4):
                rapid.own[end * count + k] = rapid.box[end, place]
        call(rapid.programs[i, 2 if rates else 1], rapid.own.ctypes.data, rapid.bounds.ctypes.data)
        for end in range(4 if rates else 2):
            rapid.found[end, i] = rapid.bounds[end]


@kernel
def is_within_limits(
    begin: float, end: float, falling: float, rising: float, width: float, low: float, high: float
) -> bool:
    """Return whether a function between two values, with bounds of its rate, stays between two limits."""
    if not (falling > -_RATE_LIMIT and rising < _RATE_LIMIT):
        return False
    deepest, highest = min(begin, end), max(begin, end)
    if falling < 0.0 and rising > 0.0:
        deepest = min(deepest, (begin * rising - end * falling + width * falling * rising) / (rising - falling))
        highest = max(highest, (end * rising - begin * falling - width * falling * rising) / (rising - falling))
    return deepest >= low and highest <= high
