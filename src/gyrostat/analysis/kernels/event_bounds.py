"""Proof that a part of a step has the crossings of an event function that its samples show, by bounds.

An interpolant through samples of a function that varies rapidly may fit by chance. Where bounds of the function over
the part have one sign, it has no crossing; where bounds of its rate have one sign, the sides at the ends tell.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Equations, Step
from gyrostat.analysis.kernels.range_bounds import bound, is_within_limits, sample_arguments, sample_thirds, set_box
from gyrostat.analysis.kernels.run_record import Room, Watch
from gyrostat.program.translation import kernel, rare_kernel

_BOUND_LIMIT = 1e300
"""Values beyond are no bounds."""
_ROUNDING = 1e-14
"""A function of this size consists of rounding errors: it is not followed more finely."""
_RATE_RATIO = 4.0
"""Largest rate within a part with a turning point, in terms of the rates at its ends."""


@kernel
def has_bounds(equations: Equations, event: int) -> bool:
    """Return whether there are bounds of an event function."""
    numbers = equations.event_bounds.numbers
    return bool(event < numbers.size and numbers[event] >= 0)


@rare_kernel
def is_proven(equations: Equations, room: Room, step: Step, event: int, top: int, turning: bool, known: bool) -> bool:
    """Return whether a function crosses zero in a part as its ends show, or only turns there, by its bounds.

    They are known where another function of the same part was asked for before.
    """
    left, right = room.places[0], room.places[top]
    if not known:
        _set_bounds(equations, step, left, right)
    if not turning:
        return _is_decided(equations, event, int(room.now[event]), (right - left) * step.h)
    rate = room.settled.size + event
    return _turns_once(equations, event, max(abs(room.samples[0, rate]), abs(room.samples[top, rate])))


@kernel
def is_rounding(room: Room, step: Step, number: int, top: int) -> bool:
    """Return whether a function consists of rounding errors in a part, by the coefficients of its interpolant."""
    count, width = room.settled.size, (room.places[top] - room.places[0]) * step.h
    c0, c3 = room.samples[0, number], room.samples[top, number]
    c1 = c0 + width * room.samples[0, count + number] / 3.0
    c2 = c3 - width * room.samples[top, count + number] / 3.0
    return bool(max(abs(c0), abs(c1), abs(c2), abs(c3)) <= _ROUNDING)


@rare_kernel
def exclude_crossings(equations: Equations, watch: Watch, step: Step, left: float, right: float) -> bool:
    """Return whether bounds prove, of all functions that have them, that they do not cross zero in a part."""
    if equations.event_bounds.numbers.size == 0:
        return True
    _set_bounds(equations, step, left, right)
    for i in range(watch.sides.size):
        if has_bounds(equations, i) and not _is_decided(equations, i, int(watch.sides[i]), (right - left) * step.h):
            return False
    return True


@rare_kernel
def _set_bounds(equations: Equations, step: Step, left: float, right: float) -> None:
    """Write bounds of all event functions that have them, and of their rates, over a part of a step."""
    bounded = equations.event_bounds.functions
    sample_arguments(equations, bounded, step, left, bounded.samples[0])
    sample_arguments(equations, bounded, step, right, bounded.samples[3])
    sample_thirds(equations, bounded, step, left, right)
    set_box(bounded, (right - left) * step.h)
    bound(bounded, True)


@kernel
def _is_decided(equations: Equations, event: int, side: int, width: float) -> bool:
    """Return whether the ends of the part bounded last, of a width in time, show all crossings of a function."""
    bounded, i = equations.event_bounds.functions, equations.event_bounds.numbers[event]
    n = bounded.box.shape[1]
    if bounded.found[0, i] > 0.0 or bounded.found[1, i] < 0.0:
        return True
    falling, rising = bounded.found[2, i], bounded.found[3, i]
    if falling > 0.0 or rising < 0.0:
        return True
    low, high = (0.0, _BOUND_LIMIT) if side > 0 else (-_BOUND_LIMIT, 0.0)
    for part in range(3):
        begin, end = bounded.samples[part, n + i], bounded.samples[part + 1, n + i]
        if not is_within_limits(begin, end, falling, rising, width / 3.0, low, high):
            return False
    return True


@kernel
def _turns_once(equations: Equations, event: int, steepest: float) -> bool:
    """Return whether a function is hardly steeper, in the part that was bounded last, than at its ends."""
    bounded, i = equations.event_bounds.functions, equations.event_bounds.numbers[event]
    return bool(max(-bounded.found[2, i], bounded.found[3, i]) <= _RATE_RATIO * steepest)
