"""Sliding modes: motion along switching functions that both neighbouring motions lead to (Filippov 1988).

A sliding function stays zero, so that its mode follows from a rate of zero. Rates are affine in the modes: k sliding
modes take k + 1 evaluations of the switching functions and the solution of k linear equations.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.input_tables import table_rates
from gyrostat.analysis.kernels.problem import Equations, Floats, Switching
from gyrostat.coordinates.row import TIME
from gyrostat.program.translation import call, kernel, rare_kernel

_PIVOT_TOLERANCE = 1e-11
"""A pivot below this, in terms of the largest entry, shows functions whose modes are not determined one by one."""
_DIFFERENCE = 1e-6
"""The time over which switching functions are differentiated by inputs."""
_SOFTNESS = 1e-8
"""Their modes are kept near the middle by a term of this size in terms of the largest entry: loads are shared."""


@rare_kernel
def slide(equations: Equations) -> None:
    """Set the modes of sliding functions at the time and state in x so that their rates are zero."""
    switching = equations.switching
    count, sliding, solution = switching.sizes[0], switching.sliding, switching.solution
    form_equations(equations)
    for a in range(count):
        solution[a] = switching.right[a]
    solve_shared(switching.matrix, count, solution)
    for a in range(count):
        switching.modes[sliding[a]] = switching.lower[sliding[a]] + solution[a]


@rare_kernel
def evaluate_switches(equations: Equations) -> None:
    """Write values and rates of all switching functions at the time, state, inputs and modes in x into `found`."""
    switching, x = equations.switching, equations.x
    call(switching.function, x.ctypes.data, switching.found.ctypes.data)
    if switching.on_inputs and (equations.tables.places.size > 0 or equations.native.inputs != 0):
        _add_input_rates(equations)


@rare_kernel
def _add_input_rates(equations: Equations) -> None:
    """Add the part of the rates that is due to inputs of tables, and of Python functions by differences in time."""
    switching, x, t, change = equations.switching, equations.x, equations.x[TIME], _DIFFERENCE
    slopes, tables, n = switching.slopes, equations.tables, switching.modes.size
    for i in range(x.size):
        slopes[i] = x[i]
    if equations.native.inputs != 0:
        x[TIME] = t + change
        call(equations.native.inputs, x.ctypes.data)
        x[TIME] = t
    for i in range(x.size):
        slopes[i] = x[i] - slopes[i]
        x[i] -= slopes[i]
    if tables.places.size > 0:
        for i in range(tables.places.size):
            slopes[tables.places[i]] = 0.0
        table_rates(tables, t, switching.within[0], 0, slopes)
        for i in range(tables.places.size):
            slopes[tables.places[i]] *= change
    for i in range(x.size):
        x[i] += slopes[i]
    call(switching.function, x.ctypes.data, switching.other.ctypes.data)
    for i in range(x.size):
        x[i] -= slopes[i]
    for i in range(n):
        switching.found[n + i] += (switching.other[i] - switching.found[i]) / change


@rare_kernel
def form_equations(equations: Equations) -> None:
    """Write ∂(rates)/∂(modes) and minus the rates at the lower modes of sliding functions; these modes are set."""
    switching = equations.switching
    count, sliding, modes, found = switching.sizes[0], switching.sliding, switching.modes, switching.found
    matrix, right, n = switching.matrix, switching.right, switching.modes.size
    for a in range(count):
        modes[sliding[a]] = switching.lower[sliding[a]]
    evaluate_switches(equations)
    for a in range(count):
        right[a] = -found[n + sliding[a]]
    for b in range(count):
        modes[sliding[b]] += 1.0
        evaluate_switches(equations)
        modes[sliding[b]] -= 1.0
        for a in range(count):
            matrix[b, a] = found[n + sliding[a]] + right[a]


@kernel
def list_sliding(switching: Switching, phase: int) -> None:
    """List the functions whose phase is at least the given one as sliding."""
    count = 0
    for i in range(switching.modes.size):
        if switching.phases[i] >= phase:
            switching.sliding[count] = i
            count += 1
    switching.sizes[0] = count


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
        if not abs(matrix[k, k]) > _PIVOT_TOLERANCE * largest:
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
