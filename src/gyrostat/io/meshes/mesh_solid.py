"""Mass properties of the solid within a closed mesh."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gyrostat.errors import Fault, GyrostatError, ModelFileError
from gyrostat.pictures.meshes.mesh import Floats, Mesh
from gyrostat.pictures.meshes.reading import read_mesh

Vector: TypeAlias = tuple[float, float, float]


@dataclass(frozen=True)
class MeshSolid:
    """A uniform solid: mass (kg), mass centre (m), inertia about it in the axes of the file (kg·m²), volume (m³)."""

    mass: float
    com: Vector
    inertia: tuple[Vector, Vector, Vector]
    volume: float


def mesh_solid(
    path: str | os.PathLike[str],
    *,
    density: float | None = None,
    mass: float | None = None,
    scale: float | Sequence[float] = 1.0,
) -> MeshSolid:
    """Return the mass properties of the uniform solid within a closed mesh, an STL (ASCII or binary) or OBJ file.

    Give its density (kg/m³) or its mass (kg). Positions in the file are multiplied by `scale`, one number or three:
    1e-3 for a file in millimetres. Use the result as `gs.Body("arm", mass=arm.mass, com=arm.com, inertia=arm.inertia)`.
    A mesh that is not closed has no volume and is refused.
    """
    if (density is None) == (mass is None):
        raise GyrostatError("A solid of a mesh takes either density=… (kg/m³) or mass=… (kg).")
    for name, given in (("density", density), ("mass", mass)):
        if given is not None and not (math.isfinite(given) and given > 0):
            raise GyrostatError(f"{name}={given!r:.40} is not positive. Give a positive number.")
    factors = np.broadcast_to(np.asarray(scale, dtype=float), 3) if np.size(scale) in (1, 3) else np.zeros(3)
    if not np.isfinite(factors).all() or not factors.all():
        raise GyrostatError(f"scale={scale!r:.40} is not one number or three, none of them zero.")
    file = Path(path)
    mesh = read_mesh(file)
    mesh = Mesh(mesh.vertices * factors, mesh.triangles).merged()
    _require_closed(mesh, file)
    volume, com, second = _moments(mesh)
    if not volume > 0:
        raise ModelFileError(Fault(file.name, "the mesh encloses no volume.", "Is it flat? Give mass and inertia."))
    whole = mass if mass is not None else (density or 0.0) * volume
    inertia = (np.trace(second) * np.eye(3) - second) * (whole / volume)
    x, y, z = ((float(row[0]), float(row[1]), float(row[2])) for row in inertia)
    return MeshSolid(float(whole), (float(com[0]), float(com[1]), float(com[2])), (x, y, z), float(volume))


def _require_closed(mesh: Mesh, file: Path) -> None:
    """Raise an error unless the triangles run along each edge as often in one direction as in the other."""
    a, b, c = mesh.triangles.T
    starts, ends = np.concatenate((a, b, c)), np.concatenate((b, c, a))
    first, second = np.minimum(starts, ends), np.maximum(starts, ends)
    edges, place = np.unique(first * len(mesh.vertices) + second, return_inverse=True)
    balance = np.bincount(place.reshape(-1), weights=np.where(starts < ends, 1.0, -1.0))
    open_edges = edges[balance != 0]
    if len(open_edges):
        x, y, z = mesh.vertices[int(open_edges[0]) // len(mesh.vertices)]
        raise ModelFileError(
            Fault(
                file.name,
                f"the mesh is not closed: {len(open_edges):,} edges have a triangle on one side only, or triangles "
                f"turned against each other, the first one at ({x:.4g}, {y:.4g}, {z:.4g}).",
                "Repair it in a mesh tool, or give mass=…, com=… and inertia=… of the body.",
            )
        )


def _moments(mesh: Mesh) -> tuple[float, Floats, Floats]:
    """Return volume, mass centre, and second moments of volume about the mass centre.

    They are sums over signed tetrahedra between the triangles and the middle of the mesh; the sign of the volume tells
    whether the mesh is turned inside out as a whole.
    """
    middle = (mesh.vertices.max(axis=0) + mesh.vertices.min(axis=0)) / 2
    corners = mesh.corners - middle
    sums = corners.sum(axis=1)
    six = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    volume = six.sum() / 6
    if volume == 0:
        return 0.0, middle, np.zeros((3, 3))
    com = six @ sums / (24 * volume)
    products = np.einsum("i,ikj,ikl->jl", six, corners, corners) + np.einsum("i,ij,il->jl", six, sums, sums)
    second = (products / 120 - volume * np.outer(com, com)) * np.sign(volume)
    return float(abs(volume)), com + middle, np.asarray(second)
