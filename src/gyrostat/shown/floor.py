"""The floor of a scene: the height of the ground, where a model states it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model import Model
from gyrostat.model.constraints import KnifeEdge, RollingDisc, RollingSphere
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.names import GROUND
from gyrostat.model.shapes import Plane

_LEVEL_TOLERANCE = 1e-6
"""Largest sine of the angle between the normal of a plane and the upward direction."""


def stated_floor(model: Model, value: Evaluator, up: Floats) -> float | None:
    """Return the height along the unit vector `up` of the highest level plane on the ground; None without one."""
    heights = [
        float(point @ up)
        for point, normal in _planes(model, value)
        if np.linalg.norm(np.cross(normal / np.linalg.norm(normal), up)) < _LEVEL_TOLERANCE
    ]
    return max(heights, default=None)


def _planes(model: Model, value: Evaluator) -> Iterator[tuple[Floats, Floats]]:
    """Yield a point and the normal of each plane on the ground that bodies touch or roll on."""
    for shape in model.ground.drawn():
        if isinstance(shape, Plane):
            place = shape.placement(value)
            yield np.array(place.r_BS_B, dtype=float), np.array(place.R_BS, dtype=float)[:, 2]
    for constraint in model.constraints.values():
        if isinstance(constraint, RollingDisc | RollingSphere | KnifeEdge) and constraint.plane.body == GROUND:
            R_BE, r_BE_B = place_on_body(model, constraint.plane, value)
            yield r_BE_B, R_BE @ np.array(value.vector(constraint.normal), dtype=float)
