"""Rates of the state together with the power of all loads, which an integrator adds up to their work."""

from __future__ import annotations

from typing import Any

from gyrostat.kinematics.constraints import has_constraints
from gyrostat.recipes import constraints, dynamics, observations
from gyrostat.recipes.trace import Trace


def form_powered_rates(trace: Trace) -> dict[str, Any]:
    """Return q̇, u̇ and ż, the pivots of multipliers where there are constraints, and the power of all loads."""
    constrained = has_constraints(trace.motion.tree.coordinates)
    rates = constraints.form_guarded_rates(trace) if constrained else dynamics.form_rates(trace)
    return {**rates, **observations.form_load_power(trace)}
