"""A disc: all its mass in a plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.kinds.quantities import ZERO
from gyrostat.model.record import value
from gyrostat.model.shapes.cylinder import Cylinder
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import AXIS, Solid, round_bar
from gyrostat.scalar.algebra import square
from gyrostat.spatial import MassProperties


@dataclass(frozen=True)
class Disc(Solid):
    """A uniform circular disc without thickness, centred at the origin."""

    tag: ClassVar[str] = "disc"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")
    along: str = value(AXIS, "z", doc="the axis of the disc, normal to its plane")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial m r²/2 and transverse m r²/4."""
        return round_bar(self.along, value(self.mass), square(value(self.radius)), 0)

    def shapes(self) -> tuple[Shape, ...]:
        """Return a flat cylinder."""
        return (Cylinder(self.radius, ZERO, along=self.along),)
