"""Coulomb friction, regularised."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.friction.friction_law import Friction, FrictionLaw, Sliding, power
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Known
from gyrostat.scalar.algebra import multiply, negate


@dataclass(frozen=True)
class Coulomb(FrictionLaw):
    """Friction of constant size μN, opposite to sliding: −μN v/√(v² + w²), smoothed over the speed w.

    It does not hold: under a load F < μN a body creeps with the speed w F/√(μ²N² − F²), so that it moves by about this
    speed times the time at rest. Use `Bristle` where a body must stay.
    """

    not_negative: ClassVar[tuple[str, ...]] = ("mu",)
    mu: Quantity = value(QuantityKind(), doc="coefficient of friction μ")
    speed: Quantity = value(QuantityKind(), doc="speed w over which the force changes its sign (m/s or rad/s)")

    def check_limits(self, known: Known, place: Place) -> None:
        """Require a speed of smoothing, beside the limits of other values."""
        super().check_limits(known, place)
        require_positive(place, "speed", self.speed, "Give a small speed; a body at rest creeps with it.", known)

    def friction(self, sliding: Sliding) -> Friction:
        """Return −μN v/√(v² + w²)."""
        size = multiply(sliding.evaluate(self.mu), sliding.load)
        directions = sliding.smoothed(sliding.evaluate(self.speed))
        force = tuple(negate(multiply(size, one)) for one in directions)
        return Friction(force, dissipation=negate(power(force, sliding.velocity)))
