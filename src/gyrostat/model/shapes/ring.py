"""A ring: a hoop of round wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions
from gyrostat.scalar.algebra import divide, is_zero


@dataclass(frozen=True)
class Ring(AxialShape):
    """A torus, centred at the origin; with zero wire radius it is drawn as thin wire."""

    tag: ClassVar[str] = "ring"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("wire_radius",)
    ordered: ClassVar[tuple[tuple[str, str], ...]] = (("wire_radius", "radius"),)
    radius: Quantity = value(QuantityKind(), doc="radius of the wire's centre line (m)")
    wire_radius: Quantity = value(QuantityKind(), 0, doc="radius of the wire (m); zero for thin wire")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return both radii."""
        radius, wire_radius = value(self.radius), value(self.wire_radius)
        return {"radius": radius, "wire_radius": divide(radius, 40) if is_zero(wire_radius) else wire_radius}
