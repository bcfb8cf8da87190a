"""Prismatic joint: translation along one axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import turn
from gyrostat.model.joints.joint import ALONG_Z, EVERY_MOMENT, Coordinate, Joint, turned_to_z
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import AxisKind, Triple
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.spatial import IDENTITY, Matrix, dot, perpendicular, scale

_COORDINATES = (Coordinate("displacement", "length"),)


@dataclass(frozen=True)
class Prismatic(Joint):
    """A prismatic joint (slider): translation along an axis fixed in both bodies, without rotation."""

    planar_freedoms: ClassVar[int | None] = 1
    axis: Triple = value(AxisKind(), "z", doc="direction of sliding, in the joint's frame")

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinate: a displacement."""
        return _COORDINATES

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the joint with its axis along z, unless the axis is already along x, y or z."""
        R_PA = turned_to_z(value.direction(self.axis), value)
        return (self, IDENTITY) if R_PA is None else (self.with_held(axis=ALONG_Z), R_PA)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after translation along the axis."""
        return Pose(r_PC_P=scale(q[0], value.direction(self.axis)))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return translation along the axis."""
        return (Mode("translation along the axis", linear=value.direction(self.axis)),)

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return the forces normal to the axis and all moments."""
        n1, n2 = perpendicular(value.direction(self.axis), value.scalars)
        return (Mode("force across 1", linear=n1), Mode("force across 2", linear=n2), *EVERY_MOMENT)

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offsets normal to the axis and the rotation."""
        axis = value.direction(self.axis)
        return (*(dot(pose.r_PC_P, n) for n in perpendicular(axis, value.scalars)), *turn(pose))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the displacement."""
        return (dot(pose.r_PC_P, value.direction(self.axis)),)
