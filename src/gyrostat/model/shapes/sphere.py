"""A sphere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Shape


@dataclass(frozen=True)
class Sphere(Shape):
    """A sphere, centred at the origin."""

    tag: ClassVar[str] = "sphere"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    radius: Quantity = value(QuantityKind(), doc="radius (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the radius."""
        return {"radius": value(self.radius)}
