"""Programs behind linear models: the equations of motion term by term, and their derivatives at fixed u̇ and λ.

The equations are, with inverse dynamics r = M u̇ + h − Q and constraints A u = b,

    q̇ = N(q) u,    r(q, u, u̇) + Aᵀλ = 0,    A u̇ = γ,    Φ(q, t) = 0,    s = A u − b = 0.

Positions are varied as δq = N(q) δθ, as many directions as there are speeds: Euler parameters stay of unit length, and
directions of bodies with free joints move with them. All derivatives by positions are derivatives by θ.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi

from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix
from gyrostat.equations.energy import energy
from gyrostat.kinematics.load_power import load_power
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.recipes.constraints import constrained, constraints_of
from gyrostat.recipes.dynamics import symmetric_sx
from gyrostat.recipes.states import has_states, seeds_of, state_of, zdot_of
from gyrostat.recipes.trace import Trace
from gyrostat.scalar.traced import as_sx, column

_REVERSE_MODE = {"helper_options": {"ad_weight": 1}}


def residuals_of(trace: Trace) -> dict[str, Any]:
    """Return the columns of `table.BLOCKS` at given u̇ and λ; λ is entered in the trace's arguments, as "loads"."""
    needs = column(inverse_dynamics(trace.motion, trace.rates))
    own = {"state": zdot_of(trace)} if has_states(trace) else {}
    if not constrained(trace):
        trace.arguments["loads"] = none = casadi.SX(0, 1)
        return {"load": needs, "residual": none, "speed": none, "rate": none, **own}
    found = constraints_of(trace)
    loads = trace.arguments["loads"] = casadi.SX.sym("loads", len(found.rows))
    return {
        "load": needs + casadi.mtimes(found.sx.T, loads),
        "residual": column(found.residuals),
        "speed": column(found.speeds),
        "rate": casadi.mtimes(found.sx, trace.arguments["udot"]) - column(found.rates),
        **own,
    }


def rate_map(trace: Trace) -> tuple[Any, Any]:
    """Return q̇ as a column, and N, sparse."""
    rates = column(coordinate_rates(trace.motion.tree, trace.motion.state))
    return rates, casadi.jacobian(rates, trace.arguments["u"])


def form_linear_terms(trace: Trace) -> dict[str, Any]:
    """Return M, h − Q, A, γ, Φ, s, N, and the transport of variations.

    From δq = N δθ follows N δθ̇ = N δu + [∂(N u)/∂q N − Ṅ] δθ; the bracket, "carried", vanishes where speeds are rates.
    """

    q = trace.arguments["q"]
    size = len(trace.rates)
    rates, mapping = rate_map(trace)
    turning = casadi.reshape(casadi.jtimes(casadi.vec(mapping), q, rates), *mapping.shape)
    carried = casadi.sparsify(casadi.mtimes(casadi.jacobian(rates, q), mapping) - turning)
    outputs = {
        "mass": symmetric_sx(mass_matrix(trace.motion), size),
        "bias": column(inverse_dynamics(trace.motion, [0] * size)),
        "mapping": mapping,
        "carried": carried,
    }
    if constrained(trace):
        found = constraints_of(trace)
        outputs |= {"matrix": found.matrix, "gamma": found.rates, "residuals": found.residuals, "speeds": found.speeds}
    return outputs


def form_linear_derivatives(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of all blocks by θ and u, sparse: "load_by_position", "load_by_speed", ….

    Of systems with states, those of loads and of ż by z as well: "load_by_state", "state_by_state".
    """
    blocks = residuals_of(trace)
    _, mapping = rate_map(trace)
    outputs: dict[str, Any] = {}
    for name, block in blocks.items():
        by_q = casadi.jacobian(block, trace.arguments["q"], _REVERSE_MODE)
        outputs[f"{name}_by_position"] = casadi.mtimes(by_q, mapping)
        if name != "residual":
            outputs[f"{name}_by_speed"] = casadi.jacobian(block, trace.arguments["u"], _REVERSE_MODE)
        if has_states(trace) and name in ("load", "state"):
            outputs[f"{name}_by_state"] = casadi.jacobian(block, trace.arguments["z"], _REVERSE_MODE)
    return outputs


def form_linear_derivatives_along(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of all blocks, stacked, along a direction in the state."""
    blocks = casadi.vertcat(*residuals_of(trace).values())
    return {"derivatives": casadi.densify(casadi.jtimes(blocks, state_of(trace), seeds_of(trace)))}


def form_linear_input_derivatives(trace: Trace) -> dict[str, Any]:
    """Return the derivatives of all blocks and of q̇ by inputs and parameters, side by side: "load", …, "qdot"."""
    acting = casadi.vertcat(trace.arguments["inputs"], trace.arguments["parameters"])
    blocks = {**residuals_of(trace), "qdot": rate_map(trace)[0]}
    return {name: casadi.jacobian(block, acting) for name, block in blocks.items()}


def _pencil(trace: Trace) -> tuple[Any, Any]:
    """Return the variation of the first-order equations along a direction, and the arguments they depend on.

    The equations are q̇ − N u, r + Aᵀλ, ż − f (−g of algebraic variables), and of each constraint Φ, or s where it has
    none.
    """
    blocks, arguments = residuals_of(trace), trace.arguments
    moving, _ = rate_map(trace)
    held = [row.residual is not None for row in constraints_of(trace).rows] if constrained(trace) else []
    kept = [blocks["residual" if holds else "speed"][i] for i, holds in enumerate(held)]
    qdot = casadi.SX.sym("qdot", arguments["q"].numel())
    zdot = casadi.SX.sym("zdot", arguments["z"].numel())
    mass = casadi.DM.ones(zdot.numel())
    mass[list(trace.motion.tree.coordinates.algebraic)] = 0
    equations = casadi.vertcat(qdot - moving, blocks["load"], mass * zdot - zdot_of(trace), *kept)
    acting = casadi.vertcat(arguments["inputs"], arguments["parameters"])
    state = casadi.vertcat(*(arguments[name] for name in ("q", "u", "z", "udot", "loads")), qdot, zdot, acting)
    sizes = {"seed_qdot": qdot, "seed_udot": arguments["udot"], "seed_zdot": zdot, "seed_loads": arguments["loads"]}
    for name, like in {**sizes, "seed_acting": acting}.items():
        arguments[name] = casadi.SX.sym(name, like.numel())
    order = ("seed_q", "seed_u", "seed_z", "seed_udot", "seed_loads", "seed_qdot", "seed_zdot", "seed_acting")
    along = casadi.jtimes(equations, state, casadi.vertcat(*(arguments[name] for name in order)))
    return along, casadi.vertcat(*(arguments[name] for name in ("q", "u", "z", "udot", "loads")), acting)


def form_pencil_along(trace: Trace) -> dict[str, Any]:
    """Return the directional derivative of the first-order equations."""
    return {"along": casadi.densify(_pencil(trace)[0])}


def form_pencil_gradient(trace: Trace) -> dict[str, Any]:
    """Return the gradient of a weighted sum of these derivatives, by q, u, z, u̇, λ, inputs and parameters."""
    along, depends = _pencil(trace)
    weights = trace.arguments["weights"] = casadi.SX.sym("weights", along.numel())
    return {"gradient": casadi.densify(casadi.gradient(casadi.dot(weights, along), depends))}


def form_element_work(trace: Trace) -> dict[str, Any]:
    """Return the directional derivative of the power of loads in a virtual motion.

    The virtual speeds take the place of u̇, the direction is seed_q, seed_u, and multipliers are "loads". The
    outputs "by_position" and "by_speed" have one entry for each force element, then gravity, then constraints.
    """

    arguments, motion = trace.arguments, trace.motion
    virtual = motion.at(replace(motion.state, u=trace.rates))
    forces = motion.tree.coordinates.topology.model.forces.values()
    powers: list[Any] = [as_sx(load_power(list(force.loads(motion)), virtual)) for force in forces]
    moving = column(coordinate_rates(motion.tree, virtual.state))
    powers.append(-casadi.jtimes(as_sx(energy(motion).gravity), arguments["q"], moving))
    arguments["loads"] = casadi.SX(0, 1)
    constraint_power = casadi.SX(0.0)
    if constrained(trace):
        found = constraints_of(trace)
        arguments["loads"] = casadi.SX.sym("loads", len(found.rows))
        constraint_power = -casadi.mtimes(arguments["loads"].T, casadi.mtimes(found.sx, arguments["udot"]))
    powers.append(constraint_power)
    every = casadi.vertcat(*powers)
    return {
        "by_position": casadi.densify(casadi.jtimes(every, arguments["q"], arguments["seed_q"])),
        "by_speed": casadi.densify(casadi.jtimes(every, arguments["u"], arguments["seed_u"])),
    }
