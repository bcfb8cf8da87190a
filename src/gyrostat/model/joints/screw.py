"""Screw joint: rotation with proportional advance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import offsets_across, tilts, turned_by
from gyrostat.model.joints.joint import ALONG_Z, Coordinate, Joint, turned_to_z
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.kinds import AxisKind, Quantity, QuantityKind, Triple
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract
from gyrostat.spatial import IDENTITY, Matrix, dot, perpendicular, rotation_about, scale

_COORDINATES = (Coordinate("angle", "angle"),)


@dataclass(frozen=True)
class Screw(Joint):
    """A screw joint: the child advances by `pitch` per revolution; the coordinate is the angle."""

    axis: Triple = value(AxisKind(), "z", doc="axis of the screw, in the joint's frame")
    pitch: Quantity = value(QuantityKind(), doc="advance in metres per turn", keyword=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinate: an angle."""
        return _COORDINATES

    def _lead(self, value: Evaluator) -> Scalar:
        """Return the advance per radian."""
        return divide(value(self.pitch), 2 * value.scalars.pi())

    def aligned(self, value: Evaluator) -> tuple[Joint, Matrix]:
        """Return the joint with its axis along z, unless the axis is already along x, y or z."""
        R_PA = turned_to_z(value.direction(self.axis), value)
        return (self, IDENTITY) if R_PA is None else (self.with_held(axis=ALONG_Z), R_PA)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose after rotation about the axis with the corresponding advance."""
        axis = value.direction(self.axis)
        advance = multiply(self._lead(value), q[0])
        return Pose(rotation_about(axis, q[0], value.scalars), scale(advance, axis))

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return rotation about the axis with the corresponding advance."""
        axis = value.direction(self.axis)
        return (Mode("screw motion", angular=axis, linear=scale(self._lead(value), axis)),)

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return the loads normal to the axis, and the thrust with the moment that balances it on the thread."""
        axis, lead = value.direction(self.axis), self._lead(value)
        n1, n2 = perpendicular(axis, value.scalars)
        size = value.scalars.call("sqrt", (add(1, square(lead)),))
        return (
            Mode("force across 1", linear=n1),
            Mode("force across 2", linear=n2),
            Mode("moment across 1", angular=n1),
            Mode("moment across 2", angular=n2),
            Mode("thrust on the thread", scale(divide(negate(lead), size), axis), scale(divide(1, size), axis)),
        )

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offsets normal to the axis, its misalignment, and the error of the advance.

        The last is lead·sin(advance/lead − angle): it is zero for any number of revolutions, which need not be counted.
        """
        axis, lead, scalars = value.direction(self.axis), self._lead(value), value.scalars
        across = perpendicular(axis, scalars)
        phase = divide(dot(pose.r_PC_P, axis), lead)
        cosine, sine = turned_by(pose, axis, scalars)
        slip = subtract(multiply(scalars.call("sin", (phase,)), cosine), multiply(scalars.call("cos", (phase,)), sine))
        size = scalars.call("sqrt", (add(1, square(lead)),))
        off = (*offsets_across(pose, axis, across), *tilts(pose, axis, across))
        return (*off, divide(multiply(lead, slip), size))

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the angle from the advance, including full revolutions."""
        return (divide(dot(pose.r_PC_P, value.direction(self.axis)), self._lead(value)),)
