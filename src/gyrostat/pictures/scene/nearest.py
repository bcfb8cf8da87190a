"""Nearest points of shapes, from which struts lead to points outside of them."""

from __future__ import annotations

import numpy as np

from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.shape import SceneShape, ShapeKind

_SPOKES = 5
_AXIS_DISTANCE_RATIO = 0.3
"""A point in the hole of a ring or tube, nearer to its axis than this part of its radius, is held by spokes."""


def nearest_points(shape: SceneShape, point: Floats) -> Floats:
    """Return the points (P, 3) of a solid shape from which it holds a point (3,), both in body axes.

    That is the nearest point; a ring or tube holds a point near its axis by several spokes. A point inside is itself.

    >>> nearest_points(SceneShape(ShapeKind.BOX, {"size": [2, 2, 2]}), np.array([3.0, 0.5, 0.0])).tolist()
    [[1.0, 0.5, 0.0]]
    """
    p = shape.rotation.T @ (point - shape.position)
    found = np.atleast_2d(_nearest(shape, p))
    return np.asarray(found @ shape.rotation.T + shape.position)


def _nearest(shape: SceneShape, p: Floats) -> Floats:
    d = shape.dimensions
    match shape.kind:
        case ShapeKind.BOX:
            return np.clip(p, -d["size"] / 2, d["size"] / 2)
        case ShapeKind.CYLINDER:
            return _round(p, float(d["radius"]), -float(d["length"]) / 2, float(d["length"]) / 2)
        case ShapeKind.TUBE:
            inner, half = float(d["inner_radius"]), float(d["length"]) / 2
            if np.hypot(p[0], p[1]) < inner:
                return _spokes(p, inner, half)
            return _round(p, float(d["outer_radius"]), -half, half)
        case ShapeKind.SPHERE:
            return p * min(1.0, float(d["radius"]) / (float(np.linalg.norm(p)) or 1.0))
        case ShapeKind.ELLIPSOID:
            return p / max(1.0, float(np.linalg.norm(p / d["semi_axes"])))
        case ShapeKind.CONE:
            low, high = -0.25 * float(d["length"]), 0.75 * float(d["length"])
            z = float(np.clip(p[2], low, high))
            return _round(p, float(d["radius"]) * (high - z) / (high - low), low, high)
        case ShapeKind.RING:
            radius, wire = float(d["radius"]), float(d["wire_radius"])
            if np.hypot(p[0], p[1]) < radius - wire:
                return _spokes(p, radius, 0.0)
            on_wire = _radial(p, radius)
            away = p - on_wire
            return on_wire + away * min(1.0, wire / (float(np.linalg.norm(away)) or 1.0))
        case ShapeKind.LINE:
            return _on_line(d["points"], float(d["radius"]), p)
        case ShapeKind.MESH:
            return np.asarray(d["vertices"][np.argmin(np.linalg.norm(d["vertices"] - p, axis=1))])
        case ShapeKind.POINT:
            return np.zeros(3)


def _round(p: Floats, radius: float, low: float, high: float) -> Floats:
    """Return the nearest point of a solid of revolution about z."""
    part = min(1.0, radius / (float(np.hypot(p[0], p[1])) or 1.0))
    return np.array([p[0] * part, p[1] * part, np.clip(p[2], low, high)])


def _radial(p: Floats, radius: float) -> Floats:
    """Return the nearest point of a circle about z in the plane z = 0."""
    across = float(np.hypot(p[0], p[1]))
    return np.array([radius, 0.0, 0.0]) if across == 0 else np.array([p[0], p[1], 0.0]) * (radius / across)


def _spokes(p: Floats, radius: float, half: float) -> Floats:
    """Return points on the inside of a ring from which it holds a point in its hole."""
    z = float(np.clip(p[2], -half, half))
    if np.hypot(p[0], p[1]) > _AXIS_DISTANCE_RATIO * radius:
        return np.asarray(_radial(p, radius) + np.array([0.0, 0.0, z]))
    angle = 2 * np.pi * np.arange(_SPOKES) / _SPOKES
    return np.stack([radius * np.cos(angle), radius * np.sin(angle), np.full(_SPOKES, z)], axis=1)


def _on_line(points: Floats, radius: float, p: Floats) -> Floats:
    """Return the nearest point of a bar through points (K, 3)."""
    starts, along = points[:-1], np.diff(points, axis=0)
    squares = np.maximum((along**2).sum(axis=1), 1e-300)
    part = np.clip(((p - starts) * along).sum(axis=1) / squares, 0.0, 1.0)
    candidates = starts + part[:, None] * along
    axis_point = candidates[np.argmin(np.linalg.norm(candidates - p, axis=1))]
    away = p - axis_point
    return np.asarray(axis_point + away * min(1.0, radius / (float(np.linalg.norm(away)) or 1.0)))
