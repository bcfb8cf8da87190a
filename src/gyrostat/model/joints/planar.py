"""Planar joint: translation in a plane and rotation about its normal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import angle_about, tilts
from gyrostat.model.joints.joint import ALONG_Z, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.joints.prismatic import Prismatic
from gyrostat.model.joints.revolute import Revolute
from gyrostat.model.kinds import AxisKind, Triple
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_number, multiply, negate, subtract
from gyrostat.spatial import (
    IDENTITY,
    UNIT,
    Matrix,
    Vector,
    cross,
    dot,
    normalised,
    plus,
    rotation_about,
    scale,
    transpose,
)

_COORDINATES = (Coordinate("x", "length"), Coordinate("y", "length"), Coordinate("angle", "angle"))


@dataclass(frozen=True)
class Planar(Joint):
    """A planar joint: translation along two axes of a plane and rotation about its normal.

    The axes of `.x` and `.y` are the parent's x and y for the normal z, y and z for x, z and x for y. For other normals
    that of `.y` is at right angles to the coordinate axis with the least component; frames at both ends choose others.
    """

    planar_freedoms: ClassVar[int | None] = 3

    normal: Triple = value(AxisKind(), "z", doc="normal of the plane, in the joint's frame", keyword=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: two displacements, in the parent's axes, and an angle."""
        return _COORDINATES

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the joint with its normal along z, unless the normal is not known."""
        e1, e2, normal = self._axes(value)
        if not all(is_number(x) for x in normal) or normal == UNIT["z"]:
            return self, IDENTITY
        return self.with_held(normal=ALONG_Z), transpose((e1, e2, normal))

    def stages(self) -> tuple[Joint, ...]:
        """Return prismatic joints along x and y and a revolute joint about z; the joint itself for other normals."""
        if self.normal != ALONG_Z:
            return (self,)
        ends = (self.name, self.parent, self.child)
        return (
            Prismatic(*ends, axis=UNIT["x"]),
            Prismatic(*ends, axis=UNIT["y"]),
            Revolute(*ends, axis=UNIT["z"]),
        )

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after translation in the plane and rotation about its normal."""
        e1, e2, normal = self._axes(value)
        return Pose(rotation_about(normal, q[2], value.scalars), _combined(q[0], e1, q[1], e2))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return translation along the parent's axes in the plane, in the child's, and rotation about the normal."""
        e1, e2, normal = self._axes(value)
        cosine, sine = value.scalars.call("cos", (q[2],)), value.scalars.call("sin", (q[2],))
        return (
            Mode("translation along the parent's x", linear=_combined(cosine, e1, negate(sine), e2)),
            Mode("translation along the parent's y", linear=_combined(sine, e1, cosine, e2)),
            Mode("rotation about z", angular=normal),
        )

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rate of the modes: the parent's axes rotate relative to the child's."""
        e1, e2, _ = self._axes(value)
        cosine, sine = value.scalars.call("cos", (q[2],)), value.scalars.call("sin", (q[2],))
        along_x = subtract(multiply(u[1], cosine), multiply(u[0], sine))
        along_y = negate(add(multiply(u[0], cosine), multiply(u[1], sine)))
        return Mode("rate", linear=scale(u[2], _combined(along_x, e1, along_y, e2)))

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return the force along the normal and the moments in the plane."""
        e1, e2, normal = self._axes(value)
        return (Mode("force z", linear=normal), Mode("moment x", angular=e1), Mode("moment y", angular=e2))

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the height above the plane and the misalignment of the normal."""
        e1, e2, normal = self._axes(value)
        return (dot(pose.r_PC_P, normal), *tilts(pose, normal, (e1, e2)))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return both displacements and the angle."""
        e1, e2, normal = self._axes(value)
        return (dot(pose.r_PC_P, e1), dot(pose.r_PC_P, e2), angle_about(pose, normal, value.scalars))

    def _axes(self, value: Evaluator) -> tuple[Vector, Vector, Vector]:
        """Return two axes in the plane and the normal, a right-handed system.

        The second axis is chosen by what is written, not by values, so that it is the same for all scalars.
        """
        normal = value.direction(self.normal)
        sizes = [2.0 if x.number is None else abs(float(x.number)) for x in self.normal]
        largest = sizes.index(max(sizes))
        k = min(range(3), key=lambda i: (sizes[i], (largest - i) % 3))
        e2 = IDENTITY[k] if sizes[k] == 0.0 else normalised(cross(normal, IDENTITY[k]), value.scalars)
        return cross(e2, normal), e2, normal


def _combined(a: Scalar, e1: Vector, b: Scalar, e2: Vector) -> Vector:
    """Return a e1 + b e2."""
    return plus(scale(a, e1), scale(b, e2))
