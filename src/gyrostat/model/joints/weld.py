"""Weld: a rigid connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import offset_in_child, turn
from gyrostat.model.joints.joint import EVERY_FORCE, EVERY_MOMENT, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Weld(Joint):
    """A rigid connection: the two frames always coincide."""

    planar_freedoms: ClassVar[int | None] = 0

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: none."""
        return ()

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the identity: the frames coincide."""
        return Pose()

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return an empty tuple: there is no free mode."""
        return ()

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return all forces and moments."""
        return (*EVERY_FORCE, *EVERY_MOMENT)

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offset of the origins and the rotation."""
        return (*offset_in_child(pose), *turn(pose))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return an empty tuple."""
        return ()
