"""Planes in which faces of several bodies lie: there, one body must be painted over the others as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.stills.mesh import Mesh

_NORMAL, _OFFSET = 1e-3, 1e-4
"""Differences of unit normals, and of distances in sizes of the scene, up to which planes count as one."""
_FEW = 200_000
"""Largest number of faces that are looked at; in larger pictures faces are small."""


def shared_planes(bodies: Sequence[Sequence[Mesh]], size: float) -> list[bool]:
    """Return for each body, given by its surfaces in the world, whether one of its faces lies in a plane of others."""
    if sum(len(mesh.faces) for meshes in bodies for mesh in meshes) > _FEW:
        return [False] * len(bodies)
    planes = [_planes(meshes, size) for meshes in bodies]
    count = Counter(plane for each in planes for plane in each)
    return [any(count[plane] > 1 for plane in each) for each in planes]


def _planes(meshes: Sequence[Mesh], size: float) -> set[tuple[int, ...]]:
    """Return the planes of faces, as rounded normals and distances from the origin."""
    found: set[tuple[int, ...]] = set()
    for mesh in meshes:
        corners: Floats = mesh.vertices[mesh.faces]
        normals = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
        lengths = np.linalg.norm(normals, axis=1)
        flat = lengths > 0
        normals = normals[flat] / lengths[flat, None]
        offsets = np.einsum("fi,fi->f", normals, corners[flat, 0]) / size
        keys = np.column_stack((normals / _NORMAL, offsets / _OFFSET))
        found |= set(map(tuple, np.unique(np.round(keys[np.isfinite(keys).all(axis=1)]).astype(int), axis=0).tolist()))
    return found
