"""A rod: a long cylinder, infinitely thin unless it is given a radius."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import ChoiceKind, Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.cylinder import Cylinder
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import Solid, about_axis
from gyrostat.scalar.algebra import add, divide, multiply, square
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class Rod(Solid):
    """A uniform rod, its middle at the origin."""

    tag: ClassVar[str] = "rod"
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    length: Quantity = value(QuantityKind(), doc="length (m)")
    along: str = value(ChoiceKind(("x", "y", "z")), "z", doc="the axis along the rod")
    radius: Quantity = value(QuantityKind(), 0, doc="radius (m); zero for a slender rod")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial m r²/2 and transverse m (3 r² + l²)/12."""
        m, l2, r2 = value(self.mass), square(value(self.length)), square(value(self.radius))
        axial = divide(multiply(m, r2), 2)
        transverse = divide(multiply(m, add(multiply(3, r2), l2)), 12)
        return MassProperties(m, ZERO, about_axis(self.along, axial, transverse))

    def shapes(self) -> tuple[Shape, ...]:
        """Return a cylinder, thin where no radius is given."""
        radius = self.radius if self.radius.number != 0 else f"({self.length})/40"
        return (Cylinder(radius, self.length, along=self.along),)
