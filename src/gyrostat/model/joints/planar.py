"""Planar joint: translation in a plane and rotation about its normal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import angle_about, tilts
from gyrostat.model.joints.joint import Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.joints.prismatic import Prismatic
from gyrostat.model.joints.revolute import Revolute
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, negate, subtract
from gyrostat.spatial import UNIT, rotation_about, scale

_COORDINATES = (Coordinate("x", "length"), Coordinate("y", "length"), Coordinate("angle", "angle"))


@dataclass(frozen=True)
class Planar(Joint):
    """A planar joint: translation along the parent's x and y, and rotation about the common z."""

    planar_freedoms: ClassVar[int | None] = 3

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: two displacements, in the parent's axes, and an angle."""
        return _COORDINATES

    def stages(self) -> tuple[Joint, ...]:
        """Return prismatic joints along x and y and a revolute joint about z."""
        ends = (self.name, self.parent, self.child)
        return (
            Prismatic(*ends, axis=UNIT["x"]),
            Prismatic(*ends, axis=UNIT["y"]),
            Revolute(*ends, axis=UNIT["z"]),
        )

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after translation in the plane and rotation about its normal."""
        return Pose(rotation_about(UNIT["z"], q[2], value.scalars), (q[0], q[1], 0))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return translation along the parent's x and y, in the child's axes, and rotation about z."""
        cosine, sine = value.scalars.call("cos", (q[2],)), value.scalars.call("sin", (q[2],))
        return (
            Mode("translation along the parent's x", linear=(cosine, negate(sine), 0)),
            Mode("translation along the parent's y", linear=(sine, cosine, 0)),
            Mode("rotation about z", angular=UNIT["z"]),
        )

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rate of the modes: the parent's x and y rotate relative to the child's axes."""
        cosine, sine = value.scalars.call("cos", (q[2],)), value.scalars.call("sin", (q[2],))
        along_x = subtract(multiply(u[1], cosine), multiply(u[0], sine))
        along_y = negate(add(multiply(u[0], cosine), multiply(u[1], sine)))
        return Mode("rate", linear=scale(u[2], (along_x, along_y, 0)))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return the force along the normal and the moments in the plane."""
        return (
            Mode("force z", linear=UNIT["z"]),
            Mode("moment x", angular=UNIT["x"]),
            Mode("moment y", angular=UNIT["y"]),
        )

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the height above the plane and the misalignment of the normal."""
        return (pose.r_PC_P[2], *tilts(pose, UNIT["z"], (UNIT["x"], UNIT["y"])))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return both displacements and the angle."""
        x, y, _ = pose.r_PC_P
        return (x, y, angle_about(pose, UNIT["z"], value.scalars))
