"""Universal joint: a Hooke or Cardan joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import offset_in_child
from gyrostat.model.joints.joint import EVERY_FORCE, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.joints.revolute import Revolute
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, negate
from gyrostat.spatial import UNIT, product, rotation_about, scale

_COORDINATES = (Coordinate("angle1", "angle"), Coordinate("angle2", "angle"))


@dataclass(frozen=True)
class Universal(Joint):
    """A universal joint: rotation about x of the parent's frame, then about y of the child's frame."""

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: two angles."""
        return _COORDINATES

    def stages(self) -> tuple[Joint, ...]:
        """Return revolute joints about x and y."""
        return tuple(Revolute(self.name, self.parent, self.child, axis=UNIT[axis]) for axis in "xy")

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after rotation about the parent's x, then about the child's y."""
        first = rotation_about(UNIT["x"], q[0], value.scalars)
        return Pose(product(first, rotation_about(UNIT["y"], q[1], value.scalars)))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return rotations about the parent's x, in the child's axes, and about the child's y."""
        cosine, sine = value.scalars.call("cos", (q[1],)), value.scalars.call("sin", (q[1],))
        return (
            Mode("rotation about the parent's x", angular=(cosine, 0, sine)),
            Mode("rotation about the child's y", angular=UNIT["y"]),
        )

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rate of the modes: the parent's x rotates relative to the child's axes."""
        cosine, sine = value.scalars.call("cos", (q[1],)), value.scalars.call("sin", (q[1],))
        return Mode("rate", angular=scale(multiply(u[0], u[1]), (negate(sine), 0, cosine)))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return all forces and the moment normal to both axes of the cross, x_P × y_C."""
        cosine, _, sine = pose.R_PC[0]
        return (*EVERY_FORCE, Mode("moment across the cross", angular=(negate(sine), 0, cosine)))

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offset of the origins, and the deviation of the axes of the cross from orthogonality."""
        return (*offset_in_child(pose), negate(pose.R_PC[0][1]))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return both angles."""
        R, atan2 = pose.R_PC, value.scalars.call
        return (atan2("atan2", (R[2][1], R[1][1])), atan2("atan2", (R[0][2], R[0][0])))
