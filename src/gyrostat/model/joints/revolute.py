"""Revolute joint: rotation about one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import angle_about, offset_in_child, tilts
from gyrostat.model.joints.joint import ALONG_Z, EVERY_FORCE, Coordinate, Joint, turned_to_z
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import AxisKind, Triple
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.spatial import IDENTITY, Matrix, perpendicular, rotation_about

_COORDINATES = (Coordinate("angle", "angle"),)


@dataclass(frozen=True)
class Revolute(Joint):
    """A revolute joint (hinge): rotation about an axis fixed in both bodies.

    >>> hinge = Revolute("a1", "ground", "bar.top", axis="z", symbol="theta_1")
    >>> hinge.coordinate_names, hinge.speed_names
    (('a1',), ('a1.rate',))
    """

    planar_freedoms: ClassVar[int | None] = 1
    axis: Triple = value(AxisKind(), "z", doc="axis of rotation, in the joint's frame")

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinate: an angle."""
        return _COORDINATES

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the joint with its axis along z, unless the axis is already along x, y or z."""
        R_PA = turned_to_z(value.direction(self.axis), value)
        return (self, IDENTITY) if R_PA is None else (self.with_held(axis=ALONG_Z), R_PA)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after rotation about the axis."""
        return Pose(rotation_about(value.direction(self.axis), q[0], value.scalars))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return rotation about the axis (Forehand et al., eq. 21)."""
        return (Mode("rotation about the axis", angular=value.direction(self.axis)),)

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return all forces and the moments normal to the axis."""
        n1, n2 = perpendicular(value.direction(self.axis), value.scalars)
        return (*EVERY_FORCE, Mode("moment across 1", angular=n1), Mode("moment across 2", angular=n2))

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offset of the origins and the misalignment of the axis."""
        axis = value.direction(self.axis)
        return (*offset_in_child(pose), *tilts(pose, axis, perpendicular(axis, value.scalars)))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the angle."""
        return (angle_about(pose, value.direction(self.axis), value.scalars),)
