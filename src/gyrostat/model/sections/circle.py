"""A circular cross-section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.sections.section import TAPER_SCOPE, Section, SectionProperties
from gyrostat.scalar.algebra import divide, multiply, square


@dataclass(frozen=True)
class Circle(Section):
    """A full circle."""

    tag: ClassVar[str] = "circle"
    positive: ClassVar[tuple[str, ...]] = ("radius",)
    radius: Quantity = value(QuantityKind(TAPER_SCOPE), doc="radius (m)")

    def properties(self, value: Evaluator) -> SectionProperties:
        """Return π r², twice π r⁴/4, and π r⁴/2."""
        r2 = square(value(self.radius))
        area = multiply(value.scalars.pi(), r2)
        transverse = divide(multiply(area, r2), 4)
        return SectionProperties(area, transverse, transverse, divide(multiply(area, r2), 2))
