"""A cone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions


@dataclass(frozen=True)
class Cone(AxialShape):
    """A cone, pointing towards `along`; the origin is its centroid, at a quarter of the height above the base."""

    tag: ClassVar[str] = "cone"
    positive: ClassVar[tuple[str, ...]] = ("radius", "length")
    radius: Quantity = value(QuantityKind(), doc="radius of the base (m)")
    length: Quantity = value(QuantityKind(), doc="height from base to apex (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return radius and height."""
        return {"radius": value(self.radius), "length": value(self.length)}
