"""Cylindrical joint: a bar that turns and slides in a sleeve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import angle_about, offsets_across, tilts
from gyrostat.model.joints.joint import Coordinate, Joint, turned_to_z
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import AxisKind, Triple
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.spatial import IDENTITY, UNIT, Matrix, dot, perpendicular, rotation_about, scale

_COORDINATES = (Coordinate("angle", "angle"), Coordinate("displacement", "length"))


@dataclass(frozen=True)
class Cylindrical(Joint):
    """A sleeve: the child turns about and slides along one axis, independently."""

    axis: Triple = value(AxisKind(), "z", doc="axis of rotation and sliding, in the joint's frame")

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """An angle and a displacement."""
        return _COORDINATES

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the joint with its axis along z, where that is not along x, y or z already."""
        R_PA = turned_to_z(value.direction(self.axis), value)
        return (self, IDENTITY) if R_PA is None else (replace(self, axis=UNIT["z"]), R_PA)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Turn about and move along the axis."""
        axis = value.direction(self.axis)
        return Pose(rotation_about(axis, q[0], value.scalars), scale(q[1], axis))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return rotation about and translation along the axis, whose components are the same in both bodies."""
        axis = value.direction(self.axis)
        return (Mode("rotation about the axis", angular=axis), Mode("translation along the axis", linear=axis))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return forces and moments across the axis."""
        n1, n2 = perpendicular(value.direction(self.axis), value.scalars)
        return (
            Mode("force across 1", linear=n1),
            Mode("force across 2", linear=n2),
            Mode("moment across 1", angular=n1),
            Mode("moment across 2", angular=n2),
        )

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return offsets and tilts across the axis."""
        axis = value.direction(self.axis)
        across = perpendicular(axis, value.scalars)
        return (*offsets_across(pose, axis, across), *tilts(pose, axis, across))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the angle and the displacement."""
        axis = value.direction(self.axis)
        return (angle_about(pose, axis, value.scalars), dot(pose.r_PC_P, axis))
