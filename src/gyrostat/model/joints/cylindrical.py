"""Cylindrical joint: rotation about and translation along one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import angle_about, offsets_across, tilts
from gyrostat.model.joints.joint import ALONG_Z, Coordinate, Joint, turned_to_z
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import AxisKind, Triple
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.spatial import IDENTITY, Matrix, dot, perpendicular, rotation_about, scale

_COORDINATES = (Coordinate("angle", "angle"), Coordinate("displacement", "length"))


@dataclass(frozen=True)
class Cylindrical(Joint):
    """A cylindrical joint: independent rotation about and translation along one axis."""

    axis: Triple = value(AxisKind(), "z", doc="axis of rotation and sliding, in the joint's frame")

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: an angle and a displacement."""
        return _COORDINATES

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the joint with its axis along z, unless the axis is already along x, y or z."""
        R_PA = turned_to_z(value.direction(self.axis), value)
        return (self, IDENTITY) if R_PA is None else (self.with_held(axis=ALONG_Z), R_PA)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after rotation about and translation along the axis."""
        axis = value.direction(self.axis)
        return Pose(rotation_about(axis, q[0], value.scalars), scale(q[1], axis))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return rotation about and translation along the axis, whose components are the same in both bodies."""
        axis = value.direction(self.axis)
        return (Mode("rotation about the axis", angular=axis), Mode("translation along the axis", linear=axis))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return the forces and moments normal to the axis."""
        n1, n2 = perpendicular(value.direction(self.axis), value.scalars)
        return (
            Mode("force across 1", linear=n1),
            Mode("force across 2", linear=n2),
            Mode("moment across 1", angular=n1),
            Mode("moment across 2", angular=n2),
        )

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offsets normal to the axis and its misalignment."""
        axis = value.direction(self.axis)
        across = perpendicular(axis, value.scalars)
        return (*offsets_across(pose, axis, across), *tilts(pose, axis, across))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the angle and the displacement."""
        axis = value.direction(self.axis)
        return (angle_about(pose, axis, value.scalars), dot(pose.r_PC_P, axis))
