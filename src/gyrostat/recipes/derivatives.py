"""Derivatives: recipes for the Jacobians of accelerations and rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import casadi

from gyrostat.equations.dynamics import forward_dynamics, inverse_dynamics, mass_solver
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.recipes.constraints import constrained, constraints_of, saddle_point
from gyrostat.recipes.states import has_states, seeds_of, state_of, zdot_of
from gyrostat.recipes.trace import SEED_INPUTS, Trace
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import is_zero, negate
from gyrostat.scalar.traced import Traced, as_sx, column

_DENSITY_LIMIT = 0.25
"""The part of the entries of a Jacobian beyond which it counts as full."""
_REVERSE_MODE = {"helper_options": {"ad_weight": 1}}
"""Reverse mode: there are fewer loads than coordinates and speeds."""


def form_forward_dynamics_derivatives(trace: Trace) -> dict[str, Any]:
    """Return u̇ and ∂u̇/∂(q, u, z, inputs)."""
    wanted = ("q", "u", *("z",) * has_states(trace), "inputs")
    rates, jacobian = _accelerations_and_jacobian(trace, casadi.vertcat(*(trace.arguments[name] for name in wanted)))
    borders = [0]
    for name in wanted:
        borders.append(borders[-1] + trace.arguments[name].numel())
    parts = casadi.horzsplit(casadi.densify(jacobian), borders)
    return {"udot": rates, **{f"udot_{name}": part for name, part in zip(wanted, parts, strict=True)}}


def form_rates_jacobian(trace: Trace) -> dict[str, Any]:
    """Return ∂(q̇, u̇, ż)/∂(q, u, z), sparse; inputs that are formulas are differentiated too."""
    state = state_of(trace)
    rates = column(coordinate_rates(trace.motion.tree, trace.motion.state))
    _, jacobian = _accelerations_and_jacobian(trace, state)
    own = casadi.jacobian(zdot_of(trace), state)
    return {"jacobian": casadi.vertcat(casadi.jacobian(rates, state), jacobian, own)}


def form_rates_along(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of q̇, u̇ and ż along a direction in the state: the Jacobian times a vector.

    About three times the operations of the rates. For many speeds, all directions in SIMD lanes cost less than the
    Jacobian as one function, which grows with their cube.
    """
    state, seeds = state_of(trace), seeds_of(trace)
    return {"derivatives": _derivatives_of_rates(trace, lambda part: casadi.jtimes(part, state, seeds))}


def form_accelerations_along(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of u̇ along a direction in the state and the inputs."""
    inputs = trace.arguments["inputs"]
    own = trace.arguments[SEED_INPUTS] = casadi.SX.sym(SEED_INPUTS, inputs.numel())
    wrt, seeds = casadi.vertcat(state_of(trace), inputs), casadi.vertcat(seeds_of(trace), own)

    def differentiate(part: Any) -> Any:
        return casadi.jtimes(part, wrt, seeds)

    if constrained(trace):
        return {"derivatives": casadi.densify(_constrained_derivatives(trace, differentiate)[1])}
    return {"derivatives": casadi.densify(differentiate(column(forward_dynamics(trace.motion))))}


def form_rates_structure(trace: Trace) -> dict[str, Any]:
    """Return ones where ∂(q̇, u̇, ż)/∂(q, u, z) may have entries; none where these are many, or with constraints."""
    state, n = state_of(trace), state_of(trace).numel()
    if constrained(trace):
        return {"structure": casadi.SX(n, n)}
    motion = trace.motion
    rates = column(coordinate_rates(motion.tree, motion.state))
    every = casadi.vertcat(rates, column(forward_dynamics(motion)), zdot_of(trace))
    found = casadi.jacobian_sparsity(every, state)
    return {"structure": casadi.SX.ones(found) if found.nnz() < _DENSITY_LIMIT * n * n else casadi.SX(n, n)}


def form_rates_in_time(trace: Trace) -> dict[str, Any]:
    """Return the partial derivatives of q̇, u̇ and ż by time, through drivers, loads and inputs that depend on it."""
    time = trace.arguments["t"]
    return {"derivatives": _derivatives_of_rates(trace, lambda part: casadi.jacobian(part, time))}


def form_rates_by_inputs(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of q̇, u̇ and ż along a direction in the inputs, seed_inputs."""
    inputs = trace.arguments["inputs"]
    seeds = trace.arguments[SEED_INPUTS] = casadi.SX.sym(SEED_INPUTS, inputs.numel())
    return {"derivatives": _derivatives_of_rates(trace, lambda part: casadi.jtimes(part, inputs, seeds))}


def _derivatives_of_rates(trace: Trace, differentiate: Callable[[Any], Any]) -> Any:
    """Return the derivatives of q̇, u̇ and ż; `differentiate` forms those of a column."""
    motion, own = trace.motion, zdot_of(trace)
    rates = column(coordinate_rates(motion.tree, motion.state))
    if constrained(trace):
        _, derivatives = _constrained_derivatives(trace, differentiate)
        return casadi.densify(casadi.vertcat(differentiate(rates), derivatives, differentiate(own)))
    return casadi.densify(differentiate(casadi.vertcat(rates, column(forward_dynamics(motion)), own)))


def _accelerations_and_jacobian(trace: Trace, wrt: Any) -> tuple[Any, Any]:
    """Return u̇, and its Jacobian −M⁻¹ ∂(inverse dynamics), much shorter than the derivative of the recursion.

    The factors of M that this takes give u̇ as well, from the inverse dynamics at u̇ = 0.
    """

    motion = trace.motion
    if constrained(trace):
        return _constrained_derivatives(trace, lambda needs: casadi.jacobian(needs, wrt, _REVERSE_MODE))
    loads = column(inverse_dynamics(motion, trace.rates))
    solve = mass_solver(motion)
    missing = [negate(x) for x in inverse_dynamics(motion, [0] * len(trace.rates))]
    rates = column(solve(missing))
    jacobian = casadi.jacobian(loads, wrt, _REVERSE_MODE)
    jacobian = casadi.substitute(jacobian, trace.arguments["udot"], rates)
    return rates, _solved_by_columns(solve, jacobian, len(trace.rates))


def _constrained_derivatives(trace: Trace, differentiate: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Return u̇ of a constrained motion and its derivatives, from one factorisation.

    M u̇ + h + Aᵀλ = 0 and A u̇ = γ are differentiated at fixed u̇ and λ, which includes the geometric stiffness
    ∂(Aᵀλ)/∂q.
    """

    found = constraints_of(trace)
    count, speeds = len(found.rows), len(trace.rates)
    factor = saddle_point(trace)
    missing = [negate(x) for x in inverse_dynamics(trace.motion, [0] * speeds)]
    solution = factor.solve(missing, found.rates)
    moving, loads = casadi.SX.sym("moving", speeds), casadi.SX.sym("loads", count)
    needs = column(inverse_dynamics(trace.motion, trace.rates))
    needs = casadi.substitute(needs, trace.arguments["udot"], moving) + casadi.mtimes(found.sx.T, loads)
    derivatives = differentiate(casadi.vertcat(needs, casadi.mtimes(found.sx, moving) - column(found.rates)))
    rates, multipliers = (column(part) for part in solution)
    derivatives = casadi.substitute(derivatives, casadi.vertcat(moving, loads), casadi.vertcat(rates, multipliers))

    def solve(right: list[Scalar]) -> list[Scalar]:
        return factor.solve(right[:speeds], right[speeds:])[0]

    return rates, _solved_by_columns(solve, derivatives, speeds)


def _solved_by_columns(solve: Callable[[list[Scalar]], list[Scalar]], columns: Any, rows: int) -> Any:
    """Return the solutions for the columns of minus a matrix, sparse."""
    solved = casadi.SX(rows, columns.shape[1])
    for j in range(columns.shape[1]):
        right = [-Traced(columns[i, j]) if columns.has_nz(i, j) else 0 for i in range(columns.shape[0])]
        for i, x in enumerate(solve(right)):
            if not is_zero(x):
                solved[i, j] = as_sx(x)
    return solved
