"""Geometries of a compiled model as shapes of bodies."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gyrostat.io.mjcf.import_record import ImportRecord
from gyrostat.io.places import numbers, turn_of
from gyrostat.io.plain_values import made
from gyrostat.model.shapes import Box, Capsule, Cylinder, Ellipsoid, Plane, Shape, Sphere

PLANE, HEIGHTS, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = range(8)
"""Types of geometries (mjtGeom)."""
SOLID = (PLANE, SPHERE, CAPSULE, CYLINDER, BOX)
"""Those that contacts know."""


def shapes_of(found: ImportRecord, b: int, only: Iterable[int] | None = None) -> list[Shape]:
    """Return the shapes of a body's geometries, or only of some; meshes and height fields have none."""
    first = int(found.m.body_geomadr[b])
    chosen = range(first, first + int(found.m.body_geomnum[b])) if only is None else only
    shapes = (_shape(found, g) for g in chosen)
    return [shape for shape in shapes if shape is not None]


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
