"""Meshes from files of any source."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np

from gyrostat.io.file_content import file_bytes, refusal
from gyrostat.io.meshes.mesh import Mesh
from gyrostat.io.meshes.obj import read_obj
from gyrostat.io.meshes.stl import read_stl

MOST_BYTES: Final = 64_000_000
_READERS = {".stl": read_stl, ".obj": read_obj}


def read_mesh(path: str | os.PathLike[str]) -> Mesh:
    """Return the mesh of an STL or OBJ file; raise `ModelFileError` where it cannot be one."""
    file = Path(path)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        fact = f"the suffix {file.suffix!r:.20} is none of a mesh that is read here."
        raise refusal(file, fact, "Convert it to .stl or .obj in a mesh tool.")
    content = file_bytes(file, MOST_BYTES, "Reduce it in a mesh tool.")
    try:
        mesh = reader(content)
    except ValueError as error:
        raise refusal(file, f"it is malformed: {error!s:.200}.", "Export it again.") from None
    if not len(mesh.triangles):
        raise refusal(file, "it has no triangles.", "Is this the whole file?")
    if not np.isfinite(mesh.vertices).all():
        raise refusal(file, "a vertex is not finite.", "Export it again.")
    return mesh
