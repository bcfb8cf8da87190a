"""The surfaces of a scene's shapes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gyrostat.pictures.meshes.decimation import clustered
from gyrostat.pictures.meshes.mesh import Mesh as Triangles
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.joint import JointMark
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind
from gyrostat.pictures.stills.mesh import Mesh, ball, box, cylinder, joined, lathe, rod

MESH_CELLS = 150
"""How many details of a mesh are seen along the scene's size."""
GRAINS = 45
"""How many faces go along the scene's size: small faces can be sorted from back to front."""


def _around(radius: float, size: float) -> int:
    """Return the number of sides that approximate a circle of a radius in a scene of a size."""
    return int(np.clip(14 + 500 * radius / size, 14, 48))


def shape_mesh(shape: SceneShape, size: float) -> Mesh:
    """Return the surface of a shape in body axes; `size` is that of the scene, for thin lines and dots."""
    return _own_mesh(shape, size).placed(shape.rotation, shape.position)


def _own_mesh(shape: SceneShape, size: float) -> Mesh:
    d = shape.dimensions
    grain = size / GRAINS
    match shape.kind:
        case ShapeKind.BOX:
            return box(d["size"], grain)
        case ShapeKind.CYLINDER:
            radius = float(d["radius"])
            return cylinder(radius, float(d["length"]), _around(radius, size), grain)
        case ShapeKind.TUBE:
            inner, outer, half = float(d["inner_radius"]), float(d["outer_radius"]), float(d["length"]) / 2
            profile = [(inner, half), (inner, -half), (outer, -half), (outer, half)]
            return lathe(profile, _around(outer, size), grain, closed=True)
        case ShapeKind.SPHERE:
            return ball(float(d["radius"]), 32)
        case ShapeKind.ELLIPSOID:
            unit = ball(1.0, 40)
            return Mesh(unit.vertices * d["semi_axes"], unit.faces)
        case ShapeKind.CONE:
            radius, low, high = float(d["radius"]), -0.25 * float(d["length"]), 0.75 * float(d["length"])
            return lathe([(0.0, low), (radius, low), (0.0, high)], _around(radius, size), grain)
        case ShapeKind.RING:
            angle = 2 * np.pi * np.arange(12) / 12
            wire = float(d["wire_radius"])
            profile = [(float(d["radius"]) + wire * float(np.cos(a)), wire * float(np.sin(a))) for a in angle]
            ring = lathe(profile, 64, np.inf, closed=True)
            return Mesh(ring.vertices, ring.faces)
        case ShapeKind.LINE:
            return _bent_bar(d["points"], float(d["radius"]) or 0.0035 * size, size)
        case ShapeKind.MESH:
            return _of_triangles(d["vertices"], d["triangles"].astype(np.intp), size)
        case ShapeKind.POINT:
            return ball(0.012 * size, 16)


def _of_triangles(vertices: Floats, triangles: NDArray[np.intp], size: float) -> Mesh:
    """Return a mesh without details too small to be seen."""
    cells = int(np.ceil(float(np.ptp(vertices, axis=0).max()) / (size / MESH_CELLS)))
    seen = clustered(Triangles(vertices, triangles), max(4, cells))
    return Mesh(seen.vertices, seen.triangles[:, [0, 1, 2, 2]].astype(np.intp))


def _bent_bar(points: Floats, radius: float, size: float) -> Mesh:
    knees = [ball(radius, 20).placed(np.eye(3), point) for point in points]
    around, grain = _around(radius, size), size / GRAINS
    return joined([*knees, *(rod(a, b, radius, around, grain) for a, b in pairwise(points))])


def mark_mesh(mark: JointMark, radius: float) -> Mesh:
    """Return the surface of a joint's mark about z; `radius` is that of a hinge's pin."""
    match mark:
        case JointMark.HINGE:
            return cylinder(radius, 3.6 * radius, 20, np.inf)
        case JointMark.SLIDER:
            return box(np.array([2.4, 2.4, 5.0]) * radius, np.inf)
        case JointMark.SLEEVE:
            return cylinder(1.4 * radius, 5 * radius, 20, np.inf)
        case JointMark.BALL:
            return ball(1.35 * radius, 16)
        case JointMark.PLATE:
            return box(np.array([5.0, 5.0, 0.6]) * radius, np.inf)
        case JointMark.DOT:
            return ball(0.8 * radius, 12)
