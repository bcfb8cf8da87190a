"""A height field: heights over a rectangular grid."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gyrostat.lazy import LaterModule
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds.arrays import ArrayKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.shape import Dimensions, Drawn, Placement, Shape
from gyrostat.model.shapes.triangles import Triangles
from gyrostat.once import cached_property

if TYPE_CHECKING:
    import numpy as np
else:
    np = LaterModule("numpy")


@dataclass(frozen=True)
class HeightField(Shape):
    """Ground of heights z over a grid of x and y, divided into two triangles for each cell; the material is below.

    >>> field = HeightField([0, 1, 2], [0, 1], [[0, 0], [0.1, 0.2], [0, 0]])
    >>> len(field.surface.triangles)
    4
    """

    tag: ClassVar[str] = "height_field"
    x: tuple[float, ...] = value(ArrayKind(1), doc="places of the grid along x, rising (m)")
    y: tuple[float, ...] = value(ArrayKind(1), doc="places of the grid along y, rising (m)")
    heights: tuple[tuple[float, ...], ...] = value(
        ArrayKind(2), doc="heights, a row for each x, a column for each y (m)"
    )

    def validate(self, place: Place) -> None:
        """Require a grid of two places and more in both directions, and a height for each of its nodes."""
        super().validate(place)
        for name, axis in (("x", self.x), ("y", self.y)):
            if len(axis) < 2 or any(b <= a for a, b in itertools.pairwise(axis)):
                place.inside(name).report(
                    "it is not two rising places or more.", "Give the places of the grid in order."
                )
        rows, columns = len(self.heights), len(self.heights[0]) if self.heights else 0
        if (rows, columns) != (len(self.x), len(self.y)):
            fact = f"there are {rows} × {columns} heights for a grid of {len(self.x)} × {len(self.y)}."
            place.inside("heights").report(fact, "Give a row for each x with a number for each y.")

    @cached_property
    def surface(self) -> Triangles:
        """The triangles."""
        x, y = np.meshgrid(np.array(self.x), np.array(self.y), indexing="ij")
        corners = np.stack((x.ravel(), y.ravel(), np.array(self.heights, float).ravel()), axis=1)
        number = np.arange(len(corners)).reshape(x.shape)
        a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
        halves = [np.stack((p.ravel(), q.ravel(), r.ravel()), axis=1) for p, q, r in ((a, b, c), (a, c, d))]
        return Triangles(corners, np.stack(halves, axis=1).reshape(-1, 3))

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return grid and heights."""
        return {"x": self.x, "y": self.y, "heights": self.heights}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return the lines of the grid."""
        own = self.placement(value)
        whole = on.then(own) if on else own
        nodes = self.surface.corners.reshape(len(self.x), len(self.y), 3)
        lines = [*nodes, *nodes.transpose(1, 0, 2)]
        return tuple(Drawn("line", {"points": tuple(map(tuple, line.tolist())), "radius": 0}, whole) for line in lines)
