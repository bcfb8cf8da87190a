"""Impulses of rigid contacts by projected Gauss–Seidel sweeps, accelerated by conjugate gradients, and Newton's method.

A sweep takes one contact after the other: its normal impulse so that the gap opens with at least the target rate, not
below zero, then its tangential impulse so that sliding stops, not beyond the cone of friction. Changes of all impulses
in a sweep are taken for a gradient, and directions of sweeps before are added as in the method of conjugate gradients
(Silcowitz-Hansen, Niebe, Erleben 2010). The number of sweeps grows with the square of the contacts that press on one
another in a row, and with the ratios of masses; where they are slow, Newton's method takes over (`impulse_newton`).
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.impulse_newton import improve_impulses
from gyrostat.analysis.kernels.impulse_response import are_lone, push, push_lone, rate_along
from gyrostat.analysis.kernels.moreau_tables import (
    ARM_A,
    AXES,
    CROSS,
    FRICTION,
    MOBILITY,
    TARGET,
    Impulses,
    MoreauStages,
)
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.translation import kernel, rare_kernel

_PLAIN_SWEEPS = 4
"""The number of sweeps before directions of earlier ones are added."""
_SWEEP_LIMIT = 8
"""The number of sweeps, beside one for each contact, before Newton's method: it costs about as much."""
_TOLERANCE_SHARE = 1e-3
"""The part of the tolerance to which Newton's method goes, so that the next sweep confirms it."""
_QUIET = 0.1
"""Contacts that change a speed by less than this part of the tolerance are idle."""
_FULL_SWEEP_PERIOD = 8
"""Every so many sweeps one visits all contacts, the others leave out those that were idle; the last one visits all."""


@kernel
def push_all(memory: MoreauStages, lone: Places) -> None:
    """Change the motions of bodies by the impulses of all contacts."""
    found = memory.impulses
    for c in range(found.number[0]):
        for k in range(3):
            if found.impulses[c, k] != 0.0:
                push(memory, lone, c, k, found.impulses[c, k])


@rare_kernel
def solve_impulses(most: int, memory: MoreauStages, lone: Places, enough: float) -> float:
    """Find the impulses of all contacts, from those that are given and are part of the motions of bodies already.

    Sweeps end where they change no speed by more than `enough`, or after `most`. Return the largest change of a speed
    in the last one; zero where it is small enough.
    """
    found = memory.impulses
    count = found.number[0]
    for c in range(count):
        for k in range(3):
            found.search[c, k] = 0.0
    listed = 0
    before, change, patience, confirm = 0.0, 0.0, _SWEEP_LIMIT + count, False
    for sweep in range(most):
        whole = confirm or sweep % _FULL_SWEEP_PERIOD == 0 or sweep + 1 == most
        if whole:
            listed = _list_all(found)
        change = _sweep(memory, lone, listed, _QUIET * enough)
        confirm = change <= enough
        if confirm and whole:
            return 0.0
        steepness = _steepness(found, listed)
        listed = _leave_out_idle(found, listed)
        if sweep >= _PLAIN_SWEEPS:
            _accelerate(memory, lone, listed, steepness / before if before > 0.0 else 2.0)
        before = steepness
        if sweep + 1 == patience:
            patience *= 2
            if improve_impulses(memory, lone, (_TOLERANCE_SHARE * enough) ** 2):
                before = 0.0  # conjugate gradients begin anew
    return change


@kernel
def needed_change(memory: MoreauStages) -> float:
    """Return the largest change of a rate that a contact needs, beside sliding speeds."""
    found, need = memory.impulses, 0.0
    for c in range(found.number[0]):
        need = max(need, found.numbers[c, TARGET] - rate_along(memory, c, 0))
        need = max(need, found.impulses[c, 0] * found.numbers[c, MOBILITY])
    return need


@kernel
def _list_all(found: Impulses) -> int:
    """List all contacts for the next sweep; return their number."""
    for c in range(found.number[0]):
        found.listed[c] = c
    return int(found.number[0])


@kernel
def _leave_out_idle(found: Impulses, listed: int) -> int:
    """Leave contacts out of the list that were idle; return the number of the others."""
    left = 0
    for i in range(listed):
        c = found.listed[i]
        if found.idle[c] == 0:
            found.listed[left] = c
            left += 1
        else:
            for k in range(3):
                found.search[c, k] = 0.0
    return left


@kernel
def _steepness(found: Impulses, listed: int) -> float:
    """Return the square of the change of all impulses in a sweep."""
    total = 0.0
    for i in range(listed):
        c = found.listed[i]
        total += found.changes[c, 0] ** 2 + found.changes[c, 1] ** 2 + found.changes[c, 2] ** 2
    return total


@kernel
def _accelerate(memory: MoreauStages, lone: Places, listed: int, beta: float) -> None:
    """Add the direction of earlier sweeps; where sweeps do not converge, begin anew."""
    found = memory.impulses
    for i in range(listed):
        c = found.listed[i]
        search, changes = found.search[c], found.changes[c]
        if beta > 1.0:
            for k in range(3):
                search[k] = 0.0
        else:
            for k in range(3):
                changes[k] += beta * search[k]
                found.impulses[c, k] += beta * search[k]
                search[k] *= beta
            if search[0] != 0.0 or search[1] != 0.0 or search[2] != 0.0:
                _add(memory, lone, c, search)
            for k in range(3):
                search[k] = changes[k]


@kernel
def _add(memory: MoreauStages, lone: Places, c: int, impulses: Floats) -> None:
    """Change the motions of bodies by impulses of a contact along all of its axes."""
    if are_lone(memory, lone, c):
        push_lone(memory, c, impulses)
    else:
        for k in range(3):
            push(memory, lone, c, k, impulses[k])


@rare_kernel
def _sweep(memory: MoreauStages, lone: Places, listed: int, quiet: float) -> float:
    """Correct the impulses of one contact of the list after the other; return the largest change of a speed.

    Contacts are idle that change a speed by less than `quiet`.
    """
    found, largest = memory.impulses, 0.0
    for i in range(listed):
        c = found.listed[i]
        change = _press_lone(memory, c) if are_lone(memory, lone, c) else _press(memory, lone, c)
        found.idle[c] = 1 if change <= quiet else 0
        largest = max(largest, change)
    return largest


@kernel
def _press_lone(memory: MoreauStages, c: int) -> float:
    """Correct the impulses of a contact of lone bodies or the ground; return the largest change of a speed."""
    numbers, impulses, changes = memory.impulses.numbers[c], memory.impulses.impulses[c], memory.impulses.changes[c]
    axes, sides = numbers[AXES:], memory.impulses.sides[c]
    x, y, z = 0.0, 0.0, 0.0
    for side in range(2):
        if sides[side] >= 0:
            twist, arm, sign = memory.twists[sides[side]], numbers[ARM_A + 3 * side :], 1.0 - 2.0 * float(side)
            x += sign * (twist[0] + twist[4] * arm[2] - twist[5] * arm[1])
            y += sign * (twist[1] + twist[5] * arm[0] - twist[3] * arm[2])
            z += sign * (twist[2] + twist[3] * arm[1] - twist[4] * arm[0])
    opening = axes[0] * x + axes[1] * y + axes[2] * z - numbers[TARGET]
    wanted = impulses[0] - opening / numbers[MOBILITY]
    changes[0] = max(wanted, 0.0) - impulses[0]
    changes[1], changes[2] = 0.0, 0.0
    impulses[0] += changes[0]
    if numbers[FRICTION] > 0.0 and (impulses[0] > 0.0 or impulses[1] != 0.0 or impulses[2] != 0.0):
        first = axes[3] * x + axes[4] * y + axes[5] * z + numbers[CROSS] * changes[0]
        second = axes[6] * x + axes[7] * y + axes[8] * z + numbers[CROSS + 1] * changes[0]
        _rub(numbers, impulses, changes, first, second)
    if changes[0] != 0.0 or changes[1] != 0.0 or changes[2] != 0.0:
        push_lone(memory, c, changes)
    return _largest_change(numbers, changes)


@kernel
def _press(memory: MoreauStages, lone: Places, c: int) -> float:
    """Correct the impulses of a contact with a coupled body; return the largest change of a speed."""
    numbers, impulses, changes = memory.impulses.numbers[c], memory.impulses.impulses[c], memory.impulses.changes[c]
    wanted = impulses[0] - (rate_along(memory, c, 0) - numbers[TARGET]) / numbers[MOBILITY]
    changes[0] = max(wanted, 0.0) - impulses[0]
    changes[1], changes[2] = 0.0, 0.0
    if changes[0] != 0.0:
        impulses[0] += changes[0]
        push(memory, lone, c, 0, changes[0])
    if numbers[FRICTION] > 0.0:
        _rub(numbers, impulses, changes, rate_along(memory, c, 1), rate_along(memory, c, 2))
        for k in range(1, 3):
            if changes[k] != 0.0:
                push(memory, lone, c, k, changes[k])
    return _largest_change(numbers, changes)


@kernel
def _rub(numbers: Floats, impulses: Floats, changes: Floats, along_1: float, along_2: float) -> None:
    """Correct the tangential impulses of a contact, by its sliding speeds."""
    mobility = numbers[MOBILITY + 1]
    first, second = impulses[1] - along_1 / mobility, impulses[2] - along_2 / mobility
    square, limit = first * first + second * second, numbers[FRICTION] * max(impulses[0], 0.0)
    if square > limit * limit:
        share = limit / math.sqrt(square)
        first, second = first * share, second * share
    changes[1], changes[2] = first - impulses[1], second - impulses[2]
    impulses[1], impulses[2] = first, second


@kernel
def _largest_change(numbers: Floats, changes: Floats) -> float:
    """Return the largest change of a speed by changes of impulses."""
    sliding = max(abs(changes[1]), abs(changes[2])) * numbers[MOBILITY + 1]
    return float(max(abs(changes[0]) * numbers[MOBILITY], sliding))
