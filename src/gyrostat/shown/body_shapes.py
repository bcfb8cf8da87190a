"""Shapes of single bodies, for scenes."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import PictureError
from gyrostat.model import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.shapes import Drawn, Plane, Shape
from gyrostat.pictures.scene import SceneShape, ShapeKind, inertia_ellipsoid
from gyrostat.shown.mesh_shapes import mesh_dimensions

_LARGEST_SEMI_AXIS = 0.06
"""Largest semi-axis of an ellipsoid of inertia, in sizes of the scene; otherwise the mass centre is marked."""
_PIECE = 1.15
"""Edge of the drawn piece of an unbounded plane, in extents of what is above it."""


def own_shapes(body: Body, value: Evaluator, triangles: int) -> list[SceneShape]:
    """Return the shapes that a body has, without planes that are unbounded; a mesh has at most so many triangles."""
    return [
        _scene_shape(body, drawn, triangles)
        for shape in body.drawn()
        if not is_unbounded(shape)
        for drawn in shape.drawn(value)
    ]


def is_unbounded(shape: Shape) -> bool:
    """Return whether a shape is a plane of which no size was chosen."""
    return isinstance(shape, Plane) and shape == type(shape)(along=shape.along, at=shape.at, turn=shape.turn)


def plane_piece(plane: Plane, value: Evaluator, points: Floats) -> SceneShape:
    """Return the piece of an unbounded plane below points (P, 3), given in the axes of its body."""
    drawn = plane.drawn(value)[0]
    R_BS = np.array(drawn.placement.R_BS, dtype=float)
    origin = np.array(drawn.placement.r_BS_B, dtype=float)
    thin = float(np.array(drawn.dimensions["size"], dtype=float)[2])
    local = (points - origin) @ R_BS
    low, high = local.min(axis=0)[:2], local.max(axis=0)[:2]
    edge = _PIECE * max(float((high - low).max()), 1e-3)
    middle = np.append((low + high) / 2, 0.5 * thin - 0.003 * edge)
    size = np.maximum(high - low, 0.35 * (high - low).max()) + (_PIECE - 1) * edge
    return SceneShape(ShapeKind.BOX, {"size": [*size, 0.006 * edge]}, R_BS, origin + R_BS @ middle)


def mass_mark(body: Body, value: Evaluator, size: float | None) -> SceneShape:
    """Return the ellipsoid of inertia of a body without a shape, or a mark of its mass centre where that is large.

    Without a size of the scene the ellipsoid is drawn in any case.
    """
    mass = body.mass_properties(value)
    centre = np.array(mass.com, dtype=float)
    ellipsoid = inertia_ellipsoid(float(mass.mass), np.array(mass.inertia, dtype=float), centre)
    fits = ellipsoid.kind is ShapeKind.ELLIPSOID and (
        size is None or float(ellipsoid.dimensions["semi_axes"].max()) <= _LARGEST_SEMI_AXIS * size
    )
    return ellipsoid if fits else SceneShape(ShapeKind.POINT, {}, position=centre)


def _scene_shape(body: Body, drawn: Drawn, triangles: int) -> SceneShape:
    try:
        kind = ShapeKind(drawn.shape)
    except ValueError:
        raise PictureError(
            f"Body {body.name!r}: pictures have no shape {drawn.shape!r}. "
            "Let its method `drawn` return shapes that they have, such as boxes and cylinders."
        ) from None
    dimensions = {name: np.array(size, dtype=float) for name, size in drawn.dimensions.items()}
    if kind is ShapeKind.MESH:
        dimensions = mesh_dimensions(drawn.file, dimensions["scale"], triangles)
    place = drawn.placement
    return SceneShape(kind, dimensions, np.array(place.R_BS, dtype=float), np.array(place.r_BS_B, dtype=float))
