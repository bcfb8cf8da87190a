"""A cylinder: a shaft, a rod, a disc."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions


@dataclass(frozen=True)
class Cylinder(AxialShape):
    """A cylinder, its middle at the origin."""

    tag: ClassVar[str] = "cylinder"
    not_negative: ClassVar[tuple[str, ...]] = ("radius", "length")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")
    length: Quantity = value(QuantityKind(), doc="length (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return radius and length."""
        return {"radius": value(self.radius), "length": value(self.length)}
