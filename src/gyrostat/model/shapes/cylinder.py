"""A cylinder: a shaft, a rod, a disc."""

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
class Cylinder(AxialShape):
    """A cylinder, centred at the origin.

    With zero radius it is drawn as a thin rod, with zero length as a thin disc.
    """

    tag: ClassVar[str] = "cylinder"
    not_negative: ClassVar[tuple[str, ...]] = ("radius", "length")
    radius: Quantity = value(QuantityKind(), doc="radius (m)")
    length: Quantity = value(QuantityKind(), doc="length (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return radius and length; a zero is replaced by a small value relative to the other."""
        radius, length = value(self.radius), value(self.length)
        if is_zero(radius):
            radius = divide(length, 40)
        elif is_zero(length):
            length = divide(radius, 20)
        return {"radius": radius, "length": length}
