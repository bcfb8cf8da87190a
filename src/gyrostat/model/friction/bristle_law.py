"""Friction by bristles with a deflection."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.friction.friction_law import Friction, FrictionLaw, Sliding, coefficient, power
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, total


@dataclass(frozen=True)
class BristleLaw(FrictionLaw):
    """Base of laws whose state is the deflection z of bristles, ż = v − c z, with the force −N (σ₀ z + σ₁ ż + σ₂ v).

    A subclass defines `_relaxation`, the rate c at which bristles give way.
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

    @abstractmethod
    def _relaxation(self, sliding: Sliding, mu: Scalar) -> Scalar:
        """Return c, from the coefficient of friction μ(v)."""

    def validate(self, place: Place) -> None:
        """Require a speed and a stiffness."""
        require_positive(place, "speed", self.speed, "Give the speed at which friction has fallen.")
        require_positive(place, "stiffness", self.stiffness, "Give the stiffness of the bristles.")

    def friction(self, sliding: Sliding) -> Friction:
        """Return the force and the rate of the deflection, in each direction."""
        slip = self._relaxation(sliding, coefficient(sliding, self.mu, self.mu_static, self.speed))
        rates = tuple(v - slip * z for v, z in zip(sliding.velocity, sliding.bristle, strict=True))
        factors = [sliding.evaluate(one) for one in (self.stiffness, self.damping, self.viscous)]
        parts = zip(sliding.bristle, rates, sliding.velocity, strict=True)
        force = (total([multiply(a, b) for a, b in zip(factors, part, strict=True)]) for part in parts)
        loads = tuple(negate(multiply(sliding.load, one)) for one in force)
        spring = multiply(sliding.load, factors[0])
        stored = divide(multiply(spring, power(sliding.bristle, sliding.bristle)), 2)
        gained = add(power(loads, sliding.velocity), multiply(spring, power(sliding.bristle, rates)))
        return Friction(loads, rates, stored, negate(gained))
