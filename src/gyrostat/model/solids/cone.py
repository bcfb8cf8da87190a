"""A solid cone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import ChoiceKind, Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.cone import Cone
from gyrostat.model.shapes.shape import Shape
from gyrostat.model.solids.solid import Solid, about_axis
from gyrostat.scalar.algebra import add, divide, multiply, square
from gyrostat.spatial import UNIT, ZERO, MassProperties


@dataclass(frozen=True)
class SolidCone(Solid):
    """A uniform right circular cone with its mass centre at the origin, pointing towards `along`.

    Its base lies a quarter of its height behind the origin, its apex three quarters in front of it.
    """

    tag: ClassVar[str] = "cone"
    positive: ClassVar[tuple[str, ...]] = ("radius", "length")
    not_negative: ClassVar[tuple[str, ...]] = ("mass",)
    mass: Quantity = value(QuantityKind(), doc="mass (kg)")
    radius: Quantity = value(QuantityKind(), doc="radius of the base (m)")
    length: Quantity = value(QuantityKind(), doc="height from base to apex (m)")
    along: str = value(ChoiceKind(tuple(UNIT)), "z", doc="the direction from base to apex")

    def mass_properties(self, value: Evaluator) -> MassProperties:
        """Return axial 3 m r²/10 and, about the mass centre, transverse 3 m (4 r² + h²)/80."""
        m, r2, h2 = value(self.mass), square(value(self.radius)), square(value(self.length))
        axial = divide(multiply(3, multiply(m, r2)), 10)
        transverse = divide(multiply(3, multiply(m, add(multiply(4, r2), h2))), 80)
        return MassProperties(m, ZERO, about_axis(self.along[-1], axial, transverse))

    def shapes(self) -> tuple[Shape, ...]:
        """Return the cone."""
        return (Cone(self.radius, self.length, along=self.along),)
