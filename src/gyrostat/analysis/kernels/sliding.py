"""Sliding modes: motion along switching functions that both neighbouring motions lead to (Filippov 1988).

A sliding function stays zero, so that its mode follows from a rate of zero. Rates are affine in the modes: k sliding
modes take k + 1 evaluations of the switching functions and the solution of k linear equations.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats, Switching
from gyrostat.program.translation import call, kernel, rare_kernel

_DEPENDENT = 1e-11
"""A pivot below this, in terms of the largest entry, shows functions whose modes are not determined one by one."""
_SOFTNESS = 1e-8
"""Their modes are kept near the middle by a term of this size in terms of the largest entry: loads are shared."""


@rare_kernel
def slide(switching: Switching, x: Floats) -> None:
    """Set the modes of sliding functions at the time and state in x so that their rates are zero."""
    count, sliding, solution = switching.sizes[0], switching.sliding, switching.solution
    form_equations(switching, x)
    for a in range(count):
        solution[a] = switching.right[a]
    solve_shared(switching.matrix, count, solution)
    for a in range(count):
        switching.modes[sliding[a]] = switching.lower[sliding[a]] + solution[a]


@rare_kernel
def form_equations(switching: Switching, x: Floats) -> None:
    """Write ∂(rates)/∂(modes) and minus the rates at the lower modes of sliding functions; these modes are set."""
    count, sliding, modes, found = switching.sizes[0], switching.sliding, switching.modes, switching.found
    matrix, right, n = switching.matrix, switching.right, switching.modes.size
    for a in range(count):
        modes[sliding[a]] = switching.lower[sliding[a]]
    call(switching.function, x.ctypes.data, found.ctypes.data)
    for a in range(count):
        right[a] = -found[n + sliding[a]]
    for b in range(count):
        modes[sliding[b]] += 1.0
        call(switching.function, x.ctypes.data, found.ctypes.data)
        modes[sliding[b]] -= 1.0
        for a in range(count):
            matrix[b, a] = found[n + sliding[a]] + right[a]


@kernel
def list_sliding(switching: Switching, phase: int) -> bool:
    """List the functions whose phase is at least the given one as sliding; return whether there is room for all."""
    count = 0
    for i in range(switching.modes.size):
        if switching.phases[i] >= phase:
            if count == switching.sliding.size:
                return False
            switching.sliding[count] = i
            count += 1
    switching.sizes[0] = count
    return True


@rare_kernel
def solve_shared(matrix: Floats, count: int, right: Floats) -> None:
    """Replace the right side by the solution of the first `count` equations; the matrix is overwritten.

    Column j is `matrix[j]`. An unknown that is not determined, as with two frictions on one motion, is kept near the
    middle of its range: loads are shared.
    """
    largest = 0.0
    for j in range(count):
        for i in range(count):
            largest = max(largest, abs(matrix[j, i]))
    for k in range(count):
        place = k
        for i in range(k + 1, count):
            if abs(matrix[k, i]) > abs(matrix[k, place]):
                place = i
        if place != k:
            for j in range(count):
                matrix[j, k], matrix[j, place] = matrix[j, place], matrix[j, k]
            right[k], right[place] = right[place], right[k]
        if not abs(matrix[k, k]) > _DEPENDENT * largest:
            softness = max(_SOFTNESS * largest, 1e-300)
            matrix[k, k] -= softness
            right[k] -= 0.5 * softness
        for i in range(k + 1, count):
            factor = matrix[k, i] / matrix[k, k]
            if factor != 0.0:
                for j in range(k + 1, count):
                    matrix[j, i] -= factor * matrix[j, k]
                right[i] -= factor * right[k]
    for k in range(count - 1, -1, -1):
        value = right[k]
        for j in range(k + 1, count):
            value -= matrix[j, k] * right[j]
        right[k] = value / matrix[k, k]
