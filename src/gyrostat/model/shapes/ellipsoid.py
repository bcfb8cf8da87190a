"""An ellipsoid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Shape


@dataclass(frozen=True)
class Ellipsoid(Shape):
    """An ellipsoid, centred at the origin."""

    tag: ClassVar[str] = "ellipsoid"
    not_negative: ClassVar[tuple[str, ...]] = ("semi_axes",)
    semi_axes: Triple = value(VectorKind(), doc="semi-axes along x, y, z (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the semi-axes."""
        return {"semi_axes": value.vector(self.semi_axes)}
