"""The force of bristles with a given deflection and rate."""

from __future__ import annotations

from gyrostat.model.friction.friction_law import Components, Friction, Sliding
from gyrostat.model.kinds import Quantity
from gyrostat.scalar.algebra import multiply, negate, total


def bristle_force(
    sliding: Sliding, rates: Components, stiffness: Quantity, damping: Quantity, viscous: Quantity
) -> Friction:
    """Return −N (σ₀ z + σ₁ ż + σ₂ v) in each direction, and ż."""
    factors = [sliding.evaluate(one) for one in (stiffness, damping, viscous)]
    parts = zip(sliding.bristle, rates, sliding.velocity, strict=True)
    force = (total([multiply(a, b) for a, b in zip(factors, part, strict=True)]) for part in parts)
    return Friction(tuple(negate(multiply(sliding.load, one)) for one in force), rates)
