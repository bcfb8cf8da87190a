"""A capsule: a cylinder with round ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions, Drawn, Placement
from gyrostat.scalar.algebra import divide, negate


@dataclass(frozen=True)
class Capsule(AxialShape):
    """A cylinder with half spheres at both ends, centred at the origin: all points within the radius of a segment."""

    tag: ClassVar[str] = "capsule"
    positive: ClassVar[tuple[str, ...]] = ("radius", "length")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")
    length: Quantity = value(QuantityKind(), doc="length of the cylinder, between the centres of the ends (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return radius and length of the cylinder."""
        return {"radius": value(self.radius), "length": value(self.length)}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return a cylinder and two spheres."""
        own, sizes, half = self.placement(value), self.dimensions(value), divide(value(self.length), 2)
        whole, ball = on.then(own) if on else own, {"radius": sizes["radius"]}
        ends = (whole.then(Placement(r_BS_B=(0, 0, z))) for z in (half, negate(half)))
        return (Drawn("cylinder", sizes, whole), *(Drawn("sphere", ball, end) for end in ends))
