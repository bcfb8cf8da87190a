"""The surfaces of a scene's shapes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.joint import JointMark
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind
from gyrostat.pictures.stills.mesh import Mesh, ball, box, cylinder, joined, lathe, rod

_ROUND = 48


def shape_mesh(shape: SceneShape, size: float) -> Mesh:
    """Return the surface of a shape in body axes; `size` is that of the scene, which thin lines and dots go by."""
    return _own_mesh(shape, size).placed(shape.rotation, shape.position)


def _own_mesh(shape: SceneShape, size: float) -> Mesh:
    d = shape.dimensions
    grain = size / 45
    match shape.kind:
        case ShapeKind.BOX:
            return box(d["size"], grain)
        case ShapeKind.CYLINDER:
            return cylinder(float(d["radius"]), float(d["length"]), _ROUND, grain)
        case ShapeKind.TUBE:
            inner, outer, half = float(d["inner_radius"]), float(d["outer_radius"]), float(d["length"]) / 2
            return lathe([(inner, half), (inner, -half), (outer, -half), (outer, half)], _ROUND, grain, closed=True)
        case ShapeKind.SPHERE:
            return ball(float(d["radius"]))
        case ShapeKind.ELLIPSOID:
            unit = ball(1.0)
            return Mesh(unit.vertices * d["semi_axes"], unit.faces)
        case ShapeKind.CONE:
            radius, low, high = float(d["radius"]), -0.25 * float(d["length"]), 0.75 * float(d["length"])
            return lathe([(0.0, low), (radius, low), (0.0, high)], _ROUND, grain)
        case ShapeKind.RING:
            angle = 2 * np.pi * np.arange(12) / 12
            wire = float(d["wire_radius"])
            profile = [(float(d["radius"]) + wire * float(np.cos(a)), wire * float(np.sin(a))) for a in angle]
            ring = lathe(profile, 2 * _ROUND, np.inf, closed=True)
            return Mesh(ring.vertices, ring.faces)
        case ShapeKind.LINE:
            return _bent_bar(d["points"], float(d["radius"]) or 0.0035 * size, grain)
        case ShapeKind.POINT:
            return ball(0.012 * size, 16)


def _bent_bar(points: Floats, radius: float, grain: float) -> Mesh:
    knees = [ball(radius, 20).placed(np.eye(3), point) for point in points]
    return joined([*knees, *(rod(a, b, radius, 20, grain) for a, b in pairwise(points))])


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
