"""A solid ellipsoid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind, Triple, VectorKind
from gyrostat.model.record import value
from gyrostat.model.shapes.ellipsoid import Ellipsoid
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import Solid, diagonal
from gyrostat.scalar.algebra import add, divide, multiply, square
from gyrostat.spatial import ZERO, MassProperties


@dataclass(frozen=True)
class SolidEllipsoid(Solid):
    """A uniform ellipsoid, centred at the origin."""

    tag: ClassVar[str] = "ellipsoid"
    not_negative: ClassVar[tuple[str, ...]] = ("mass", "semi_axes")
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    semi_axes: Triple = value(VectorKind(), doc="semi-axes along x, y, z (m)")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return m (b² + c²)/5 and its cyclic permutations."""
        m = value(self.mass)
        a2, b2, c2 = (square(x) for x in value.vector(self.semi_axes))
        xx, yy, zz = (divide(multiply(m, sum2), 5) for sum2 in (add(b2, c2), add(a2, c2), add(a2, b2)))
        return MassProperties(m, ZERO, diagonal(xx, yy, zz))

    def shapes(self) -> tuple[Shape, ...]:
        """Return the ellipsoid."""
        return (Ellipsoid(self.semi_axes),)
