"""An I-shaped cross-section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.sections.section import TAPER_SCOPE, Section, SectionProperties
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract


@dataclass(frozen=True)
class ISection(Section):
    """An I with its web along y and its two flanges along z; thin walls for torsion."""

    tag: ClassVar[str] = "i"
    positive: ClassVar[tuple[str, ...]] = ("height", "width", "web", "flange")
    ordered: ClassVar[tuple[tuple[str, str], ...]] = (("web", "width"), ("flange", "height"))
    height: Quantity = value(QuantityKind(TAPER_SCOPE), doc="height along y, over both flanges (m)")
    width: Quantity = value(QuantityKind(TAPER_SCOPE), doc="width of the flanges, along z (m)")
    web: Quantity = value(QuantityKind(TAPER_SCOPE), doc="thickness of the web (m)")
    flange: Quantity = value(QuantityKind(TAPER_SCOPE), doc="thickness of a flange (m)")

    def properties(self, value: Evaluator) -> SectionProperties:
        """Return the sums over web and flanges; the torsion constant is Σ length · thickness³/3."""
        h, b, t, f = value(self.height), value(self.width), value(self.web), value(self.flange)
        clear = subtract(h, multiply(2, f))
        area = add(multiply(2, multiply(b, f)), multiply(t, clear))
        Iz = divide(subtract(multiply(b, _cube(h)), multiply(subtract(b, t), _cube(clear))), 12)
        Iy = divide(add(multiply(2, multiply(f, _cube(b))), multiply(clear, _cube(t))), 12)
        J = divide(add(multiply(2, multiply(b, _cube(f))), multiply(clear, _cube(t))), 3)
        return SectionProperties(area, Iy, Iz, J)


def _cube(a: Scalar) -> Scalar:
    return multiply(a, square(a))
