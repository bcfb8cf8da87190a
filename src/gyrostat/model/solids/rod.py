"""A rod: a long cylinder, infinitely thin unless it is given a radius."""

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
class Rod(Solid):
    """A uniform rod, centred at the origin.

    >>> Rod("m", "l", along="y")
    Rod(mass=Formula(source='m'), length=Formula(source='l'), along='y', radius=Formula(source=0))
    """

    tag: ClassVar[str] = "rod"
    positive: ClassVar[tuple[str, ...]] = ("length",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass", "radius")
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    length: Quantity = value(QuantityKind(), doc="length (m)")
    along: str = value(AXIS, "z", doc="the axis along the rod")
    radius: Quantity = value(QuantityKind(), 0, doc="radius (m); zero for a slender rod")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial m r²/2 and transverse m (3 r² + l²)/12."""
        return round_bar(self.along, value(self.mass), square(value(self.radius)), square(value(self.length)))

    def shapes(self) -> tuple[Shape, ...]:
        """Return a cylinder, thin where no radius is given."""
        return (Cylinder(self.radius, self.length, along=self.along),)
