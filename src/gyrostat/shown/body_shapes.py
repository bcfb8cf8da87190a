"""Shapes of a model's bodies and marks of its joints, for scenes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import PictureError
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Body, Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.shapes import Drawn
from gyrostat.pictures.scene import JointMark, SceneShape, ShapeKind, inertia_ellipsoid, link_lines
from gyrostat.shown.mesh_shapes import mesh_dimensions


def body_shapes(model: Model, body: Body, value: Evaluator, triangles: int) -> tuple[SceneShape, ...]:
    """Return the shapes of a body; where none are given, lines to its points and joints, and an inertia ellipsoid.

    A mesh has at most the given number of triangles.
    """
    if body.name == GROUND or body.shape is not None or body.drawn():
        return tuple(_scene_shape(body, drawn, triangles) for shape in body.drawn() for drawn in shape.drawn(value))
    mass = body.mass_properties(value)
    centre = np.array(mass.com, dtype=float)
    ellipsoid = inertia_ellipsoid(float(mass.mass), np.array(mass.inertia, dtype=float), centre)
    places = [*(End(body.name, name) for name in body.points), *_joint_ends(model, body.name)]
    ends = [place_on_body(model, end, value)[1] for end in places]
    return (*link_lines(centre, np.array(ends).reshape(-1, 3)), ellipsoid)


def joint_mark(joint: Joint, value: Evaluator) -> tuple[JointMark, NDArray[np.float64]] | None:
    """Return how a joint is marked and its axis in the axes of C, from its free modes; None for free motion."""
    modes = joint.motion_space([coordinate.rest for coordinate in joint.coordinates], value)
    turning = np.array([mode.angular for mode in modes], dtype=float).reshape(-1, 3)
    sliding = np.array([mode.linear for mode in modes], dtype=float).reshape(-1, 3)
    ranks = (int(np.linalg.matrix_rank(turning)), int(np.linalg.matrix_rank(sliding)))
    axis = next((mode for mode in (*turning, *sliding) if mode.any()), np.array([0.0, 0.0, 1.0]))
    match ranks:
        case (3, 3):
            return None
        case (1, 0):
            return JointMark.HINGE, axis
        case (0, 1):
            return JointMark.SLIDER, axis
        case (1, 1):
            return JointMark.SLEEVE, axis
        case (1, 2) | (0, 2):
            return JointMark.PLATE, axis if ranks[0] else np.cross(sliding[0], sliding[1])
        case (2, 0) | (3, 0):
            return JointMark.BALL, axis
    return JointMark.DOT, axis


def _joint_ends(model: Model, body: str) -> list[End]:
    ends = [end for joint in model.joints.values() for end in (joint.parent, joint.child)]
    return [end for end in ends if end.body == body]


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
