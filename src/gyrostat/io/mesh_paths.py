"""Files of meshes that robot descriptions name: paths, and names of packages of ROS and Gazebo."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from gyrostat.pictures.meshes import SUFFIXES

_OWN_SUFFIXES = (".stl", ".obj")


def mesh_path(name: str, file: Path) -> Path | None:
    """Return the file of a mesh that a robot description names, or None where there is none that can be read.

    A name is a path relative to the description, or package://name/path and model://name/path, where the package is the
    folder of that name nearest to the description, above or beside it.
    """
    scheme, found, rest = name.strip().partition("://")
    if not found:
        return readable_mesh(file.parent / scheme)
    if scheme == "file":
        return readable_mesh(Path(rest))
    if scheme not in ("package", "model"):
        return None
    package, _, inside = rest.partition("/")
    for folder in file.resolve().parents:
        for base in (folder, folder / package):
            if base.name == package and (mesh := readable_mesh(base / inside)):
                return mesh
    return None


def readable_mesh(path: Path) -> Path | None:
    """Return the whole path of a mesh, or None where there is no file or nothing that can read it."""
    try:
        is_file = path.is_file()
    except (OSError, ValueError):
        return None
    suffix = path.suffix.lower()
    needed = ("trimesh", "collada") if suffix == ".dae" else ("trimesh",)
    known = suffix in _OWN_SUFFIXES or (suffix in SUFFIXES and all(find_spec(name) is not None for name in needed))
    return path.resolve() if is_file and known else None
