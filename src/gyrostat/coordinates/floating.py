"""Free motion of a body relative to the ground, with the rates of its position as speeds.

These joints represent bodies in a tree. A model has no such joints: its `Free` has the velocity in the child's axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gyrostat.coordinates.plane import Plane
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints import Coordinate, Free, Joint, Mode, Pose
from gyrostat.model.joints.euler_parameters import ANGULAR_SPEEDS, EULER_PARAMETERS, parameter_rates, rotation_of
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.scalar import Scalar
from gyrostat.spatial import UNIT, Vector, apply, plus, rotation_about, scale, transpose

_POSITION = tuple(Coordinate(axis, "length") for axis in "xyz")
_ROOT_SPEEDS = ("wx", "wy", "wz")
"""Labels of the angular velocity of the root of a flexible body."""


@dataclass(frozen=True)
class Floating(Joint):
    """Free motion: position in the parent's axes with its rates, Euler parameters with the angular velocity."""

    angular_speeds: tuple[str, str, str] = field(default=ANGULAR_SPEEDS, kw_only=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Three displacements and four Euler parameters."""
        return (*_POSITION, *EULER_PARAMETERS)

    @property
    def speed_labels(self) -> tuple[str, ...]:
        """Rates of the displacements, and the relative angular velocity in the child's axes."""
        return ("x.rate", "y.rate", "z.rate", *self.angular_speeds)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Move and turn."""
        return Pose(rotation_of(q[3:]), (q[0], q[1], q[2]))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the parent's axes, seen from the child, and the child's as axes of rotation."""
        R_CP = transpose(rotation_of(q[3:]))
        return (
            *(Mode(f"translation along the parent's {axis}", linear=apply(R_CP, UNIT[axis])) for axis in "xyz"),
            *(Mode(f"rotation about {axis}", angular=UNIT[axis]) for axis in "xyz"),
        )

    def coordinate_rates(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Scalar, ...]:
        """Return the velocity and the rates of the parameters."""
        return (*u[:3], *parameter_rates(q[3:], (u[3], u[4], u[5])))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return nothing."""
        return ()


@dataclass(frozen=True)
class FloatingInPlane(Joint):
    """Free motion across a normal: two displacements along the parent's axes and an angle."""

    plane: Plane = field(kw_only=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """Two displacements and an angle."""
        return (*(Coordinate(axis, "length") for axis in self.plane.axes), Coordinate("angle", "angle"))

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Move in the plane and turn about its normal."""
        moved: Vector = (0, 0, 0)
        for axis, x in zip(self.plane.axes, q, strict=False):
            moved = plus(moved, scale(x, UNIT[axis]))
        return Pose(rotation_about(UNIT[self.plane.normal], q[2], value.scalars), moved)

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the parent's axes, seen from the child, and rotation about the normal."""
        R_CP, axes = transpose(self.pose(q, value).R_PC), self.plane.axes
        return (
            *(Mode(f"translation along the parent's {axis}", linear=apply(R_CP, UNIT[axis])) for axis in axes),
            Mode("rotation about the normal", angular=UNIT[self.plane.normal]),
        )

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return no unit loads: motion out of the plane is not considered."""
        return ()


def floating_body(body: str, plane: Plane | None, *, flexible: bool = False) -> Joint:
    """Return the joint that represents a body in a tree; w1, w2, … of a flexible body are elastic coordinates."""
    ends = (End(GROUND), End(body))
    if plane is not None:
        return FloatingInPlane(body, *ends, plane=plane)
    return Floating(body, *ends, angular_speeds=_ROOT_SPEEDS if flexible else ANGULAR_SPEEDS)


def as_element(joint: Joint) -> Joint:
    """Return a joint as trees contain it: a free joint has rates of its displacements as speeds."""
    if not isinstance(joint, Free):
        return joint
    return Floating(joint.name, joint.parent, joint.child, symbol=joint.symbol)
