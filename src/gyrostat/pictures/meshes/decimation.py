"""Meshes with fewer triangles, by clustering of vertices.

Space is divided into cells; the vertices in a cell become one, at their mean, and triangles with fewer than three
vertices vanish. Details smaller than a cell are lost, shape and extent are kept, whatever the mesh is like.
"""

from __future__ import annotations

import numpy as np

from gyrostat.pictures.meshes.mesh import Mesh

_CELL_LIMIT = 1024
"""Cells along the largest side of a mesh, at most."""
_TRIES = 12


def decimated(mesh: Mesh, most: int) -> Mesh:
    """Return a mesh with at most so many triangles: itself, or the finest clustering that is found by bisection."""
    whole = mesh.merged()
    if len(whole.triangles) <= most:
        return whole
    low, high, found = 1, _CELL_LIMIT, None
    for _ in range(_TRIES):
        middle = (low + high) // 2
        tried = clustered(whole, middle)
        if len(tried.triangles) <= most:
            low, found = middle, tried
        else:
            high = middle
        if high - low <= max(1, low // 20):
            break
    return found if found is not None else clustered(whole, low)


def clustered(mesh: Mesh, cells: int) -> Mesh:
    """Return the mesh with the vertices of each cell, of so many along its largest side, as one."""
    least = mesh.vertices.min(axis=0)
    side = float(np.ptp(mesh.vertices, axis=0).max()) / cells or 1.0
    cell = np.floor((mesh.vertices - least) / side).astype(np.int64)
    span = cell.max(axis=0) + 1
    key = (cell[:, 0] * span[1] + cell[:, 1]) * span[2] + cell[:, 2]
    _, place, count = np.unique(key, return_inverse=True, return_counts=True)
    means = np.stack([np.bincount(place, mesh.vertices[:, k]) / count for k in range(3)], axis=1)
    triangles = place[mesh.triangles]
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    turned = np.take_along_axis(triangles, (triangles.argmin(axis=1)[:, None] + np.arange(3)) % 3, axis=1)
    return Mesh(means, np.unique(turned, axis=0))
