"""Resolution of a step: whether laws that may vary rapidly do so unseen between its stages, as a narrow pulse does.

Within a step each such function has to stay near the ranges of two sets of samples, so that one which happens to lie on
a pulse hides nothing. Bounds over an interval prove it, or the interval is divided, from the start of the step on,
until a sample shows that it does not: the step is too long then, and ends before that interval. Of conditions only the
sign matters, so that bounds of one sign suffice.
"""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.kernels.crossing import moment, state_at
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, RapidLaws, Step
from gyrostat.analysis.kernels.progress import DONE, REJECTED, REPEAT, STEP
from gyrostat.analysis.kernels.right_side import set_modes, set_state
from gyrostat.analysis.kernels.switch_search import INNER
from gyrostat.program.translation import call, kernel, rare_kernel

_ROOM = 2.0
"""How far a function may leave the range of the samples of a step, in terms of that range."""
_VISIBLE, _NOISY, _TINY = 1e-6, 10.0, 1e-290
"""The same, in terms of the largest sample and of the rounding error of samples, and the least that counts."""
_BENT, _SHORTER = 0.25, 0.25
"""How far a function may leave a parabola in a step of a multistep method, in terms of its range; the step after it."""
_FINEST = 1e-9
"""The part of a step below which intervals are not divided."""
_MOST = 400
"""The number of intervals after which the search ends."""
_WORTHWHILE = 0.1
"""The least part of a step, resolved when the search ends without an answer, for which the step is repeated."""
_SHORTEST = 1e-6
"""The least part of a step to which it is shortened at once."""
_UNEVEN = 0.5
"""The weight of the third difference of samples of an argument, by which it may leave their cubic polynomial."""


@rare_kernel
def require_resolved(method: Method[Any, Any], equations: Equations, step: Step, progress: Progress) -> int:
    """Return DONE where an accepted step resolves all functions, otherwise REPEAT, with the step to be tried."""
    if not method.control.adaptive:
        return DONE
    if not method.kernels.sketch(method, step):
        method.kernels.interpolate(method, equations, step, progress)
    part = resolved_part(equations, step, False)
    if part >= 1.0:
        return DONE
    progress.clock[STEP] = part * step.h
    progress.counts[REJECTED] += 1
    return REPEAT


@rare_kernel
def resolved_part(equations: Equations, step: Step, multistep: bool) -> float:
    """Return the fraction of a step, by its polynomial, up to which it resolves all functions; 1 for the whole step.

    A multistep method evaluates rates at the ends of a step alone, so that functions have to be even in between.
    """
    rapid = equations.rapid
    samples, left, right = rapid.samples, 0.0, 1.0
    for i in range(rapid.noise.size):
        rapid.noise[i] = 0.0
    _take(equations, step, 0.0, samples[0])
    _take(equations, step, 1.0, samples[3])
    _take_inner(equations, step, 0.0, 1.0)
    _take(equations, step, INNER, samples[4])
    _set_ranges(rapid)
    if multistep and not _is_even(rapid):
        return _SHORTER
    for _ in range(_MOST):
        if _is_bounded(rapid, (right - left) * step.h) or right - left < _FINEST:
            if right >= 1.0:
                return 1.0
            copy(samples[3], samples[0])
            left, right = right, min(1.0, right + 2.0 * (right - left))
            _take(equations, step, right, samples[3])
        elif _leaves(rapid):
            return max(left, _SHORTEST) if left > 0.0 else max(0.25 * right, _SHORTEST)
        else:
            right = left + (right - left) / 3.0
            copy(samples[1], samples[3])
        _take_inner(equations, step, left, right)
    return left if left > _WORTHWHILE else 1.0


@kernel
def _take_inner(equations: Equations, step: Step, left: float, right: float) -> None:
    """Take the samples at both thirds of an interval."""
    third = (right - left) / 3.0
    _take(equations, step, left + third, equations.rapid.samples[1])
    _take(equations, step, right - third, equations.rapid.samples[2])


@rare_kernel
def _take(equations: Equations, step: Step, theta: float, target: Floats) -> None:
    """Write the arguments at a fraction of a step, and behind them the values of the functions."""
    rapid, middle = equations.rapid, step.t + 0.5 * step.h
    n = rapid.arguments.size
    if theta >= 1.0:
        set_state(equations, step.reached, middle, step.new)
    else:
        state_at(step.start, step.polynomial, theta, equations.rotations, rapid.step, rapid.state)
        set_state(equations, moment(step.t, step.reached, theta), middle, rapid.state)
    set_modes(equations)
    call(rapid.signals, equations.x.ctypes.data, rapid.arguments.ctypes.data)
    copy(equations.x, rapid.row)
    box, first = rapid.row, rapid.row.size - 4 * n
    for i in range(n):
        target[i] = rapid.arguments[i]
        box[first + i], box[first + n + i] = rapid.arguments[i], rapid.arguments[i]
        box[first + 2 * n + i], box[first + 3 * n + i] = 0.0, 0.0
    call(rapid.bounds, rapid.row.ctypes.data, rapid.found.ctypes.data)
    count = rapid.conditions.size
    for i in range(count):
        target[n + i] = 0.5 * (rapid.found[i] + rapid.found[count + i])
        rapid.noise[i] = max(rapid.noise[i], rapid.found[count + i] - rapid.found[i])


@kernel
def _set_ranges(rapid: RapidLaws) -> None:
    """Set the range in which each function has to stay, by both sets of samples."""
    n = rapid.arguments.size
    for i in range(rapid.conditions.size):
        begin, first, second = rapid.samples[0, n + i], rapid.samples[1, n + i], rapid.samples[2, n + i]
        end, inner = rapid.samples[3, n + i], rapid.samples[4, n + i]
        seen = max(abs(begin), abs(first), abs(second), abs(end), abs(inner))
        least = _VISIBLE * seen + _NOISY * rapid.noise[i] + _TINY
        low, high = min(begin, first, second, end), max(begin, first, second, end)
        rapid.low[i], rapid.high[i] = low - _ROOM * (high - low), high + _ROOM * (high - low)
        low, high = min(begin, inner, end), max(begin, inner, end)
        rapid.low[i] = max(rapid.low[i], low - _ROOM * (high - low)) - least
        rapid.high[i] = min(rapid.high[i], high + _ROOM * (high - low)) + least


@kernel
def _is_even(rapid: RapidLaws) -> bool:
    """Return whether functions at the thirds of a step are near the parabola through the other three samples."""
    n = rapid.arguments.size
    for i in range(rapid.conditions.size):
        begin, inner, end = rapid.samples[0, n + i], rapid.samples[4, n + i], rapid.samples[3, n + i]
        bend = (inner - begin - INNER * (end - begin)) / (INNER * (1.0 - INNER))
        low, high = min(begin, inner, end), max(begin, inner, end)
        for k in range(1, 3):
            theta, value = k / 3.0, rapid.samples[k, n + i]
            parabola = begin + theta * (end - begin) + theta * (1.0 - theta) * bend
            allowed = _BENT * (max(high, value) - min(low, value)) + _VISIBLE * max(abs(low), abs(high))
            if abs(value - parabola) > allowed + _NOISY * rapid.noise[i] and rapid.conditions[i] == 0.0:
                return False
    return True


@kernel
def _is_bounded(rapid: RapidLaws, width: float) -> bool:
    """Return whether all functions stay in their ranges over the interval of the samples, or do not change sign."""
    n, count = rapid.arguments.size, rapid.conditions.size
    _set_bounds(rapid, width)
    for i in range(count):
        low, high = rapid.found[i], rapid.found[count + i]
        if rapid.conditions[i] > 0.0 and (low > 0.0 or high < 0.0):
            continue
        if low >= rapid.low[i] and high <= rapid.high[i]:
            continue
        falling, rising = rapid.found[2 * count + i], rapid.found[3 * count + i]
        for part in range(3):
            begin, end = rapid.samples[part, n + i], rapid.samples[part + 1, n + i]
            if not _stays(begin, end, falling, rising, width / 3.0, rapid.low[i], rapid.high[i]):
                return False
    return True


@kernel
def _stays(begin: float, end: float, falling: float, rising: float, width: float, low: float, high: float) -> bool:
    """Return whether a function between two values, with bounds of its rate, stays between two limits."""
    if not (falling > -1e300 and rising < 1e300):
        return False
    deepest, highest = min(begin, end), max(begin, end)
    if falling < 0.0 and rising > 0.0:
        deepest = min(deepest, (begin * rising - end * falling + width * falling * rising) / (rising - falling))
        highest = max(highest, (end * rising - begin * falling - width * falling * rising) / (rising - falling))
    return deepest >= low and highest <= high


@kernel
def _leaves(rapid: RapidLaws) -> bool:
    """Return whether a sample shows a function outside of its range."""
    n, found = rapid.arguments.size, False
    for i in range(rapid.conditions.size):
        for k in range(1, 4):
            value = rapid.samples[k, n + i]
            found = found or value < rapid.low[i] or value > rapid.high[i]
    return found


@kernel
def _set_bounds(rapid: RapidLaws, width: float) -> None:
    """Write bounds of all functions and their rates over the interval of the samples into `found`.

    The arguments are cubic polynomials through their four samples, within the hull of Bézier's control points.
    """
    n, box, samples = rapid.arguments.size, rapid.row, rapid.samples
    first = box.size - 4 * n
    for i in range(n):
        a, b, c, d = samples[0, i], samples[1, i], samples[2, i], samples[3, i]
        second, third = (18.0 * b - 5.0 * a - 9.0 * c + 2.0 * d) / 6.0, (2.0 * a - 9.0 * b + 18.0 * c - 5.0 * d) / 6.0
        uneven = _UNEVEN * abs(d - 3.0 * c + 3.0 * b - a)
        box[first + i] = min(a, b, c, d, second, third) - uneven
        box[first + n + i] = max(a, b, c, d, second, third) + uneven
        begin, middle, end = 3.0 * (second - a) / width, 3.0 * (third - second) / width, 3.0 * (d - third) / width
        box[first + 2 * n + i] = min(begin, middle, end) - 3.0 * uneven / width
        box[first + 3 * n + i] = max(begin, middle, end) + 3.0 * uneven / width
    call(rapid.bounds, rapid.row.ctypes.data, rapid.found.ctypes.data)
