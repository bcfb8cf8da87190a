"""A solid sphere: a ball."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.shapes.sphere import Sphere
from gyrostat.model.solids.solid import Solid, diagonal
from gyrostat.scalar.algebra import divide, multiply, square
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class SolidSphere(Solid):
    """A uniform ball, centred at the origin."""

    tag: ClassVar[str] = "sphere"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return 2 m r²/5 about every axis."""
        m = value(self.mass)
        moment = divide(multiply(2, multiply(m, square(value(self.radius)))), 5)
        return MassProperties(m, ZERO, diagonal(moment, moment, moment))

    def shapes(self) -> tuple[Shape, ...]:
        """Return the sphere."""
        return (Sphere(self.radius),)
