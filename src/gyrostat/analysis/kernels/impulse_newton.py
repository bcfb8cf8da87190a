"""Impulses of rigid contacts by Newton's method, where sweeps converge slowly.

With impulses λ, speeds u = W λ + b less their targets, and mobilities m, let z = λ − u/m. The impulses are those of the
contacts where max(z, 0) − λ vanishes along normals, and z cut off at the limit of friction, less λ, in the planes of
contact (Alart and Curnier 1991). These functions are piecewise smooth; their derivatives at one point give a linear
system for all contacts that press.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.impulse_response import push, rate_along
from gyrostat.analysis.kernels.linear_equations import factorise, solve
from gyrostat.analysis.kernels.local_coordinates import clear, copy, is_finite
from gyrostat.analysis.kernels.moreau_tables import (
    ALONG_1,
    ALONG_2,
    FRICTION,
    MOBILITY,
    PRESSES,
    SHARE,
    SLIDES,
    TARGET,
    MoreauStages,
)
from gyrostat.analysis.kernels.problem import Places
from gyrostat.program.translation import flat, kernel, rare_kernel

_STEPS = 40
"""The largest number of steps."""
_COMPLIANCE = 1e-6
"""Compliance of each contact, in terms of its mobility, for the changes in a step: they are determined then where loads
are not. It changes the way to the solution only."""


@rare_kernel
def improve_impulses(memory: MoreauStages, lone: Places, enough: float) -> bool:
    """Make steps of Newton's method from the present impulses until misfits are small enough; keep the best ones found.

    Steps may lead away at first, where contacts change between sticking and sliding: halving them would end there.
    `enough` is a sum of squares of speeds. Return whether the impulses are better than before.
    """
    found, first = memory.impulses, _misfit(memory)
    least = first
    copy(flat(found.impulses), flat(found.search))
    for _ in range(_STEPS):
        count = _list_active(memory)
        if least <= enough or count <= 0 or not _find_change(memory, lone, count):
            break
        for a in range(count):
            for axis in range(3):
                _change(memory, lone, memory.newton.active[a], axis, memory.newton.change[3 * a + axis])
        left = _misfit(memory)
        if left < least:
            least = left
            copy(flat(found.impulses), flat(found.search))
    for c in range(found.number[0]):
        for axis in range(3):
            _change(memory, lone, c, axis, found.search[c, axis] - found.impulses[c, axis])
            found.search[c, axis] = 0.0
    return least < first


@kernel
def _change(memory: MoreauStages, lone: Places, c: int, axis: int, change: float) -> None:
    """Change the impulse of a contact along an axis, and the motions of bodies."""
    if change != 0.0:
        memory.impulses.impulses[c, axis] += change
        push(memory, lone, c, axis, change)


@rare_kernel
def _misfit(memory: MoreauStages) -> float:
    """Return the sum of squares of the changes of speed that single contacts still need."""
    found, total = memory.impulses, 0.0
    for c in range(found.number[0]):
        numbers, impulse = found.numbers[c], found.impulses[c]
        normal = max(_pressed(memory, c), 0.0) - impulse[0]
        total += (normal * numbers[MOBILITY]) ** 2
        if numbers[FRICTION] > 0.0:
            mobility = numbers[MOBILITY + 1]
            first = impulse[1] - rate_along(memory, c, 1) / mobility
            second = impulse[2] - rate_along(memory, c, 2) / mobility
            size, limit = math.sqrt(first * first + second * second), numbers[FRICTION] * max(impulse[0], 0.0)
            share = limit / size if size > limit else 1.0
            total += ((share * first - impulse[1]) ** 2 + (share * second - impulse[2]) ** 2) * mobility**2
    return total


@kernel
def _pressed(memory: MoreauStages, c: int) -> float:
    """Return the normal impulse with which the gap of a contact opens at its target rate, by itself."""
    numbers = memory.impulses.numbers[c]
    return float(memory.impulses.impulses[c, 0] - (rate_along(memory, c, 0) - numbers[TARGET]) / numbers[MOBILITY])


@rare_kernel
def _list_active(memory: MoreauStages) -> int:
    """List contacts that press or have an impulse, with derivatives and misfits.

    Return their number, −1 without room.
    """
    found, newton, count = memory.impulses, memory.newton, 0
    for c in range(found.number[0]):
        numbers, impulse = found.numbers[c], found.impulses[c]
        pressed = _pressed(memory, c)
        if pressed > 0.0 or impulse[0] != 0.0 or impulse[1] != 0.0 or impulse[2] != 0.0:
            if count == newton.active.size:
                return -1
            newton.active[count] = c
            derivatives, misfit = newton.derivatives[count], newton.change[3 * count :]
            mobility = numbers[MOBILITY + 1]
            first, second, share = 0.0, 0.0, 0.0
            if numbers[FRICTION] > 0.0:
                first = impulse[1] - rate_along(memory, c, 1) / mobility
                second = impulse[2] - rate_along(memory, c, 2) / mobility
            size, limit = math.sqrt(first * first + second * second), numbers[FRICTION] * max(impulse[0], 0.0)
            slides = size > limit or limit == 0.0
            if slides and size > 0.0:
                share = limit / size
                derivatives[ALONG_1], derivatives[ALONG_2] = first / size, second / size
            else:
                share = 0.0 if slides else 1.0
                derivatives[ALONG_1], derivatives[ALONG_2] = 0.0, 0.0
            derivatives[PRESSES], derivatives[SLIDES], derivatives[SHARE] = (
                1.0 if pressed > 0.0 else 0.0,
                1.0 if slides else 0.0,
                share,
            )
            misfit[0] = max(pressed, 0.0) - impulse[0]
            misfit[1], misfit[2] = share * first - impulse[1], share * second - impulse[2]
            count += 1
    return count


@rare_kernel
def _find_change(memory: MoreauStages, lone: Places, count: int) -> bool:
    """Replace the misfits by the change of impulses that removes them to first order; return whether there is one."""
    newton, n = memory.newton, 3 * count
    copy(flat(memory.twists), flat(newton.twists))
    clear(flat(memory.twists))
    for b in range(count):
        for axis in range(3):
            push(memory, lone, newton.active[b], axis, 1.0)
            for a in range(count):
                _write_derivatives(memory, a, b, axis)
            push(memory, lone, newton.active[b], axis, -1.0)
    copy(flat(newton.twists), flat(memory.twists))
    if not factorise(newton.matrix, 0, newton.pivots[:n]):
        return False
    solve(newton.matrix, newton.pivots[:n], newton.change)
    return is_finite(newton.change[:n])


@kernel
def _write_derivatives(memory: MoreauStages, a: int, b: int, axis: int) -> None:
    """Write by how much the misfits of one contact fall by a unit of another one's impulse along an axis."""
    newton = memory.newton
    c, derivatives, column = newton.active[a], newton.derivatives[a], newton.matrix[3 * b + axis, 3 * a :]
    numbers = memory.impulses.numbers[c]
    own = 1.0 if a == b else 0.0
    own0, own1, own2 = own if axis == 0 else 0.0, own if axis == 1 else 0.0, own if axis == 2 else 0.0
    normal, first, second = own0, 0.0, 0.0
    if derivatives[PRESSES] > 0.0:
        normal = rate_along(memory, c, 0) / numbers[MOBILITY]
    if derivatives[SHARE] > 0.0:
        first = own1 - rate_along(memory, c, 1) / numbers[MOBILITY + 1]
        second = own2 - rate_along(memory, c, 2) / numbers[MOBILITY + 1]
        if derivatives[SLIDES] > 0.0:
            along = derivatives[ALONG_1] * first + derivatives[ALONG_2] * second
            first, second = first - along * derivatives[ALONG_1], second - along * derivatives[ALONG_2]
    column[0] = normal + _COMPLIANCE * own0
    column[1] = (1.0 + _COMPLIANCE) * own1 - derivatives[SHARE] * first
    column[2] = (1.0 + _COMPLIANCE) * own2 - derivatives[SHARE] * second
    if derivatives[SLIDES] > 0.0 and derivatives[PRESSES] > 0.0:
        column[1] -= numbers[FRICTION] * own0 * derivatives[ALONG_1]
        column[2] -= numbers[FRICTION] * own0 * derivatives[ALONG_2]
