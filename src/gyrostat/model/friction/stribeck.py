"""Stribeck friction, regularised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.friction.friction_law import Friction, FrictionLaw, Sliding, coefficient, power
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.scalar.algebra import add, multiply, negate


@dataclass(frozen=True)
class Stribeck(FrictionLaw):
    """Friction that falls with the speed: −N (μ(v) v/√(v² + w²) + c v), with μ = μ_k + (μ_s − μ_k) exp(−(v/v_s)²).

    Like `Coulomb` it is smoothed over a speed w and creeps at rest with a speed of this size.
    """

    not_negative: ClassVar[tuple[str, ...]] = ("mu", "mu_static", "viscous")
    mu: Quantity = value(QuantityKind(), doc="coefficient of friction of fast sliding μ_k")
    mu_static: Quantity = value(QuantityKind(), doc="coefficient of friction at rest μ_s")
    speed: Quantity = value(QuantityKind(), doc="Stribeck's speed v_s, over which friction falls (m/s or rad/s)")
    smoothing: Quantity = value(QuantityKind(), doc="speed w over which the force changes its sign (m/s or rad/s)")
    viscous: Quantity = value(QuantityKind(), 0, doc="viscous coefficient c, per unit of normal load (s/m or s/rad)")

    def check_limits(self, known: Known, place: Place) -> None:
        """Require speeds, beside the limits of other values."""
        super().check_limits(known, place)
        require_positive(place, "speed", self.speed, "Give the speed at which friction has fallen.", known)
        require_positive(place, "smoothing", self.smoothing, "Give a speed far below Stribeck's.", known)

    def friction(self, sliding: Sliding) -> Friction:
        """Return the force."""
        mu = coefficient(sliding, self.mu, self.mu_static, self.speed)
        directions, viscous = sliding.smoothed(sliding.evaluate(self.smoothing)), sliding.evaluate(self.viscous)
        force = tuple(
            negate(multiply(sliding.load, add(multiply(mu, one), multiply(viscous, v))))
            for one, v in zip(directions, sliding.velocity, strict=True)
        )
        return Friction(force, dissipation=negate(power(force, sliding.velocity)))
