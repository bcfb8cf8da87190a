"""Marks of joints, fixed to bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.scene.annotations import Reading
from gyrostat.pictures.scene.checks import Floats, finite, float_array


class JointMark(Enum):
    """How a joint is marked."""

    HINGE = "hinge"  # a pin along the axis
    SLIDER = "slider"  # a square sleeve along the axis
    SLEEVE = "sleeve"  # a round sleeve along the axis: it turns and slides
    BALL = "ball"
    PLATE = "plate"  # across the axis
    DOT = "dot"


@dataclass(frozen=True, eq=False)
class SceneJoint:
    """The mark of a joint on a body, at a point (3,) and with an axis (3,) in body axes; body "" is the world.

    `share` is its size by that of usual marks, less than one where joints are close to each other.
    """

    name: str
    mark: JointMark
    body: str
    point: Floats = field(default_factory=lambda: np.zeros(3))
    axis: Floats = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))
    readings: Sequence[Reading] = ()
    run: str = ""
    share: float = 1.0

    def __post_init__(self) -> None:
        item = f"Joint {self.name!r}"
        point = float_array(item, "components of the point", self.point, (3,))
        axis = float_array(item, "components of the axis", self.axis, (3,))
        finite(item, "the components of point and axis", np.concatenate((point, axis)))
        if not axis.any():
            raise PictureError(f"{item}: its axis is zero; give a direction.")
        object.__setattr__(self, "point", point)
        object.__setattr__(self, "axis", axis)
        object.__setattr__(self, "readings", tuple(self.readings))
