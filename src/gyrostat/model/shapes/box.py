"""A box."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Shape
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Box(Shape):
    """A box with its edges along the axes, its middle at `at`."""

    tag: ClassVar[str] = "box"
    size: Triple = value(VectorKind(), doc="lengths of the edges along x, y, z (m)")
    at: Triple = value(VectorKind(), (0, 0, 0), doc="position of the middle (m)", keyword=True)

    def dimensions(self, value: Evaluator) -> dict[str, Scalar | tuple[Scalar, ...]]:
        """Return size and middle."""
        return {"size": value.vector(self.size), "at": value.vector(self.at)}
