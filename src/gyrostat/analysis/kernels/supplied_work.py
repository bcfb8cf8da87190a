"""Work between checkpoints: the powers of a system and their rates there, and the integral of their interpolation."""

from __future__ import annotations

from gyrostat.analysis.kernels.input_tables import set_table_inputs
from gyrostat.analysis.kernels.power_tables import Checkpoints, PowerNumbers, PowerTables
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.progress import HERMITE_NODES
from gyrostat.analysis.kernels.right_side import set_row
from gyrostat.program.translation import kernel

DIFFERENCE = 1e-6
"""The time on each side of a checkpoint by which powers are differentiated, relative to the shorter step beside it."""
LARGEST_RATIO = 4.0
"""The largest ratio of steps over which one polynomial interpolates."""


@kernel
def add_work(powers: PowerTables, points: Checkpoints, numbers: PowerNumbers, work: Floats) -> None:
    """Write the work from the first checkpoint to each, in smooth pieces between discontinuities."""
    count = points.times.size - 1
    begin, passed = 0, 0
    work[0] = 0.0
    while begin < count:
        while passed < points.breaks.size and points.breaks[passed] <= points.times[begin]:
            passed += 1
        end = begin + 1
        while end < count and not _is_cut(points, end, passed):
            end += 1
        for k in range(begin, end + 1):
            _find_power(powers, points, numbers, begin, end, k)
        _integrate_piece(points, numbers, begin, end, 1 if powers.rates == 0 else 2, work)
        begin = end


@kernel
def _is_cut(points: Checkpoints, k: int, passed: int) -> bool:
    """Return whether powers may jump at a checkpoint: at the next break, or where modes change."""
    cut = passed < points.breaks.size and points.breaks[passed] <= points.times[k]
    for i in range(points.modes.shape[1]):
        cut = cut or points.modes[k, i] != points.modes[k - 1, i]
    return cut


@kernel
def _find_power(powers: PowerTables, points: Checkpoints, numbers: PowerNumbers, begin: int, end: int, k: int) -> None:
    """Write time, power and its rate at a checkpoint of a piece; at the ends of the piece, a little inside."""
    t, course, y, rates = points.times[k], numbers.course, numbers.state, numbers.rates
    before = t - points.times[k - 1] if k > begin else points.times[k + 1] - t
    after = points.times[k + 1] - t if k < end else before
    reach = DIFFERENCE * min(before, after)
    within = t + 0.5 * after if k < end else t - 0.5 * before
    shift = 2.0 * reach if k == begin else (-2.0 * reach if k == end else 0.0)
    for i in range(points.modes.shape[1]):
        powers.x[powers.x.size - points.modes.shape[1] + i] = points.modes[begin, i]
    for i in range(y.size):
        y[i] = points.states[k, i]
    if k == end:
        for i in range(points.held.size):
            y[points.held[i]] = points.states[k - 1, points.held[i]]
    course[0, k] = t + shift
    if powers.rates == 0 and not powers.ropes.kernels.present():
        _evaluate(powers, t + shift, within, y, numbers.power)
        course[1, k] = numbers.power[0]
        return
    if shift != 0.0:
        _find_rates(powers, t + shift, within, y, rates)
        for i in range(y.size):
            y[i] += shift * rates[i]
    _find_rates(powers, t + shift, within, y, rates)
    for i in range(y.size):
        y[i] -= reach * rates[i]
    _evaluate(powers, t + shift - reach, within, y, numbers.power)
    earlier = numbers.power[0]
    for i in range(y.size):
        y[i] += 2.0 * reach * rates[i]
    _evaluate(powers, t + shift + reach, within, y, numbers.power)
    course[1, k] = 0.5 * (earlier + numbers.power[0])
    course[2, k] = (numbers.power[0] - earlier) / (2.0 * reach)


@kernel
def _find_rates(powers: PowerTables, t: float, within: float, y: Floats, found: Floats) -> None:
    """Write the rates at a time and state, with the inputs of tables."""
    _set_row(powers, t, within, y)
    powers.ropes.kernels.rates(powers.rates, powers.ropes.tables, powers.x, y, found)


@kernel
def _evaluate(powers: PowerTables, t: float, within: float, y: Floats, found: Floats) -> None:
    """Write the power at a time and state, with the inputs of tables."""
    _set_row(powers, t, within, y)
    powers.ropes.kernels.power(powers.powers, powers.ropes.tables, powers.x, y, powers.room, found)


@kernel
def _set_row(powers: PowerTables, t: float, within: float, y: Floats) -> None:
    """Write time, state and the inputs of tables into x."""
    set_row(powers.x, t, y)
    if powers.tables.places.size > 0:
        set_table_inputs(powers.tables, powers.x, t, within)


@kernel
def _integrate_piece(
    points: Checkpoints, numbers: PowerNumbers, begin: int, end: int, multiplicity: int, work: Floats
) -> None:
    """Add the work of each step of a piece by a polynomial through the powers of checkpoints about it.

    It is Hermite's with a multiplicity of 2, for powers and their rates, and Lagrange's with 1.
    """
    course, room = numbers.course, numbers.room
    for i in range(begin, end):
        first = _similar_before(course, i, begin)
        count = _similar_after(course, i, end + 1) - first
        _divide_differences(course, first, count, multiplicity, room)
        work[i + 1] = work[i] + _integral(course[0, i], course[0, i + 1], multiplicity * count, numbers.rule, room)
    for i in range(begin + 1, end + 1):  # between the ends of the piece and the places a little inside
        work[i] += (course[0, begin] - points.times[begin]) * course[1, begin]
    work[end] += (points.times[end] - course[0, end]) * course[1, end]


@kernel
def _similar_before(course: Floats, i: int, begin: int) -> int:
    """Return the first node before a step up to which steps are neither far shorter nor longer."""
    h, first = course[0, i + 1] - course[0, i], i
    while first > begin and i - first < HERMITE_NODES // 2 - 1:
        if not _are_similar(course[0, first] - course[0, first - 1], h):
            break
        first -= 1
    return first


@kernel
def _similar_after(course: Floats, i: int, end: int) -> int:
    """Return the node behind those after a step up to which steps are neither far shorter nor longer."""
    h, behind = course[0, i + 1] - course[0, i], i + 2
    while behind < end and behind - i < HERMITE_NODES // 2 + 1:
        if not _are_similar(course[0, behind] - course[0, behind - 1], h):
            break
        behind += 1
    return behind


@kernel
def _are_similar(step: float, other: float) -> bool:
    """Return whether an interpolation over both steps is accurate."""
    return step < LARGEST_RATIO * other and other < LARGEST_RATIO * step


@kernel
def _divide_differences(course: Floats, first: int, count: int, multiplicity: int, room: Floats) -> None:
    """Write places and coefficients of Newton's form, each node once, or twice: for its value and its derivative."""
    for k in range(multiplicity * count):
        node = first + k // multiplicity
        room[0, k], room[1, k] = course[0, node], course[1, node]
    for order in range(1, multiplicity * count):
        for k in range(multiplicity * count - 1, order - 1, -1):
            if multiplicity == 2 and order == 1 and k % 2 == 1:
                room[1, k] = course[2, first + k // 2]
            else:
                room[1, k] = (room[1, k] - room[1, k - 1]) / (room[0, k] - room[0, k - order])


@kernel
def _integral(begin: float, end: float, size: int, rule: Floats, room: Floats) -> float:
    """Return the integral of Newton's form between two places."""
    total = 0.0
    for j in range(rule.shape[1]):
        at = begin + (end - begin) * rule[0, j]
        value = room[1, size - 1]
        for k in range(size - 2, -1, -1):
            value = value * (at - room[0, k]) + room[1, k]
        total += rule[1, j] * value
    return (end - begin) * total
