"""Rates of the state variables of components."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.scalar import Scalar

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


def state_rates(motion: WorldMotion) -> list[Scalar]:
    """Return ż in order; at the places of algebraic variables, the residuals of their equations."""
    model = motion.tree.coordinates.topology.model
    found = {name: rate for owner in model.state_owners for name, rate in owner.state_rates(motion).items()}
    return [found[name] for name in motion.tree.coordinates.state_names]
