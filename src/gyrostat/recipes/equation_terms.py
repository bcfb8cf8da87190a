"""The terms of the equations of motion as one traced function, for comparison with the exact equations."""

from __future__ import annotations

from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix
from gyrostat.recipes.constraints import constrained, constraints_of
from gyrostat.recipes.dynamics import symmetric_sx
from gyrostat.recipes.states import zdot_port
from gyrostat.recipes.trace import Recipe, Trace
from gyrostat.recipes.tracing import build_function
from gyrostat.scalar.algebra import negate
from gyrostat.scalar.traced import column


def equations_function(coordinates: Coordinates) -> Any:
    """Return the traced function of M and forcing, with the arguments that every program of a system has.

    Of a system with constraints it gives A, γ and the constraint functions as well, of one with states ż.
    """
    return build_function("equations", Recipe(_equations), coordinates)


def _equations(trace: Trace) -> dict[str, Any]:
    n = len(trace.rates)
    loads = inverse_dynamics(trace.motion, [0] * n)
    found = {
        "mass_matrix": symmetric_sx(mass_matrix(trace.motion), n),
        "forcing": column([negate(load) for load in loads]),
    }
    if not constrained(trace):
        return {**found, **zdot_port(trace)}
    constraints = constraints_of(trace)
    functions = [
        speed if row.residual is None else row.residual
        for row, speed in zip(constraints.rows, constraints.speeds, strict=True)
    ]
    return {
        **found,
        "constraint_matrix": constraints.matrix,
        "constraint_rates": constraints.rates,
        "constraints": column(functions),
        **zdot_port(trace),
    }
