"""Rates of the state together with the power of all loads, which an integrator adds up to their work."""

from __future__ import annotations

from typing import Any

from gyrostat.kinematics.constraints import has_constraints
from gyrostat.recipes.constraints import form_guarded_rates
from gyrostat.recipes.dynamics import form_rates
from gyrostat.recipes.observations import form_load_power
from gyrostat.recipes.trace import Trace


def form_powered_rates(trace: Trace) -> dict[str, Any]:
    """Return q̇, u̇ and ż, the pivots of multipliers where there are constraints, and the power of all loads."""
    constrained = has_constraints(trace.motion.tree.coordinates)
    return {**(form_guarded_rates if constrained else form_rates)(trace), **form_load_power(trace)}
