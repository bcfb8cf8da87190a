"""A convex polyhedron."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gyrostat.errors import Fault, ModelError
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import ListKind, Triple, VectorKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.hull import Hull, open_edges
from gyrostat.model.shapes.shape import Dimensions, Drawn, Placement, Shape
from gyrostat.once import cached_property


@dataclass(frozen=True)
class Polyhedron(Shape):
    """The convex hull of points, all of which are its corners; it is drawn by its edges.

    `Polyhedron.from_mesh(points, triangles)` checks that a mesh is closed and convex.

    >>> pyramid = Polyhedron([(0, 0, 1), (1, 0, 0), (-1, 1, 0), (-1, -1, 0)])
    >>> len(pyramid.hull.faces)
    4
    """

    tag: ClassVar[str] = "polyhedron"
    points: tuple[Triple, ...] = value(ListKind(VectorKind()), doc="the corners, numbers (m)")

    def validate(self, place: Place) -> None:
        """Require numbers, a volume, and points that are corners."""
        super().validate(place)
        inside = place.inside("points")
        if any(one.number is None for point in self.points for one in point):
            inside.report("a corner is given by a formula.", "Give numbers: faces depend on them.")
        elif Hull.of(self._numbers) is None:
            inside.report(
                f"its {len(self.points)} points enclose no volume.", "Give four corners or more, not in a plane."
            )
        else:
            deepest = self.hull.farthest_inside(self._numbers)
            if deepest is not None:
                number, depth = deepest
                inside.report(
                    f"it is not convex: point {number} lies {depth:.3g} m inside the hull of the others.",
                    "Leave inner points out, or make a concave body a Group of convex parts.",
                )

    @property
    def _numbers(self) -> list[tuple[float, ...]]:
        return [tuple(float(one.number or 0) for one in point) for point in self.points]

    @cached_property
    def hull(self) -> Hull:
        """Corners, faces and edges."""
        hull = Hull.of(self._numbers)
        assert hull is not None, "validated when it was made"
        return hull

    @staticmethod
    def from_mesh(points: Sequence[Sequence[float]], triangles: Sequence[Sequence[int]], **placed: Any) -> Polyhedron:
        """Return the polyhedron that a closed convex mesh encloses; triangles are numbers of points, from 0."""
        off = open_edges(triangles)
        if off:
            a, b = off[0]
            fact = f"it is not closed: {len(off)} edges are not between two triangles of one sense, as {a} to {b}."
            raise ModelError(Fault("mesh", fact, "Repair it, or give its points to Polyhedron, for their convex hull."))
        used = sorted({int(i) for triangle in triangles for i in triangle})
        corners = [[float(x) for x in points[i]] for i in used]
        hull = Hull.of(corners)
        if hull is None:
            raise ModelError(Fault("mesh", "it encloses no volume.", "Give corners that are not in a plane."))
        deepest = hull.farthest_inside(corners)
        if deepest is not None:
            fact = f"it is not convex: point {used[deepest[0]]} lies {deepest[1]:.3g} m inside the hull of the others."
            raise ModelError(Fault("mesh", fact, "Divide it into convex parts, and make these a Group."))
        return Polyhedron(tuple((Formula.of(x), Formula.of(y), Formula.of(z)) for x, y, z in hull.corners), **placed)

    def dimensions(self, value: Evaluator) -> Dimensions:
        """Return the corners."""
        return {"points": tuple(value.vector(point) for point in self.points)}

    def drawn(self, value: Evaluator, on: Placement | None = None) -> tuple[Drawn, ...]:
        """Return the outlines of all faces."""
        own, corners = self.placement(value), self.hull.corners
        whole = on.then(own) if on else own
        loops = ([*face.corners, face.corners[0]] for face in self.hull.faces)
        return tuple(Drawn("line", {"points": tuple(corners[i] for i in loop), "radius": 0}, whole) for loop in loops)
