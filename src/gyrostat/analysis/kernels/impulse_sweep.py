"""Impulses of rigid contacts by projected Gauss–Seidel sweeps, accelerated by conjugate gradients.

A sweep takes one contact after the other: its normal impulse so that the gap opens with at least the target rate, not
below zero, then its tangential impulse so that sliding stops, not beyond the cone of friction. Changes of all impulses
in a sweep are taken for a gradient, and directions of sweeps before are added as in the method of conjugate gradients
(Silcowitz-Hansen, Niebe, Erleben 2010).
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.moreau_tables import (
    ALONG_A,
    ALONG_B,
    ARM_A,
    ARM_B,
    AXES,
    FRICTION,
    ITERATIONS,
    LEFT,
    MOBILITY,
    RESIDUAL,
    SIDE_A,
    SIDE_B,
    TARGET,
    Impulses,
    MoreauNumbers,
    MoreauStages,
)
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.translation import kernel, rare_kernel

_PLAIN = 4
"""The number of sweeps before directions of earlier ones are added."""


@rare_kernel
def solve_impulses(numbers: MoreauNumbers, memory: MoreauStages, lone: Places) -> None:
    """Find the impulses of all contacts, from those that are given; motions of bodies change with them."""
    found = memory.impulses
    count = found.number[0]
    for c in range(count):
        for k in range(3):
            found.search[c, k] = 0.0
            if found.impulses[c, k] != 0.0:
                push(memory, lone, c, k, found.impulses[c, k])
    need = _needed_change(memory)
    before, change = 0.0, 0.0
    for sweep in range(numbers.most):
        _keep(found)
        change = _sweep(memory, lone)
        memory.counts[ITERATIONS] += 1.0
        if change <= numbers.tolerance * need:
            memory.counts[RESIDUAL] = max(memory.counts[RESIDUAL], change / need if need > 0.0 else 0.0)
            return
        steepness = _steepness(found)
        if sweep >= _PLAIN:
            _accelerate(memory, lone, steepness / before if before > 0.0 else 2.0)
        before = steepness
    memory.counts[RESIDUAL] = max(memory.counts[RESIDUAL], change / need)
    memory.counts[LEFT] += 1.0


@kernel
def _needed_change(memory: MoreauStages) -> float:
    """Return the largest change of a rate that a contact needs, beside sliding speeds."""
    found, need = memory.impulses, 0.0
    for c in range(found.number[0]):
        need = max(need, found.numbers[c, TARGET] - rate_along(memory, c, 0))
        need = max(need, found.impulses[c, 0] * found.numbers[c, MOBILITY])
    return need


@kernel
def _keep(found: Impulses) -> None:
    for c in range(found.number[0]):
        for k in range(3):
            found.before[c, k] = found.impulses[c, k]


@kernel
def _steepness(found: Impulses) -> float:
    """Return the square of the change of all impulses in a sweep."""
    total = 0.0
    for c in range(found.number[0]):
        for k in range(3):
            total += (found.impulses[c, k] - found.before[c, k]) ** 2
    return total


@kernel
def _accelerate(memory: MoreauStages, lone: Places, beta: float) -> None:
    """Add the direction of earlier sweeps; where sweeps do not converge, begin anew."""
    found = memory.impulses
    for c in range(found.number[0]):
        for k in range(3):
            change = found.impulses[c, k] - found.before[c, k]
            if beta > 1.0:
                found.search[c, k] = 0.0
            else:
                extra = beta * found.search[c, k]
                found.search[c, k] = extra + change
                if extra != 0.0:
                    found.impulses[c, k] += extra
                    push(memory, lone, c, k, extra)


@rare_kernel
def _sweep(memory: MoreauStages, lone: Places) -> float:
    """Correct the impulses of one contact after the other; return the largest change of a speed."""
    found, largest = memory.impulses, 0.0
    for c in range(found.number[0]):
        numbers, impulses = found.numbers[c], found.impulses[c]
        wanted = impulses[0] - (rate_along(memory, c, 0) - numbers[TARGET]) / numbers[MOBILITY]
        change = max(wanted, 0.0) - impulses[0]
        if change != 0.0:
            impulses[0] += change
            push(memory, lone, c, 0, change)
            largest = max(largest, abs(change) * numbers[MOBILITY])
        if numbers[FRICTION] > 0.0:
            largest = max(largest, _rub(memory, lone, c))
    return largest


@kernel
def _rub(memory: MoreauStages, lone: Places, c: int) -> float:
    """Correct the tangential impulse of a contact; return the change of a speed."""
    numbers, impulses = memory.impulses.numbers[c], memory.impulses.impulses[c]
    mobility = numbers[MOBILITY + 1]
    first = impulses[1] - rate_along(memory, c, 1) / mobility
    second = impulses[2] - rate_along(memory, c, 2) / mobility
    size, limit = math.sqrt(first * first + second * second), numbers[FRICTION] * max(impulses[0], 0.0)
    if size > limit:
        first, second = first * limit / size, second * limit / size
    change = max(abs(first - impulses[1]), abs(second - impulses[2]))
    if change > 0.0:
        push(memory, lone, c, 1, first - impulses[1])
        push(memory, lone, c, 2, second - impulses[2])
        impulses[1], impulses[2] = first, second
    return float(change * mobility)


@kernel
def rate_along(memory: MoreauStages, c: int, axis: int) -> float:
    """Return the speed of a's point of a contact relative to b's, along one of its axes."""
    numbers, sides = memory.impulses.numbers[c], memory.impulses.sides[c]
    total = 0.0
    if sides[SIDE_A] >= 0:
        total += _point_speed(memory.twists[sides[SIDE_A]], numbers[ARM_A:], numbers[AXES + 3 * axis :])
    if sides[SIDE_B] >= 0:
        total -= _point_speed(memory.twists[sides[SIDE_B]], numbers[ARM_B:], numbers[AXES + 3 * axis :])
    return total


@kernel
def _point_speed(twist: Floats, arm: Floats, axis: Floats) -> float:
    """Return the speed of a point of a body along an axis."""
    return float(
        axis[0] * (twist[0] + twist[4] * arm[2] - twist[5] * arm[1])
        + axis[1] * (twist[1] + twist[5] * arm[0] - twist[3] * arm[2])
        + axis[2] * (twist[2] + twist[3] * arm[1] - twist[4] * arm[0])
    )


@kernel
def push(memory: MoreauStages, lone: Places, c: int, axis: int, impulse: float) -> None:
    """Change the motions of bodies by an impulse of a contact along one of its axes."""
    numbers, sides = memory.impulses.numbers[c], memory.impulses.sides[c]
    _push_side(
        memory, lone, sides[SIDE_A], numbers[ALONG_A:], numbers[ARM_A:], numbers[AXES + 3 * axis :], axis, impulse
    )
    _push_side(
        memory, lone, sides[SIDE_B], numbers[ALONG_B:], numbers[ARM_B:], numbers[AXES + 3 * axis :], axis, -impulse
    )


@kernel
def _push_side(
    memory: MoreauStages, lone: Places, body: int, along: Floats, arm: Floats, axis: Floats, k: int, impulse: float
) -> None:
    """Change the motion of the body on one side, and of those that are coupled with it."""
    if body < 0:
        return
    if lone[body] < 0:
        for r in range(6):
            memory.twists[body, r] += impulse * along[3 * r + k]
        return
    for other in range(lone.size):
        if lone[other] >= 0:
            for r in range(6):
                memory.twists[other, r] += impulse * coupled_motion(
                    memory, 6 * lone[body], 6 * lone[other] + r, arm, axis
                )


@kernel
def coupled_motion(memory: MoreauStages, load: int, place: int, arm: Floats, axis: Floats) -> float:
    """Return a component of a coupled body's motion by a unit of impulse along an axis at a point of another one."""
    coupled = memory.coupled
    moment_x = arm[1] * axis[2] - arm[2] * axis[1]
    moment_y = arm[2] * axis[0] - arm[0] * axis[2]
    moment_z = arm[0] * axis[1] - arm[1] * axis[0]
    return float(
        coupled[load, place] * axis[0]
        + coupled[load + 1, place] * axis[1]
        + coupled[load + 2, place] * axis[2]
        + coupled[load + 3, place] * moment_x
        + coupled[load + 4, place] * moment_y
        + coupled[load + 5, place] * moment_z
    )
