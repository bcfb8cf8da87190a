"""Gyrostat's own side of the comparisons of motions, and SciPy's integrators on the same native rates."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from scipy.integrate import solve_ivp

import gyrostat as gs
from peers.solver import Found, Solver
from peers.tree import Floats

WHOLE = "whole call"
INTEGRATION = "integration"

Integrate = Callable[[float], gs.Integrator]


def own_solvers(
    system: gs.System,
    duration: float,
    integrator: Integrate,
    *,
    initial: Mapping[str, object] | None = None,
    first: float = 1e-8,
) -> list[Solver]:
    """Return `gs.simulate` with outputs at both ends: the whole call, and what its status gives as integration."""

    def simulate(tolerance: float) -> Found:
        found = gs.simulate(system, duration, step=duration, initial=initial, integrator=integrator(tolerance))
        return Found(found.q[-1], found.status.seconds)

    def whole(tolerance: float) -> Found:
        return Found(simulate(tolerance).q)

    runs = {WHOLE: whole, INTEGRATION: simulate}
    method = type(integrator(first)).__name__
    return [Solver("gyrostat", f"{method}, {part}", "tolerance", run, first, 1.0) for part, run in runs.items()]


def dop853(tolerance: float) -> gs.Integrator:
    """Return the default integrator with one tolerance."""
    return gs.DOP853(rtol=tolerance, atol=tolerance)


def rk4(step: float) -> gs.Integrator:
    """Return the classical method with a fixed step."""
    return gs.RK4(step=step)


def rodas5p(tolerance: float) -> gs.Integrator:
    """Return the stiff integrator with one tolerance."""
    return gs.Rodas5P(rtol=tolerance, atol=tolerance)


def bdf(tolerance: float) -> gs.Integrator:
    """Return SUNDIALS' stiff integrator with one tolerance."""
    return gs.CVODE(rtol=tolerance, atol=tolerance)


def scipy_solver(
    system: gs.System, duration: float, method: str, *, initial: Mapping[str, object] | None = None, first: float = 1e-8
) -> Solver:
    """Return `solve_ivp` on the native rates, called with buffers; implicit methods get the exact Jacobian."""
    start = gs.assemble(system, initial)
    begin = np.concatenate((start.q, start.u))
    rates = native_function(system, "rates", begin)
    options = {"jac": native_function(system, "rates_jacobian", begin)} if method in ("BDF", "Radau") else {}

    def run(tolerance: float) -> Found:
        found = solve_ivp(rates, (0.0, duration), begin, method=method, rtol=tolerance, atol=tolerance, **options)
        if not found.success:
            raise ArithmeticError(found.message)
        return Found(found.y[: len(start.q), -1])

    return Solver("SciPy", f"{method} on gyrostat's rates", "tolerance", run, first, 1.0)


def native_function(system: gs.System, name: str, state: Floats) -> Callable[[float, Floats], Floats]:
    """Return a program's first output as a function of time and state, with the model's parameters."""
    program = system.program(name)
    source, target = program.input_buffer(), program.output_buffer()
    port, n = program.outputs[0], len(state)
    source.array[program.input_slice("parameters")] = system.parameter_values()
    vector, inside = source.array, source.array[1 : 1 + n]

    def column(t: float, y: Floats) -> Floats:
        vector[0], inside[:] = t, y
        program(source, target)
        return target.array.copy()

    def matrix(t: float, y: Floats) -> Floats:
        vector[0], inside[:] = t, y
        program(source, target)
        return port.full(target.array)

    return column if port.columns == 1 else matrix
