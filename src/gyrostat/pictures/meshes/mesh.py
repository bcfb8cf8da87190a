"""Meshes of triangles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles: the positions of vertices (n, 3), in metres, and three vertices of each triangle (m, 3).

    Seen from outside, the vertices of a triangle follow each other counterclockwise.
    """

    vertices: Floats
    triangles: Places

    @property
    def corners(self) -> Floats:
        """The positions of the three vertices of each triangle, shape (m, 3, 3)."""
        return np.asarray(self.vertices[self.triangles])

    def merged(self) -> Mesh:
        """Return the mesh with vertices of equal position taken as one, without triangles of fewer than three."""
        positions, place = np.unique(self.vertices, axis=0, return_inverse=True)
        triangles = place.reshape(-1)[self.triangles]
        a, b, c = triangles.T
        return Mesh(positions, triangles[(a != b) & (b != c) & (c != a)])
