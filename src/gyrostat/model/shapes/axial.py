"""Shapes of revolution."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.kinds import ChoiceKind
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Shape
from gyrostat.spatial import UNIT, Matrix

_AXES: dict[str, Matrix] = {
    "x": ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    "y": ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    "z": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "-x": ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    "-y": ((0, -1, 0), (0, 0, -1), (1, 0, 0)),
    "-z": ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
}
"""Rotations that map z to the named axis."""


@dataclass(frozen=True, kw_only=True)
class AxialShape(Shape):
    """Base of the shapes of revolution; the axis is z of the shape's frame S, which `along` aligns with a body axis."""

    along: str = value(ChoiceKind(tuple(UNIT)), "z", doc="direction of the axis before `turn`", keyword=True)

    def axes(self) -> Matrix:
        """Return the rotation that maps z to the named axis."""
        return _AXES[self.along]
