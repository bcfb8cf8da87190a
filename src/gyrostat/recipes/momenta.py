"""Momenta: recipes over coordinates and momenta p = ∂T/∂u, for symplectic integrators.

In these programs the port u holds p. T is the kinetic energy with driven motions and rotors: p = M(q) u + b(q, t).
"""

from __future__ import annotations

from typing import Any

import casadi

from gyrostat.equations.dynamics import forward_dynamics, mass_solver
from gyrostat.equations.energy import energy
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.recipes.motion_in_time import moving_in_time
from gyrostat.recipes.trace import Trace
from gyrostat.scalar.traced import Traced, as_sx, column


def over_momenta(trace: Trace, outputs: dict[str, Any]) -> dict[str, Any]:
    """Return outputs over coordinates and speeds as outputs over coordinates and momenta."""
    columns = casadi.substitute(list(outputs.values()), [trace.arguments["u"]], [_speeds(trace)])
    return dict(zip(outputs, columns, strict=True))


def form_canonical_rates(trace: Trace) -> dict[str, Any]:
    """Return q̇, and ṗ as the change of p(q, u, t) in the motion of forward dynamics."""
    motion = trace.motion
    qdot = column(coordinate_rates(motion.tree, motion.state))
    by_itself, its_rates = moving_in_time(trace)
    moving = casadi.vertcat(trace.arguments["q"], trace.arguments["u"], by_itself)
    along = casadi.vertcat(qdot, column(forward_dynamics(motion)), its_rates)
    pdot = casadi.densify(casadi.jtimes(_momenta(trace), moving, along))
    return over_momenta(trace, {"qdot": qdot, "pdot": pdot})


def form_momenta(trace: Trace) -> dict[str, Any]:
    """Return p of given speeds."""
    return {"momenta": _momenta(trace)}


def form_speeds_of_momenta(trace: Trace) -> dict[str, Any]:
    """Return u of given momenta."""
    return {"speeds": _speeds(trace)}


def _momenta(trace: Trace) -> Any:
    """Return p = ∂T/∂u."""
    return casadi.densify(casadi.gradient(as_sx(energy(trace.motion).kinetic), trace.arguments["u"]))


def _speeds(trace: Trace) -> Any:
    """Return u = M⁻¹ (p − b), with p in the place of u."""
    u = trace.arguments["u"]
    right = u - casadi.substitute(_momenta(trace), u, casadi.SX.zeros(u.shape))
    return column(mass_solver(trace.motion)([Traced(right[i]) for i in range(u.numel())]))
