"""A ring: all its mass on a circle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.ring import Ring
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import AXIS, Solid, about_axis
from gyrostat.scalar.algebra import divide, multiply, square
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class SolidRing(Solid):
    """A uniform thin hoop, centred at the origin."""

    tag: ClassVar[str] = "ring"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")
    along: str = value(AXIS, "z", doc="the axis of the ring, normal to its plane")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial m r² and transverse m r²/2."""
        m = value(self.mass)
        axial = multiply(m, square(value(self.radius)))
        return MassProperties(m, ZERO, about_axis(self.along, axial, divide(axial, 2)))

    def shapes(self) -> tuple[Shape, ...]:
        """Return a hoop of thin wire."""
        return (Ring(self.radius, along=self.along),)
