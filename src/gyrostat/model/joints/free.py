"""Free joint: six degrees of freedom of relative motion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import euler_parameters_of
from gyrostat.model.joints.euler_parameters import ANGULAR_SPEEDS, EULER_PARAMETERS, parameter_rates, rotation_of
from gyrostat.model.joints.joint import Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import UNIT, apply

_turned = repeated(apply)
_COORDINATES = (Coordinate("x", "length"), Coordinate("y", "length"), Coordinate("z", "length"), *EULER_PARAMETERS)


@dataclass(frozen=True)
class Free(Joint):
    """Free motion: position in the parent's axes and Euler parameters.

    The speeds are the relative angular velocity and the velocity of the child's origin, both in the child's axes.
    """

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: three displacements and four Euler parameters."""
        return _COORDINATES

    @property
    def speed_labels(self) -> tuple[str, ...]:
        """Labels of angular velocity and velocity components."""
        return (*ANGULAR_SPEEDS, "v1", "v2", "v3")

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose of displacement and Euler parameters."""
        return Pose(rotation_of(q[3:]), (q[0], q[1], q[2]))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return all six unit twists."""
        return (
            *(Mode(f"rotation about {axis}", angular=UNIT[axis]) for axis in "xyz"),
            *(Mode(f"translation along {axis}", linear=UNIT[axis]) for axis in "xyz"),
        )

    def coordinate_rates(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Scalar, ...]:
        """Return the velocity in the parent's axes and the rates of the parameters."""
        e = q[3:]
        return (*_turned(rotation_of(e), (u[3], u[4], u[5])), *parameter_rates(e, (u[0], u[1], u[2])))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return an empty tuple: there is no reaction."""
        return ()

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return an empty tuple."""
        return ()

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return position and Euler parameters with e0 ≥ 0."""
        return (*pose.r_PC_P, *euler_parameters_of(pose.R_PC, value.scalars))
