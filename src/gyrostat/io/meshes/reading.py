"""Meshes from files of any source."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import numpy as np

from gyrostat.errors import Fault, ModelFileError
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
        raise _refusal(file, fact, "Convert it to .stl or .obj in a mesh tool.")
    try:
        if file.stat().st_size > MOST_BYTES:
            raise _refusal(file, f"it has more than {MOST_BYTES:,} bytes.", "Reduce it in a mesh tool.")
        mesh = reader(file.read_bytes())
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) or "\0" in str(path):
            reason = getattr(error, "strerror", None) or str(error)
            raise _refusal(file, f"it cannot be read: {reason}.", "Check the path and its permissions.") from None
        raise _refusal(file, f"it is malformed: {error!s:.200}.", "Export it again.") from None
    if not len(mesh.triangles):
        raise _refusal(file, "it has no triangles.", "Is this the whole file?")
    if not np.isfinite(mesh.vertices).all():
        raise _refusal(file, "a vertex is not finite.", "Export it again.")
    return mesh


def _refusal(file: Path, fact: str, remedy: str) -> ModelFileError:
    return ModelFileError(Fault(file.name, fact, remedy))
