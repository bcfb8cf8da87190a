"""State variables on the traced engine: their rates, equations, and the rates of algebraic ones."""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.kinematics.state_rates import state_rates
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.recipes.motion_in_time import moving_in_time
from gyrostat.recipes.trace import Trace
from gyrostat.scalar.traced import column


def state_of(trace: Trace) -> Any:
    """Return the state y = (q, u, z) as a column."""
    return casadi.vertcat(*(trace.arguments[name] for name in ("q", "u", "z")))


def seeds_of(trace: Trace) -> Any:
    """Return the direction in the state, a column."""
    return casadi.vertcat(*(trace.arguments[name] for name in ("seed_q", "seed_u", "seed_z")))


def has_states(trace: Trace) -> bool:
    """Tell whether a system has state variables."""
    return bool(trace.motion.tree.coordinates.state_names)


def zdot_of(trace: Trace) -> Any:
    """Return ż as a column; at the places of algebraic variables, the residuals of their equations."""
    return trace.once("zdot", lambda trace: column(state_rates(trace.motion)))


def zdot_port(trace: Trace) -> dict[str, Any]:
    """Return the output "zdot"; systems without states have none."""
    return {"zdot": zdot_of(trace)} if has_states(trace) else {}


def full_rates(trace: Trace, udot: Any) -> Any:
    """Return ż with the rates of algebraic variables w as well: from g = 0 follows ẇ = −(∂g/∂w)⁻¹ (ġ at fixed w)."""
    arguments, places = trace.arguments, list(trace.motion.tree.coordinates.algebraic)
    zdot = zdot_of(trace)
    if not places:
        return zdot
    equations, w = zdot[places], arguments["z"][places]
    rates = casadi.SX(zdot)
    rates[places] = 0
    by_itself, its_rates = moving_in_time(trace)
    qdot = column(coordinate_rates(trace.motion.tree, trace.motion.state))
    moving = casadi.vertcat(state_of(trace), by_itself)
    change = casadi.jtimes(equations, moving, casadi.vertcat(qdot, udot, rates, its_rates))
    rates[places] = -_solved(casadi.jacobian(equations, w), change)
    return rates


def _solved(matrix: Any, right: Any) -> Any:
    """Return the solution of linear equations by a sparse QR factorization, whose size grows with the fill alone.

    For 60 unknowns of a ladder it has 2300 operations; a dense elimination has 100 000.
    """
    return casadi.qr_solve(casadi.densify(right), *casadi.qr_sparse(matrix))


def form_state_rates(trace: Trace) -> dict[str, Any]:
    """Return ż at given u̇, of algebraic variables as well."""
    return {"rates": casadi.densify(full_rates(trace, trace.arguments["udot"]))}


def form_algebraic_equations(trace: Trace) -> dict[str, Any]:
    """Return the residuals g of the algebraic variables' equations, and ∂g/∂w, sparse."""
    places = list(trace.motion.tree.coordinates.algebraic)
    equations, w = zdot_of(trace)[places], trace.arguments["z"][places]
    return {"residuals": casadi.densify(equations), "jacobian": casadi.jacobian(equations, w)}


def form_block_outputs(trace: Trace) -> dict[str, Any]:
    """Return the outputs of blocks that are no state variables, in the order of `coordinates.blocks`."""
    motion = trace.motion
    return {"values": column(motion.quantity(name) for name in motion.tree.coordinates.blocks)}
