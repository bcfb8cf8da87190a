"""A plane: the surface of a half-space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.shapes.axial import AxialShape
from gyrostat.model.shapes.shape import Dimensions, Drawn, Placement

_THICKNESS = 0.005
"""Thickness of the drawn slab, in terms of its size."""


@dataclass(frozen=True)
class Plane(AxialShape):
    """A half-space for contacts: the material lies below the plane through the origin, `along` points out of it.

    It is unbounded; a square of the given size is drawn.
    """

    tag: ClassVar[str] = "plane"
    positive: ClassVar[tuple[str, ...]] = ("size",)
    size: Quantity = value(QuantityKind(), 4, doc="edge of the square that is drawn (m)")

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the size."""
        return {"size": value(self.size)}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return a thin slab below the plane."""
        own, size = self.placement(value), value(self.size)
        whole = on.then(own) if on else own
        slab = whole.then(Placement(r_BS_B=(0, 0, -0.5 * _THICKNESS * size)))
        return (Drawn("box", {"size": (size, size, _THICKNESS * size)}, slab),)
