"""A box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Shape


@dataclass(frozen=True)
class Box(Shape):
    """A box, centred at the origin."""

    tag: ClassVar[str] = "box"
    not_negative: ClassVar[tuple[str, ...]] = ("size",)
    size: Triple = value(VectorKind(), doc="lengths of the edges along x, y, z (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the lengths of the edges."""
        return {"size": value.vector(self.size)}
