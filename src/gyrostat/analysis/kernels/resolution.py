"""Resolution of a step: whether laws that may vary rapidly do so unseen between its stages, as a narrow pulse does.

Within a step each such function has to stay near the ranges of two sets of samples, so that one which happens to lie on
a pulse hides nothing. What errors of the size of the tolerances change is left to the control of the error. Bounds over
an interval prove it, or the interval is divided, from the start of the step on, until a sample shows that it does not:
the step is too long then, and ends before that interval. Of conditions only the sign matters, and bounds of one sign
suffice.
"""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, RapidLaws, Step
from gyrostat.analysis.kernels.progress import DONE, REJECTED, REPEAT, STEP
from gyrostat.analysis.kernels.range_bounds import (
    bound,
    evaluate_at,
    is_within_limits,
    sample_arguments,
    sample_thirds,
    set_box,
)
from gyrostat.analysis.kernels.switch_search import SAMPLE_FRACTION
from gyrostat.program.translation import kernel, rare_kernel

_RANGE_MARGIN = 2.0
"""How far a function may leave the range of the samples of a step, in terms of that range."""
_SAMPLE_MARGIN, _SMALLEST_MARGIN = 1e-6, 1e-290
"""The same, in terms of the largest sample, and the least that counts."""
_ROUNDINGS, _CHANGES = 10.0, 100.0
"""The same, in terms of the rounding error of samples and of their change by errors of the size of the tolerances."""
_INFINITY, _UNDEFINED_NOISE = 1e300, 2e300
"""Values beyond are none; the noise of a function without value at a sample, as of a root beyond its switch."""
_GOLDEN_RATIO = 0.6180339887498949
"""Multiples of it are spread evenly: with their fractions the states of a sample are shifted unevenly."""
_CURVATURE_MARGIN, _STEP_REDUCTION = 0.25, 0.25
"""How far a function may leave a parabola in a step of a multistep method, in terms of its range; the step after it."""
_SMALLEST_INTERVAL = 1e-9
"""The part of a step below which intervals are not divided."""
_SUBDIVISION_LIMIT = 400
"""The number of intervals after which the search ends."""
_SMALLEST_PART = 0.1
"""The least part of a step, resolved when the search ends without an answer, for which the step is repeated."""
_SHORTEST_STEP = 1e-6
"""The least part of a step to which it is shortened at once."""


@rare_kernel
def require_resolved(method: Method[Any, Any], equations: Equations, step: Step, progress: Progress) -> int:
    """Return DONE where an accepted step resolves all functions, otherwise REPEAT, with the step to be tried."""
    if not method.control.adaptive:
        return DONE
    if not method.kernels.sketch(method, step):
        method.kernels.interpolate(method, equations, step, progress)
    part = resolved_part(equations, step, method.control.relative, method.control.absolute, False)
    if part >= 1.0:
        return DONE
    progress.clock[STEP] = part * step.h
    progress.counts[REJECTED] += 1
    return REPEAT


@rare_kernel
def resolved_part(equations: Equations, step: Step, relative: float, absolute: Floats, multistep: bool) -> float:
    """Return the fraction of a step, by its polynomial, up to which it resolves all functions; 1 for the whole step.

    The tolerance of each state is absolute + relative · |y|. A multistep method evaluates rates at the ends of a step
    alone, so that functions have to be even in between.
    """
    rapid = equations.rapid
    samples = rapid.samples
    sample_arguments(equations, rapid, step, 0.0, samples[0])
    sample_arguments(equations, rapid, step, 1.0, samples[3])
    sample_thirds(equations, rapid, step, 0.0, 1.0)
    for i in range(rapid.noise.size):
        rapid.noise[i] = 0.0
    set_box(rapid, step.h)
    bound(rapid, False)
    if not multistep and _is_within(rapid):
        return 1.0
    _take_shifted(equations, step, relative, absolute, samples[4])
    _set_changes(rapid)
    if not multistep and _is_within(rapid):
        return 1.0
    _add_rounding(rapid)
    _set_ranges(rapid)
    sample_arguments(equations, rapid, step, SAMPLE_FRACTION, samples[4])
    if multistep and not _is_even(rapid):
        return _STEP_REDUCTION
    return _searched_part(equations, step)


@rare_kernel
def _searched_part(equations: Equations, step: Step) -> float:
    """Divide a step, with samples at its ends and thirds, until bounds or samples decide up to where it is resolved."""
    rapid = equations.rapid
    samples, left, right = rapid.samples, 0.0, 1.0
    for _ in range(_SUBDIVISION_LIMIT):
        if _is_bounded(rapid, (right - left) * step.h) or right - left < _SMALLEST_INTERVAL:
            if right >= 1.0:
                return 1.0
            copy(samples[3], samples[0])
            left, right = right, min(1.0, right + 2.0 * (right - left))
            sample_arguments(equations, rapid, step, right, samples[3])
        elif _leaves(rapid):
            return max(left, _SHORTEST_STEP) if left > 0.0 else max(0.25 * right, _SHORTEST_STEP)
        else:
            right = left + (right - left) / 3.0
            copy(samples[1], samples[3])
        sample_thirds(equations, rapid, step, left, right)
    return left if left > _SMALLEST_PART else 1.0


@kernel
def _take_shifted(equations: Equations, step: Step, relative: float, absolute: Floats, target: Floats) -> None:
    """Take a sample at the end of a step, with each state shifted by half its tolerance to one and a half of it."""
    shifted, part = equations.rapid.state, 0.0
    for i in range(shifted.size):
        part += _GOLDEN_RATIO
        if part >= 1.0:
            part -= 1.0
        size = (absolute[i] + relative * abs(step.new[i])) * (0.5 + part)
        shifted[i] = step.new[i] + (size if 2 * (i // 2) == i else -size)
    evaluate_at(equations, equations.rapid, step, step.reached, shifted, target)


@kernel
def _set_changes(rapid: RapidLaws) -> None:
    """Set the change of each function by errors of the size of the tolerances as noise."""
    n = rapid.box.shape[1]
    for i in range(rapid.conditions.size):
        change = _CHANGES * abs(rapid.samples[4, n + i] - rapid.samples[3, n + i])
        rapid.noise[i] = change if change < _INFINITY else 0.0


@rare_kernel
def _add_rounding(rapid: RapidLaws) -> None:
    """Add the rounding errors of the samples of each function to its noise."""
    box = rapid.box
    for k in range(4):
        for i in range(box.shape[1]):
            box[0, i], box[1, i] = rapid.samples[k, i], rapid.samples[k, i]
        bound(rapid, False)
        for i in range(rapid.conditions.size):
            rounding = _ROUNDINGS * (rapid.found[1, i] - rapid.found[0, i])
            if rounding < _INFINITY:
                rapid.noise[i] = max(rapid.noise[i], rounding)


@kernel
def _set_ranges(rapid: RapidLaws) -> None:
    """Set the range in which each function has to stay, by its samples at the ends and each of the thirds of a step."""
    n = rapid.box.shape[1]
    for i in range(rapid.conditions.size):
        begin, first, second = rapid.samples[0, n + i], rapid.samples[1, n + i], rapid.samples[2, n + i]
        end = rapid.samples[3, n + i]
        if not abs(begin) + abs(first) + abs(second) + abs(end) < _INFINITY:
            rapid.noise[i] = _UNDEFINED_NOISE
        least = _SAMPLE_MARGIN * max(abs(begin), abs(first), abs(second), abs(end)) + rapid.noise[i] + _SMALLEST_MARGIN
        low, high = min(begin, first, end), max(begin, first, end)
        rapid.low[i], rapid.high[i] = low - _RANGE_MARGIN * (high - low), high + _RANGE_MARGIN * (high - low)
        low, high = min(begin, second, end), max(begin, second, end)
        rapid.low[i] = max(rapid.low[i], low - _RANGE_MARGIN * (high - low)) - least
        rapid.high[i] = min(rapid.high[i], high + _RANGE_MARGIN * (high - low)) + least


@kernel
def _is_even(rapid: RapidLaws) -> bool:
    """Return whether functions at the thirds of a step are near the parabola through the other three samples."""
    n = rapid.box.shape[1]
    for i in range(rapid.conditions.size):
        begin, inner, end = rapid.samples[0, n + i], rapid.samples[4, n + i], rapid.samples[3, n + i]
        bend = (inner - begin - SAMPLE_FRACTION * (end - begin)) / (SAMPLE_FRACTION * (1.0 - SAMPLE_FRACTION))
        low, high = min(begin, inner, end), max(begin, inner, end)
        for k in range(1, 3):
            theta, value = k / 3.0, rapid.samples[k, n + i]
            parabola = begin + theta * (end - begin) + theta * (1.0 - theta) * bend
            allowed = _CURVATURE_MARGIN * (max(high, value) - min(low, value)) + _SAMPLE_MARGIN * max(
                abs(low), abs(high)
            )
            if abs(value - parabola) > allowed + rapid.noise[i] and rapid.conditions[i] == 0.0:
                return False
    return True


@kernel
def _is_within(rapid: RapidLaws) -> bool:
    """Return whether the bounds found of all functions lie in their ranges, or have one sign."""
    _set_ranges(rapid)
    for i in range(rapid.conditions.size):
        low, high = rapid.found[0, i], rapid.found[1, i]
        if rapid.noise[i] >= _INFINITY or (low >= rapid.low[i] and high <= rapid.high[i]):
            continue
        if not (rapid.conditions[i] > 0.0 and (low > 0.0 or high < 0.0)):
            return False
    return True


@kernel
def _is_bounded(rapid: RapidLaws, width: float) -> bool:
    """Return whether all functions stay in their ranges over the interval of the samples, or do not change sign."""
    n = rapid.box.shape[1]
    set_box(rapid, width)
    bound(rapid, True)
    for i in range(rapid.conditions.size):
        low, high = rapid.found[0, i], rapid.found[1, i]
        if rapid.conditions[i] > 0.0 and (low > 0.0 or high < 0.0):
            continue
        if rapid.noise[i] >= _INFINITY or (low >= rapid.low[i] and high <= rapid.high[i]):
            continue
        falling, rising = rapid.found[2, i], rapid.found[3, i]
        for part in range(3):
            begin, end = rapid.samples[part, n + i], rapid.samples[part + 1, n + i]
            if not is_within_limits(begin, end, falling, rising, width / 3.0, rapid.low[i], rapid.high[i]):
                return False
    return True


@kernel
def _leaves(rapid: RapidLaws) -> bool:
    """Return whether a sample shows a function outside of its range."""
    n, found = rapid.box.shape[1], False
    for i in range(rapid.conditions.size):
        for k in range(1, 4):
            value = rapid.samples[k, n + i]
            found = found or value < rapid.low[i] or value > rapid.high[i]
    return found
