"""Friction by bristles with a deflection."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.formula import Formula
from gyrostat.model.friction.friction_law import Components, Friction, FrictionLaw, Sliding, coefficient, power
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, total


@dataclass(frozen=True)
class BristleLaw(FrictionLaw):
    """Base of laws whose state is the deflection z of bristles, ż = v − c z, with the force −N (σ₀ z + σ₁ ż + σ₂ v).

    A subclass defines `_relaxation`, the rate c at which bristles give way. Where bodies begin to slide at a speed v,
    σ₁ v N may far exceed the limit μ N for a moment, unless the damping fades with the speed (`damping_speed`).
    """

    has_bristle: ClassVar[bool] = True
    not_negative: ClassVar[tuple[str, ...]] = ("mu", "mu_static", "damping", "viscous")
    mu: Quantity = value(QuantityKind(), doc="coefficient of friction of fast sliding μ_k")
    mu_static: Quantity = value(QuantityKind(), doc="coefficient of friction at rest μ_s")
    stiffness: Quantity = value(
        QuantityKind(), doc="stiffness σ₀ of the bristles, per unit of normal load (1/m or 1/rad)"
    )
    damping: Quantity = value(QuantityKind(), doc="damping σ₁ of the bristles, per unit of normal load (s/m or s/rad)")
    speed: Quantity = value(QuantityKind(), doc="Stribeck's speed v_s, over which friction falls (m/s or rad/s)")
    damping_speed: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="speed v_d over which the damping fades, as exp(−(v/v_d)²) (m/s or rad/s); by default it does not",
        keyword=True,
    )
    viscous: Quantity = value(QuantityKind(), 0, doc="viscous coefficient σ₂, per unit of normal load (s/m or s/rad)")

    @property
    def holding(self) -> tuple[Formula, Formula]:
        """The coefficient of friction at rest and the stiffness of the bristles."""
        return self.mu_static, self.stiffness

    @abstractmethod
    def _relaxation(self, sliding: Sliding, mu: Scalar) -> Scalar:
        """Return c, from the coefficient of friction μ(v)."""

    def check_limits(self, known: Known, place: Place) -> None:
        """Require speeds and a stiffness, beside the limits of other values."""
        super().check_limits(known, place)
        require_positive(place, "speed", self.speed, "Give the speed at which friction has fallen.", known)
        if self.damping_speed is not None:
            require_positive(place, "damping_speed", self.damping_speed, "Leave it out, or give a speed.", known)
        require_positive(place, "stiffness", self.stiffness, "Give the stiffness of the bristles.", known)

    def friction(self, sliding: Sliding) -> Friction:
        """Return the force and the rate of the deflection, in each direction."""
        slip = self._relaxation(sliding, coefficient(sliding, self.mu, self.mu_static, self.speed))
        rates = tuple(v - slip * z for v, z in zip(sliding.velocity, sliding.bristle, strict=True))
        factors = [sliding.evaluate(self.stiffness), self._damping(sliding), sliding.evaluate(self.viscous)]
        parts = zip(sliding.bristle, rates, sliding.velocity, strict=True)
        force = (total([multiply(a, b) for a, b in zip(factors, part, strict=True)]) for part in parts)
        loads = tuple(negate(multiply(sliding.load, one)) for one in force)
        spring = multiply(sliding.load, factors[0])
        stored = divide(multiply(spring, power(sliding.bristle, sliding.bristle)), 2)
        gained = add(power(loads, sliding.velocity), multiply(spring, power(sliding.bristle, rates)))
        return Friction(loads, rates, stored, negate(gained))

    def _damping(self, sliding: Sliding) -> Scalar:
        """Return σ₁ at the speed of sliding: bristles that begin to slide fast would otherwise exceed the limit."""
        damping = sliding.evaluate(self.damping)
        if self.damping_speed is None:
            return damping
        speed = sliding.evaluate(self.damping_speed)
        ratio = total([square(divide(one, speed)) for one in sliding.velocity])
        return multiply(damping, sliding.scalars.call("exp", (negate(ratio),)))

    def bristle_at_touch(self, sliding: Sliding) -> Components:
        """Return the deflection of steady sliding; below Stribeck's speed it falls to zero."""
        limit = coefficient(sliding, self.mu, self.mu_static, self.speed) / sliding.evaluate(self.stiffness)
        return tuple(multiply(limit, one) for one in sliding.smoothed(sliding.evaluate(self.speed)))
