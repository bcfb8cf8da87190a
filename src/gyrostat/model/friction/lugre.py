"""LuGre friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.friction.bristle_force import bristle_force
from gyrostat.model.friction.friction_law import Friction, FrictionLaw, Sliding, coefficient
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value


@dataclass(frozen=True)
class LuGre(FrictionLaw):
    """The LuGre law (Canudas de Wit et al. 1995): bristles with deflection z, ż = v − σ₀ |v| z/μ(v).

    The force is −N (σ₀ z + σ₁ ż + σ₂ v), with μ(v) = μ_k + (μ_s − μ_k) exp(−(v/v_s)²). Under a load that vibrates below
    the limit of friction it drifts; `Bristle` does not.
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

    def validate(self, place: Place) -> None:
        """Require a speed and a stiffness."""
        require_positive(place, "speed", self.speed, "Give the speed at which friction has fallen.")
        require_positive(place, "stiffness", self.stiffness, "Give the stiffness of the bristles.")

    def friction(self, sliding: Sliding) -> Friction:
        """Return the force and the rate of the deflection."""
        mu = coefficient(sliding, self.mu, self.mu_static, self.speed)
        slip = sliding.evaluate(self.stiffness) * sliding.speed / mu
        rates = tuple(v - slip * z for v, z in zip(sliding.velocity, sliding.bristle, strict=True))
        return bristle_force(sliding, rates, self.stiffness, self.damping, self.viscous)
