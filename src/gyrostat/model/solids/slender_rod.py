"""A slender rod: all its mass on a line."""

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
class SlenderRod(Solid):
    """A uniform rod without thickness, centred at the origin."""

    tag: ClassVar[str] = "slender_rod"
    positive: ClassVar[tuple[str, ...]] = ("length",)
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    length: Quantity = value(QuantityKind(), doc="length (m)")
    along: str = value(AXIS, "z", doc="the axis along the rod")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return transverse m l²/12; about its own axis a slender rod has no inertia."""
        return round_bar(self.along, value(self.mass), 0, square(value(self.length)))

    def shapes(self) -> tuple[Shape, ...]:
        """Return a thin cylinder."""
        return (Cylinder(ZERO, self.length, along=self.along),)
