"""Translation joint: displacement along three axes without rotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import turn
from gyrostat.model.joints.joint import EVERY_MOMENT, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.spatial import UNIT

_COORDINATES = (Coordinate("x", "length"), Coordinate("y", "length"), Coordinate("z", "length"))


@dataclass(frozen=True)
class Translation(Joint):
    """A translation joint: the child moves along the parent's x, y and z and keeps its orientation.

    It carries point masses, such as the nodes of a rope, which have no inertia about their centre.
    """

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: three displacements in the parent's axes."""
        return _COORDINATES

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after translation."""
        return Pose(r_PC_P=(q[0], q[1], q[2]))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return translation along x, y and z."""
        return tuple(Mode(f"translation along {axis}", linear=UNIT[axis]) for axis in "xyz")

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return all moments."""
        return EVERY_MOMENT

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the rotation."""
        return turn(pose)

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the displacements."""
        return pose.r_PC_P
