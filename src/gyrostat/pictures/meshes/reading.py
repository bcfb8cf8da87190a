"""Meshes from files of any source."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from gyrostat.pictures.meshes.mesh import Mesh
from gyrostat.pictures.meshes.obj import read_obj
from gyrostat.pictures.meshes.stl import read_stl
from gyrostat.pictures.meshes.trimesh_reading import read_by_trimesh
from gyrostat.results.file_content import file_bytes, refusal

BYTE_LIMIT: Final = 64_000_000
_READERS = {".stl": read_stl, ".obj": read_obj}
_TRIMESH_SUFFIXES = (".dae", ".glb", ".gltf", ".off", ".ply", ".3mf")
SUFFIXES: Final = (*_READERS, *_TRIMESH_SUFFIXES)
"""The suffixes of files of meshes."""


def read_mesh(path: str | os.PathLike[str]) -> Mesh:
    """Return the mesh of a file; raise `ModelFileError` where it cannot be one.

    STL and OBJ are read here, other formats by trimesh, which is the extra `meshes`.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix not in SUFFIXES:
        fact = f"the suffix {file.suffix!r:.20} is none of a mesh that is read here."
        raise refusal(file, fact, "Convert it to .stl or .obj in a mesh tool.")
    reader = _READERS.get(suffix) or partial(read_by_trimesh, file)
    content = file_bytes(file, BYTE_LIMIT, "Reduce it in a mesh tool.")
    try:
        mesh = reader(content)
    except ValueError as error:
        raise refusal(file, f"it is malformed: {error!s:.200}.", "Export it again.") from None
    if not len(mesh.triangles):
        raise refusal(file, "it has no triangles.", "Is this the whole file?")
    if not np.isfinite(mesh.vertices).all():
        raise refusal(file, "a vertex is not finite.", "Export it again.")
    if mesh.triangles.min() < 0 or mesh.triangles.max() >= len(mesh.vertices):
        raise refusal(file, "a triangle has a vertex that is not in the file.", "Export it again.")
    return mesh
