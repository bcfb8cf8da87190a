"""A ring: a hoop of round wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions


@dataclass(frozen=True)
class Ring(AxialShape):
    """A torus, its middle at the origin."""

    tag: ClassVar[str] = "ring"
    positive: ClassVar[tuple[str, ...]] = ("radius", "wire_radius")
    ordered: ClassVar[tuple[tuple[str, str], ...]] = (("wire_radius", "radius"),)
    radius: Quantity = value(QuantityKind(), doc="radius from the middle to the wire's centre line (m)")
    wire_radius: Quantity = value(QuantityKind(), doc="radius of the wire (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return both radii."""
        return {"radius": value(self.radius), "wire_radius": value(self.wire_radius)}
