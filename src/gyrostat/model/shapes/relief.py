"""A relief: the surface z = f(x, y)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind, Scope
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Drawn, Placement, Shape

PLACE = ("x", "y")
"""The variables of the height."""


@dataclass(frozen=True)
class Relief(Shape):
    """A surface z = f(x, y) for contacts, a formula in its own axes; the material lies below. It is not drawn."""

    tag: ClassVar[str] = "relief"
    height: Quantity = value(QuantityKind(Scope(variables=frozenset(PLACE))), doc="height z, a formula of x and y (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return an empty mapping: the height is no number."""
        return {}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return no simple shape."""
        return ()
