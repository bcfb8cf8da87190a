"""An annular cross-section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.sections.section import TAPER_SCOPE, Section, SectionProperties
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract


@dataclass(frozen=True)
class Tube(Section):
    """An annulus: the section of a tube."""

    tag: ClassVar[str] = "tube"
    positive: ClassVar[tuple[str, ...]] = ("outer_radius",)
    not_negative: ClassVar[tuple[str, ...]] = ("inner_radius",)
    ordered: ClassVar[tuple[tuple[str, str], ...]] = (("inner_radius", "outer_radius"),)
    outer_radius: Quantity = value(QuantityKind(TAPER_SCOPE), doc="outer radius (m)")
    inner_radius: Quantity = value(QuantityKind(TAPER_SCOPE), doc="inner radius (m)")

    def properties(self, value: Evaluator) -> SectionProperties:
        """Return π (R² − r²), twice π (R⁴ − r⁴)/4, and π (R⁴ − r⁴)/2."""
        outer, inner = square(value(self.outer_radius)), square(value(self.inner_radius))
        area = multiply(value.scalars.pi(), subtract(outer, inner))
        polar = divide(multiply(area, add(outer, inner)), 2)
        return SectionProperties(area, divide(polar, 2), divide(polar, 2), polar)
