"""The contract of a cross-section: area and second moments from dimensions."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Final, NamedTuple

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Scope
from gyrostat.model.registry import Registry
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar

ABSCISSA: Final = "x"
"""The variable of formulas of tapered sections: the distance from the root (m)."""

TAPER_SCOPE: Final = Scope(variables=frozenset((ABSCISSA,)))


class SectionProperties(NamedTuple):
    """Area (m²), second moments of area about y and z, and torsion constant (m⁴)."""

    area: Scalar
    Iy: Scalar
    Iz: Scalar
    J: Scalar


@dataclass(frozen=True)
class Section(Dimensioned):
    """A cross-section in the y-z plane, symmetric about both axes.

    A subclass sets `tag`, declares its dimensions as fields, which may be formulas of the distance x from the root, and
    defines `properties` over abstract scalars.
    """

    @abstractmethod
    def properties(self, value: Evaluator) -> SectionProperties:
        """Return area and second moments."""


SECTIONS: Registry[Section] = Registry("section", Section)
