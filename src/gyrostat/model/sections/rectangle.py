"""A rectangular cross-section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.sections.section import TAPER_SCOPE, Section, SectionProperties
from gyrostat.scalar.algebra import divide, multiply, square, subtract


@dataclass(frozen=True)
class Rectangle(Section):
    """A rectangle of sides `y` and `z` along the axes of the section."""

    tag: ClassVar[str] = "rectangle"
    positive: ClassVar[tuple[str, ...]] = ("y", "z")
    y: Quantity = value(QuantityKind(TAPER_SCOPE), doc="side along y (m)")
    z: Quantity = value(QuantityKind(TAPER_SCOPE), doc="side along z (m)")

    def properties(self, value: Evaluator) -> SectionProperties:
        """Return y z, y z³/12, z y³/12 and, within 0.2 %, a b³ (1/3 − 0.21 b/a (1 − b⁴/12 a⁴)), a ≥ b (Roark)."""
        y, z = value(self.y), value(self.z)
        area, call = multiply(y, z), value.scalars.call
        a, b = call("max", (y, z)), call("min", (y, z))
        ratio = divide(b, a)
        corner = subtract(1, divide(square(square(ratio)), 12))
        factor = subtract(divide(value.scalars.constant(1), 3), multiply(multiply(0.21, ratio), corner))
        J = multiply(multiply(a, multiply(b, square(b))), factor)
        return SectionProperties(area, divide(multiply(area, square(z)), 12), divide(multiply(area, square(y)), 12), J)
