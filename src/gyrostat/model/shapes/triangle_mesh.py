"""A surface of triangles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gyrostat.lazy import LaterModule
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import FlagKind
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
class TriangleMesh(Shape):
    """A surface of triangles, which need not be convex; it is drawn by their edges.

    Corners of triangles are numbers of points, from 0, anticlockwise as seen from outside.

    >>> ramp = TriangleMesh([(0, 0, 0), (1, 0, 0), (1, 1, 0.5), (0, 1, 0.5)], [(0, 1, 2), (0, 2, 3)], closed=False)
    >>> len(ramp.surface.triangles)
    2
    """

    tag: ClassVar[str] = "triangle_mesh"
    points: tuple[tuple[float, ...], ...] = value(ArrayKind(2), doc="the corners, n × 3 (m)")
    triangles: tuple[tuple[float, ...], ...] = value(ArrayKind(2), doc="three numbers of points for each triangle")
    closed: bool = value(FlagKind(), True, doc="whether the surface must enclose a volume", keyword=True)

    def validate(self, place: Place) -> None:
        """Require triangles of known points, with areas, in one sense, and without a rim unless it is open."""
        super().validate(place)
        columns = {len(row) for row in (*self.points, *self.triangles)}
        if not self.points or not self.triangles or columns != {3}:
            place.report(
                "it has no points and triangles of three numbers each.", "Give points=[[x, y, z], …] and triangles."
            )
            return
        numbers = [one for row in self.triangles for one in row]
        unknown = next((one for one in numbers if one != int(one) or not 0 <= one < len(self.points)), None)
        if unknown is not None:
            fact = f"{unknown:g} is no number of a point; there are {len(self.points)}."
            place.inside("triangles").report(fact, "Points are counted from 0.")
            return
        for fact, remedy in self.surface.faults(closed=self.closed):
            place.inside("triangles").report(fact, remedy)

    @cached_property
    def surface(self) -> Triangles:
        """The triangles as arrays."""
        return Triangles(np.array(self.points, float), np.array(self.triangles, np.int64))

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return corners and triangles."""
        return {"points": self.points, "triangles": self.triangles}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return the outlines of all triangles."""
        own, points = self.placement(value), self.points
        whole = on.then(own) if on else own
        loops = ([points[int(i)] for i in (*triangle, triangle[0])] for triangle in self.triangles)
        return tuple(Drawn("line", {"points": tuple(loop), "radius": 0}, whole) for loop in loops)
