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
from gyrostat.analysis.kernels.impulse_response import push, rate_along
from gyrostat.analysis.kernels.moreau_tables import (
    FRICTION,
    MOBILITY,
    TARGET,
    Impulses,
    MoreauStages,
)
from gyrostat.analysis.kernels.problem import Places
from gyrostat.program.translation import kernel, rare_kernel

_PLAIN = 4
"""The number of sweeps before directions of earlier ones are added."""
_PATIENCE = 8
"""The number of sweeps, beside one for each contact, before Newton's method: it costs about as much."""
_BEYOND = 1e-3
"""The part of the tolerance to which Newton's method goes, so that the next sweep confirms it."""
_WHOLE = 8
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
        found.idle[c] = 0
        for k in range(3):
            found.search[c, k] = 0.0
    before, change, patience, confirm = 0.0, 0.0, _PATIENCE + count, False
    for sweep in range(most):
        _keep(found)
        whole = confirm or sweep % _WHOLE == 0 or sweep + 1 == most
        change = _sweep(memory, lone, whole)
        confirm = change <= enough
        if confirm and whole:
            return 0.0
        steepness = _steepness(found)
        if sweep >= _PLAIN:
            _accelerate(memory, lone, steepness / before if before > 0.0 else 2.0)
        before = steepness
        if sweep + 1 == patience:
            patience *= 2
            if improve_impulses(memory, lone, (_BEYOND * enough) ** 2):
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
                    found.idle[c] = 0
                    found.impulses[c, k] += extra
                    push(memory, lone, c, k, extra)


@rare_kernel
def _sweep(memory: MoreauStages, lone: Places, whole: bool) -> float:
    """Correct the impulses of one contact after the other; return the largest change of a speed."""
    found, largest = memory.impulses, 0.0
    for c in range(found.number[0]):
        if found.idle[c] == 1 and not whole:
            continue
        numbers, impulses = found.numbers[c], found.impulses[c]
        wanted = impulses[0] - (rate_along(memory, c, 0) - numbers[TARGET]) / numbers[MOBILITY]
        change = max(wanted, 0.0) - impulses[0]
        if change != 0.0:
            impulses[0] += change
            push(memory, lone, c, 0, change)
            largest = max(largest, abs(change) * numbers[MOBILITY])
        if numbers[FRICTION] > 0.0:
            largest = max(largest, _rub(memory, lone, c))
        found.idle[c] = 1 if wanted < 0.0 and impulses[1] == 0.0 and impulses[2] == 0.0 else 0
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
