"""Surfaces of triangles: which edges they share, and faults of meshes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.lazy import LaterModule
from gyrostat.model.shapes.hull import open_edges

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Places = NDArray[np.int64]
else:
    np = LaterModule("numpy")

_AREA_TOLERANCE = 1e-12
"""Areas below this, in squares of the size of the mesh, are none."""


@dataclass(frozen=True, eq=False)
class Triangles:
    """Triangles with outward normals: their corners follow each other anticlockwise as seen from outside."""

    corners: Floats
    """Shape (n, 3)."""
    triangles: Places
    """Shape (t, 3)."""

    @property
    def normals(self) -> Floats:
        """Unit normals, shape (t, 3)."""
        a, b, c = (self.corners[self.triangles[:, k]] for k in range(3))
        across = np.cross(b - a, c - a)
        return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))

    @property
    def flat(self) -> list[int]:
        """The numbers of triangles without area."""
        if not len(self.triangles):
            return []
        a, b, c = (self.corners[self.triangles[:, k]] for k in range(3))
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        size = float(np.ptp(self.corners, axis=0).max())
        return [int(k) for k in np.flatnonzero(areas <= _AREA_TOLERANCE * size * size)]

    @property
    def radius(self) -> float:
        """The largest distance of a corner from the origin."""
        return float(np.linalg.norm(self.corners, axis=1).max())

    def faults(self, *, closed: bool) -> Iterator[tuple[str, str]]:
        """Yield facts and remedies: of triangles without area, edges of opposite senses, and open ones."""
        flat = self.flat
        if flat:
            yield f"{len(flat)} triangles have no area, such as number {flat[0]}.", "Leave them out."
            return
        sides: dict[tuple[int, int], int] = {}
        for t in self.triangles.tolist():
            for k in range(3):
                side = (t[k], t[(k + 1) % 3])
                sides[side] = sides.get(side, 0) + 1
        twice = sorted(side for side, count in sides.items() if count > 1)
        if twice:
            a, b = twice[0]
            fact = f"triangles at {len(twice)} edges have opposite senses, or are more than two, as at {a} to {b}."
            yield fact, "Order the corners of each triangle anticlockwise as seen from outside."
        elif closed and (off := open_edges(self.triangles.tolist())):
            a, b = off[0]
            fact = f"it is open: {len(off)} edges belong to one triangle only, as {a} to {b}."
            yield fact, "Close it, or write closed=False for a surface with a rim, such as a ramp."
