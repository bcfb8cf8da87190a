"""Convex hulls of points: corners, plane faces and edges, and checks of meshes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.lazy import LaterModule

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
else:
    np = LaterModule("numpy")

Point = tuple[float, float, float]

_FLATNESS_TOLERANCE = 1e-9
"""Distances below this, in sizes of the hull, are rounding errors."""


@dataclass(frozen=True)
class Face:
    """A plane face of a convex polyhedron."""

    normal: Point
    """Unit vector outwards."""
    offset: float
    """Distance of the plane from the origin, along the normal."""
    corners: tuple[int, ...]
    """The numbers of its corners, anticlockwise as seen from outside."""


@dataclass(frozen=True)
class Hull:
    """A convex polyhedron."""

    corners: tuple[Point, ...]
    faces: tuple[Face, ...]

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of corners that edges connect, each once."""
        found = {tuple(sorted(pair)) for face in self.faces for pair in _around(face.corners)}
        return tuple((a, b) for a, b in sorted(found))

    @staticmethod
    def of(points: Sequence[Sequence[float]]) -> Hull | None:
        """Return the convex hull of points; None where they lie in a plane."""
        from scipy.spatial import ConvexHull, QhullError

        given = np.asarray(points, dtype=float)
        if len(given) < 4:
            return None
        try:
            found = ConvexHull(given)
        except QhullError:
            return None
        corners = given[np.sort(found.vertices)]
        size = float(np.ptp(corners, axis=0).max())
        planes: list[Array] = []
        for plane in found.equations:
            if not any(np.abs(plane - other).max() < _FLATNESS_TOLERANCE * max(1.0, size) for other in planes):
                planes.append(plane)
        faces = tuple(_face(corners, plane, size) for plane in planes)
        return Hull(tuple(tuple(corner) for corner in corners.tolist()), faces)

    @property
    def centroid(self) -> Point:
        """The mass centre of a uniform solid."""
        x, y, z = self._moments()[1].tolist()
        return (x, y, z)

    def inertia(self, mass: float) -> tuple[Point, Point, Point]:
        """Return the inertia of a uniform solid of given mass about its mass centre."""

        volume, centre, second = self._moments()
        about = second / volume - np.outer(centre, centre)
        xx, yy, zz = (mass * (np.trace(about) * np.eye(3) - about)).tolist()
        return tuple(xx), tuple(yy), tuple(zz)

    def _moments(self) -> tuple[float, Array, Array]:
        """Return the volume, the mass centre, and ∫ r rᵀ dV, by tetrahedra between a corner and all faces."""

        corners = np.array(self.corners)
        volume, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        for face in self.faces:
            a = face.corners[0]
            for b, c in zip(face.corners[1:-1], face.corners[2:], strict=True):
                tetrahedron = corners[[0, a, b, c]]
                part = float(np.linalg.det(tetrahedron[1:] - tetrahedron[0])) / 6
                total = tetrahedron.sum(axis=0)
                volume += part
                first += part * total / 4
                second += part * (tetrahedron.T @ tetrahedron + np.outer(total, total)) / 20
        return volume, first / volume, second

    def farthest_inside(self, points: Sequence[Sequence[float]]) -> tuple[int, float] | None:
        """Return the number and the depth of the point that lies deepest inside; None where all are on the surface."""

        given = np.asarray(points, dtype=float)
        depths = np.min([face.offset - given @ np.array(face.normal) for face in self.faces], axis=0)
        deepest = int(np.argmax(depths))
        size = float(np.ptp(np.array(self.corners), axis=0).max())
        return (deepest, float(depths[deepest])) if depths[deepest] > 10 * _FLATNESS_TOLERANCE * size else None


def _face(corners: Array, plane: Array, size: float) -> Face:
    """Return the face in a plane, with its corners in order."""
    normal, offset = plane[:3], -float(plane[3])
    on = np.flatnonzero(np.abs(corners @ normal - offset) < 10 * _FLATNESS_TOLERANCE * size)
    out = corners[on] - corners[on].mean(axis=0)
    first = out[0] / np.linalg.norm(out[0])
    angles = np.arctan2(out @ np.cross(normal, first), out @ first)
    x, y, z = normal.tolist()
    return Face((x, y, z), offset, tuple(on[np.argsort(angles)].tolist()))


def _around(corners: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pairs of successive corners of a face."""
    return [(corners[i - 1], corners[i]) for i in range(len(corners))]


def open_edges(triangles: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the edges of a mesh that do not belong to two triangles of opposite sense."""
    sides = Counter(pair for triangle in triangles for pair in _around([int(i) for i in triangle]))
    return sorted(pair for pair, count in sides.items() if count != 1 or sides[pair[1], pair[0]] != 1)
