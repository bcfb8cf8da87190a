"""A tube: a hollow cylinder with a wall of any thickness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.shapes.tube import Tube
from gyrostat.model.solids.solid import AXIS, Solid, round_bar
from gyrostat.scalar.algebra import add, square
from gyrostat.spatial import MassProperties


@dataclass(frozen=True)
class SolidTube(Solid):
    """A uniform hollow cylinder, centred at the origin; with equal radii its wall is thin."""

    tag: ClassVar[str] = "tube"
    positive: ClassVar[tuple[str, ...]] = ("outer_radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass", "inner_radius", "length")
    ordered: ClassVar[tuple[tuple[str, str], ...]] = (("inner_radius", "outer_radius"),)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    outer_radius: Quantity = value(QuantityKind(), doc="outer radius (m)")
    inner_radius: Quantity = value(QuantityKind(), doc="inner radius (m)")
    length: Quantity = value(QuantityKind(), doc="length (m)")
    along: str = value(AXIS, "z", doc="the axis of the tube")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial m (R² + r²)/2 and transverse m (3 (R² + r²) + l²)/12."""
        radii = add(square(value(self.outer_radius)), square(value(self.inner_radius)))
        return round_bar(self.along, value(self.mass), radii, square(value(self.length)))

    def shapes(self) -> tuple[Shape, ...]:
        """Return the tube."""
        return (Tube(self.outer_radius, self.inner_radius, self.length, along=self.along),)
