"""A point mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import Solid, diagonal
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class PointMass(Solid):
    """A mass at the origin, without inertia about it."""

    tag: ClassVar[str] = "point_mass"
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return the mass alone."""
        return MassProperties(value(self.mass), ZERO, diagonal(0, 0, 0))

    def shapes(self) -> tuple[Shape, ...]:
        """Return no shapes: a point has no size."""
        return ()
