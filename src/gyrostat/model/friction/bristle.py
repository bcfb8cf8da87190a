"""Elastoplastic bristle friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.friction.bristle_force import bristle_force
from gyrostat.model.friction.friction_law import Friction, FrictionLaw, Sliding, coefficient
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, total


@dataclass(frozen=True)
class Bristle(FrictionLaw):
    """Elastoplastic bristles (Dupont et al. 2002): elastic up to a share of the limit, so that a body at rest stays.

    ż = v − α |v| z/z_s with z_s = μ(v)/σ₀, and the force is −N (σ₀ z + σ₁ ż + σ₂ v). Where the deflection is below the
    breakaway share b of z_s, or sliding goes back, α = 0 and the bristles are elastic springs: under a load below
    b μ N nothing creeps or drifts. Between b z_s and z_s, α rises smoothly to 1, which is the LuGre law.
    """

    has_bristle: ClassVar[bool] = True
    mu: Quantity = value(QuantityKind(), doc="coefficient of friction of fast sliding μ_k")
    mu_static: Quantity = value(QuantityKind(), doc="coefficient of friction at rest μ_s")
    stiffness: Quantity = value(
        QuantityKind(), doc="stiffness σ₀ of the bristles, per unit of normal load (1/m or 1/rad)"
    )
    damping: Quantity = value(QuantityKind(), doc="damping σ₁ of the bristles, per unit of normal load (s/m or s/rad)")
    speed: Quantity = value(QuantityKind(), doc="Stribeck's speed v_s, over which friction falls (m/s or rad/s)")
    viscous: Quantity = value(QuantityKind(), 0, doc="viscous coefficient σ₂, per unit of normal load (s/m or s/rad)")
    breakaway: Quantity = value(
        QuantityKind(), 0.9, doc="share b of the limit up to which bristles are elastic, below 1"
    )

    def validate(self, place: Place) -> None:
        """Require a speed, a stiffness and a share between 0 and 1."""
        require_positive(place, "speed", self.speed, "Give the speed at which friction has fallen.")
        require_positive(place, "stiffness", self.stiffness, "Give the stiffness of the bristles.")
        if self.breakaway.number is not None and not 0 < self.breakaway.number < 1:
            place.inside("breakaway").report(f"{self.breakaway} is not between 0 and 1.", "Use 0.9, for example.")

    def friction(self, sliding: Sliding) -> Friction:
        """Return the force and the rate of the deflection."""
        limit = coefficient(sliding, self.mu, self.mu_static, self.speed) / sliding.evaluate(self.stiffness)
        slip = self._plastic(sliding, limit) * sliding.speed / limit
        rates = tuple(v - slip * z for v, z in zip(sliding.velocity, sliding.bristle, strict=True))
        return bristle_force(sliding, rates, self.stiffness, self.damping, self.viscous)

    def _plastic(self, sliding: Sliding, limit: Scalar) -> Scalar:
        """Return the plastic share α of the sliding: 0 for elastic bristles, 1 at the limit."""
        call, compare = sliding.scalars.call, sliding.scalars.compare
        share = sliding.size(sliding.bristle) / limit
        start = sliding.evaluate(self.breakaway)
        rise = (share - start) / (1 - start)
        bounded = call("min", (call("max", (rise, 0)), 1))
        smooth = (1 - call("cos", (sliding.scalars.pi() * bounded,))) / 2
        onward = total([multiply(v, z) for v, z in zip(sliding.velocity, sliding.bristle, strict=True)])
        return call("where", (compare(">", onward, 0), smooth, 0))
