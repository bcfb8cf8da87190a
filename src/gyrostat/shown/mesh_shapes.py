"""Meshes of files for scenes: each file is read once, and has at most its share of a scene's triangles."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gyrostat.model import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.pictures.meshes import Mesh, decimated, read_mesh

TRIANGLE_LIMIT = 200_000
"""The triangles of a scene, over all files."""
_FILE_TRIANGLE_LIMIT = 20_000
_FILE_TRIANGLE_MINIMUM = 400


def triangles_of_each(bodies: Iterable[Body], value: Evaluator) -> int:
    """Return how many triangles a mesh may have, from the number of files that the bodies show."""
    files = {drawn.file for body in bodies for shape in body.drawn() for drawn in shape.drawn(value) if drawn.file}
    return max(_FILE_TRIANGLE_MINIMUM, min(_FILE_TRIANGLE_LIMIT, TRIANGLE_LIMIT // max(1, len(files))))


def mesh_dimensions(file: str, scale: NDArray[np.float64], most: int) -> dict[str, NDArray[np.float64]]:
    """Return the vertices and triangles of a file as a scene has them."""
    mesh = _kept(file, _stamp(file), most)
    inside_out = np.prod(scale) < 0
    triangles = mesh.triangles[:, ::-1] if inside_out else mesh.triangles
    return {"vertices": mesh.vertices * scale, "triangles": triangles.astype(float)}


def _stamp(file: str) -> tuple[int, int]:
    """Return size and time of a file, by which a changed one is read again."""
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return 0, 0
    return status.st_size, status.st_mtime_ns


@lru_cache(maxsize=256)
def _kept(file: str, stamp: tuple[int, int], most: int) -> Mesh:
    return decimated(read_mesh(Path(file)), most)
