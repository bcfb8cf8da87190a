"""Outputs within stiff steps: whether the polynomial of a step passes by the motion that the equations have there.

Where loads jump, or by an error of the step before, the state at the start of a step is off the slow motion that
dampers and stiff springs enforce. It gets there at once, far within the step; the polynomial takes the whole step. The
rates f at states on it are then wrong by any size: forces of dampers, accelerations and powers.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.crossing import state_at
from gyrostat.analysis.kernels.local_coordinates import is_finite, local_rates
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.right_side import evaluate
from gyrostat.analysis.kernels.stiff_projection import Stiff, solve_stage
from gyrostat.program.translation import kernel, rare_kernel

_RATE_TOLERANCE = 30.0
"""The largest difference between f and the rates of the polynomial that is accepted, in tolerances per hγ."""
_DISTANCE_LIMIT = 10.0
"""The largest distance of the polynomial from the motion, in tolerances, at which events are searched on it."""


@rare_kernel
def misses_motion(method: Stiff, equations: Equations, step: Step, t: float, y: Floats) -> bool:
    """Tell whether f(y) differs from the rates of the polynomial at a time within a step, where the state is y."""
    memory, control, masses = method.memory, method.control, method.numbers.mass
    _write_residual(method, equations, step, t, y)
    if not is_finite(memory.rates):
        return True
    largest = 0.0
    for i in range(y.size):
        unit = control.absolute[i] + control.relative * abs(y[i])
        largest = max(largest, masses[i] * abs(memory.rates[i]) / unit)
    return largest * step.h * method.numbers.gamma > _RATE_TOLERANCE


@rare_kernel
def is_far_from_motion(method: Stiff, equations: Equations, step: Step) -> bool:
    """Tell whether the middle of the polynomial is many tolerances away from the motion that the equations have there.

    With the factors of the step, M = m/(hγ) − J, Newton's method for ẏ = f(y) gives the displacement δ = M⁻¹ (f − ẏ).
    Its slow part, M⁻¹ m/(hγ) δ, is the error of the rates of a polynomial, and does not count.
    """
    memory, control, masses, middle = method.memory, method.control, method.numbers.mass, method.memory.state
    n, slow = step.start.size, method.memory.step
    state_at(step.start, step.polynomial, 0.5, equations.rotations, memory.step, middle)
    _write_residual(method, equations, step, step.t + 0.5 * step.h, middle)
    change = memory.rates[:n]
    if not is_finite(change):
        return False
    _solve(method, equations, change)
    for i in range(n):
        slow[i] = masses[i] * change[i] / (step.h * method.numbers.gamma)
    _solve(method, equations, slow)
    largest = 0.0
    for i in range(n):
        unit = control.absolute[i] + control.relative * abs(middle[i])
        largest = max(largest, masses[i] * abs(change[i] - slow[i]) / unit)
    return largest > _DISTANCE_LIMIT


@kernel
def _write_residual(method: Stiff, equations: Equations, step: Step, t: float, y: Floats) -> None:
    """Write f(y) less the rates of the polynomial, times their masses, into the rates in memory."""
    memory, masses, polynomial = method.memory, method.numbers.mass, step.polynomial
    theta, way, rates = (t - step.t) / step.h, memory.step, memory.rates
    _write_motion(polynomial, theta, way)
    evaluate(equations, t, step.t + 0.5 * step.h, y, rates)
    local_rates(way, y, equations.rotations, rates)
    for i in range(y.size):
        rate = 0.0
        for j in range(polynomial.shape[0] - 1, -1, -1):
            rate = rate * theta + (j + 1) * polynomial[j, i]
        rates[i] -= masses[i] * rate / step.h


@kernel
def _solve(method: Stiff, equations: Equations, right: Floats) -> None:
    """Replace the right side by the solution of the linear equations of the step."""
    if equations.ropes.kernels.present():
        equations.ropes.kernels.solve(equations, right)
    else:
        solve_stage(method.memory, right)


@kernel
def _write_motion(polynomial: Floats, theta: float, way: Floats) -> None:
    """Write the motion from the start of a step to a fraction of it, in local coordinates."""
    for i in range(way.size):
        value = 0.0
        for j in range(polynomial.shape[0] - 1, -1, -1):
            value = (value + polynomial[j, i]) * theta
        way[i] = value
