"""Axles of discs on the ground, whose supports stand beside the disc that would hide them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Model
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Joint
from gyrostat.model.names import GROUND
from gyrostat.pictures.animation.viewpoint import Viewpoint
from gyrostat.pictures.scene import JointMark, SceneShape, ShapeKind, nearest_points
from gyrostat.shown.attachments import joint_mark
from gyrostat.shown.struts import SUPPORT, SUPPORT_COLOUR

_RADIUS = 0.006
"""Radius of an axle, in sizes of the scene."""
_LONGEST = 0.25
"""Largest length of an axle up to the face of its disc, in sizes of the scene."""
_UPRIGHT = 0.7
"""Cosine of the angle between an axle and the upward direction beyond which there is none."""
_ANGLES = 2 * np.pi * np.arange(8) / 8
_SURFACE = 1e-6
"""Up to this distance, in sizes of the scene, a point counts as within a solid."""


class Axle(NamedTuple):
    """A bar from a hinge on the ground to the end that a support holds (3,), both in the axes of the ground."""

    hinge: Floats
    end: Floats
    size: float

    def bears(self, place: Floats) -> bool:
        """Return whether the axle stands at a place (3,) on the ground."""
        return bool(np.allclose(self.hinge, place, atol=_SURFACE * self.size))

    @property
    def shape(self) -> SceneShape:
        """The bar."""
        sizes = {"points": np.stack([self.hinge, self.end]), "radius": _RADIUS * self.size}
        return SceneShape(ShapeKind.LINE, sizes, colour=SUPPORT_COLOUR)


def axles(
    model: Model, value: Evaluator, solids: Mapping[str, Sequence[SceneShape]], extent: Viewpoint
) -> Iterator[Axle]:
    """Yield the axles of hinges on the ground whose solid hides a support below the hinge at every angle.

    What turns about an upright axis stands on the ground: it has none. `solids` are the shapes of each body in its
    axes. The support stands on the side of the camera.
    """
    for joint in model.joints.values():
        mark = joint_mark(joint, value)
        if joint.parent.body != GROUND or mark is None or mark[0] is not JointMark.HINGE:
            continue
        axis = mark[1] / np.linalg.norm(mark[1])
        reach = _hidden_reach(model, value, joint, axis, solids.get(joint.child.body, ()), extent.size)
        if reach is None:
            continue
        R_BE, hinge = place_on_body(model, joint.parent, value)
        along = R_BE @ axis
        near, way = (1.0, reach[1]) if along @ extent.direction >= 0 else (-1.0, -reach[0])
        if abs(along @ extent.up) > _UPRIGHT or way > _LONGEST * extent.size:
            continue
        yield Axle(hinge, hinge + near * (way + 1.1 * SUPPORT * extent.size) * along, extent.size)


def _hidden_reach(
    model: Model, value: Evaluator, joint: Joint, axis_E: Floats, shapes: Sequence[SceneShape], size: float
) -> tuple[float, float] | None:
    """Return how far a solid reaches along the hinge's axis, below and above; None where a support is seen."""
    if not shapes:
        return None
    R_BE, r_BE_B = place_on_body(model, joint.child, value)
    across = np.cross(axis_E, np.eye(3)[np.argmin(np.abs(axis_E))])
    across /= np.linalg.norm(across)
    ring = np.outer(np.cos(_ANGLES), across) + np.outer(np.sin(_ANGLES), np.cross(axis_E, across))
    for place in r_BE_B + SUPPORT * size * ring @ R_BE.T:
        if min(_distance(shape, place) for shape in shapes) > _SURFACE * size:
            return None
    ways = (np.concatenate([shape.corners() for shape in shapes]) - r_BE_B) @ R_BE @ axis_E
    return min(0.0, float(ways.min())), max(0.0, float(ways.max()))


def _distance(shape: SceneShape, place: Floats) -> float:
    return float(np.linalg.norm(nearest_points(shape, place) - place, axis=1).min())
