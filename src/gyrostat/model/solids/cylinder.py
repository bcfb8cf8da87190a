"""A solid cylinder: a shaft, a thick disc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.cylinder import Cylinder
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import AXIS, Solid, round_bar
from gyrostat.scalar.algebra import square
from gyrostat.spatial import MassProperties


@dataclass(frozen=True)
class SolidCylinder(Solid):
    """A uniform cylinder, centred at the origin."""

    tag: ClassVar[str] = "cylinder"
    not_negative: ClassVar[tuple[str, ...]] = ("mass", "radius", "length")
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")
    length: Quantity = value(QuantityKind(), doc="length (m)")
    along: str = value(AXIS, "z", doc="the axis of the cylinder")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial m r²/2 and transverse m (3 r² + l²)/12."""
        return round_bar(self.along, value(self.mass), square(value(self.radius)), square(value(self.length)))

    def shapes(self) -> tuple[Shape, ...]:
        """Return the cylinder."""
        return (Cylinder(self.radius, self.length, along=self.along),)
