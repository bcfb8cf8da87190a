"""Geometries of a compiled model as shapes of bodies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from gyrostat.io.mesh_paths import readable_mesh
from gyrostat.io.mjcf.import_record import ImportRecord
from gyrostat.io.places import numbers, product, rotated, turn_of
from gyrostat.io.plain_values import made
from gyrostat.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Plane, Shape, Sphere

PLANE, HEIGHTS, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
"""Types of geometries (mjtGeom)."""
SOLID_TYPES = (PLANE, SPHERE, CAPSULE, CYLINDER, BOX)
"""Those that contacts know."""
_VISIBLE_GROUPS = range(3)
"""Groups of geometries that MuJoCo's viewer shows; others are for contacts."""


def shapes_of(found: ImportRecord, b: int, only: Iterable[int] | None = None) -> list[Shape]:
    """Return the shapes of a body's geometries, without `only` of those that MuJoCo shows; height fields have none."""
    first = int(found.m.body_geomadr[b])
    every = range(first, first + int(found.m.body_geomnum[b]))
    chosen = [g for g in every if found.m.geom_group[g] in _VISIBLE_GROUPS] if only is None else only
    shapes = []
    for g in chosen:
        shape = _mesh(found, g) if found.m.geom_type[g] == MESH else _shape(found, g)
        if shape is not None:
            shapes.append(shape)
        else:
            found.undrawn.append(found.bodies[b])
    return shapes


def _mesh(found: ImportRecord, g: int) -> Shape | None:
    """Return the mesh of a geometry by its file; None where there is none that can be read here.

    MuJoCo moves a mesh to its principal axes, p = Rᵀ (S (v − r) − c) for a vertex v of the file, with the scale S, the
    reference r, and the pose (c, R) of those axes; the pose of the geometry is that of p.
    """
    m, mesh = found.m, int(found.m.geom_dataid[g])
    begin = int(m.mesh_pathadr[mesh])
    reference = found.mesh_references.get(m.mesh(mesh).name, np.zeros(3))
    if begin < 0 or reference is None:
        return None
    paths = bytes(m.paths)
    file = readable_mesh(Path(paths[begin : paths.index(b"\0", begin)].decode("utf-8", "replace")))
    if file is None:
        return None
    scale, centre, axes = (np.array(array[mesh], float) for array in (m.mesh_scale, m.mesh_pos, m.mesh_quat))
    turned = product(np.array(m.geom_quat[g]), axes * (1, -1, -1, -1))
    at = m.geom_pos[g] - rotated(turned, centre + scale * reference)
    return made(Mesh, str(file), numbers(scale), at=numbers(at), turn=turn_of(turned))


def _shape(found: ImportRecord, g: int) -> Shape | None:
    m, kind = found.m, int(found.m.geom_type[g])
    a, b, c = (float(x) for x in m.geom_size[g])
    at, turn = numbers(m.geom_pos[g]), turn_of(m.geom_quat[g])
    if kind == PLANE:
        size = 2 * max(x for x in (a, b, 0.0) if np.isfinite(x))
        return made(Plane, *([size] if size else []), at=at, turn=turn)
    if kind == SPHERE:
        return made(Sphere, a, at=at)
    if kind == CAPSULE:
        return made(Capsule, a, 2 * b, along="z", at=at, turn=turn)
    if kind == CYLINDER:
        return made(Cylinder, a, 2 * b, along="z", at=at, turn=turn)
    if kind == ELLIPSOID:
        return made(Ellipsoid, (a, b, c), at=at, turn=turn)
    return made(Box, (2 * a, 2 * b, 2 * c), at=at, turn=turn) if kind == BOX else None
