"""Struts from the solid of a body to places outside of it, and supports of places on the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.pictures.scene import SceneShape, ShapeKind, nearest_points

STRUT = 0.0042
"""Radius of a strut, in sizes of the scene."""
_TOUCH_DISTANCE = 0.004
"""Up to this distance, in sizes of the scene, a place counts as on the solid."""
SUPPORT = 0.034
"""Height of a support on the ground, in sizes of the scene."""
SUPPORT_COLOUR = "#9aa5b1"


def struts(shapes: Sequence[SceneShape], places: Sequence[Floats], size: float) -> list[SceneShape]:
    """Return rods from shapes to those of the places (3,) that lie outside of all shapes, in body axes.

    Each starts at the nearest point of the nearest shape, or of a strut before it.
    """
    found: list[SceneShape] = []
    solid = [shape for shape in shapes if shape.kind is not ShapeKind.POINT] or list(shapes)
    if not solid:
        return found
    outside = {tuple(place): place for place in places if _distance(solid, place) > _TOUCH_DISTANCE * size}
    for place in sorted(outside.values(), key=lambda one: _distance(solid, one)):
        held = _holding([*solid, *found], place)
        found += [
            SceneShape(ShapeKind.LINE, {"points": [start, place], "radius": STRUT * size})
            for start in held
            if np.linalg.norm(start - place) > _TOUCH_DISTANCE * size
        ]
    return found


def supports(shapes: Sequence[SceneShape], places: Sequence[Floats], up: Floats, size: float) -> list[SceneShape]:
    """Return a pedestal below each place (3,) on the ground that is not on one of its shapes."""
    height = SUPPORT * size
    found = []
    for place in {tuple(np.round(one, 12)): one for one in places}.values():
        if shapes and _distance(shapes, place) <= _TOUCH_DISTANCE * size:
            continue
        cone = {"radius": 0.55 * height, "length": height}
        turn = _turned_z(up)
        found.append(SceneShape(ShapeKind.CONE, cone, turn, place - 0.75 * height * up, colour=SUPPORT_COLOUR))
        slab = {"size": [1.8 * height, 1.8 * height, 0.12 * height]}
        found.append(SceneShape(ShapeKind.BOX, slab, turn, place - 1.06 * height * up, colour=SUPPORT_COLOUR))
    return found


def _holding(shapes: Sequence[SceneShape], place: Floats) -> Floats:
    """Return the points of the nearest shape that hold a place."""
    return min((nearest_points(shape, place) for shape in shapes), key=lambda found: _least(found, place))


def _distance(shapes: Sequence[SceneShape], place: Floats) -> float:
    return min(_least(nearest_points(shape, place), place) for shape in shapes)


def _least(points: Floats, place: Floats) -> float:
    return float(np.linalg.norm(points - place, axis=1).min())


def _turned_z(up: Floats) -> Floats:
    """Return a rotation whose third axis is the unit vector upwards."""
    first = np.cross(np.eye(3)[np.argmin(np.abs(up))], up)
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(up, first), up], axis=1)
