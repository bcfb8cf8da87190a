"""Spherical joint: rotation about a point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.joints.closure import angles_of, euler_parameters_of, offset_in_child
from gyrostat.model.joints.euler_parameters import ANGULAR_SPEEDS, EULER_PARAMETERS, parameter_rates, rotation_of
from gyrostat.model.joints.joint import EVERY_FORCE, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.joints.revolute import Revolute
from gyrostat.model.kinds import OptionalKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide
from gyrostat.spatial import (
    IDENTITY,
    UNIT,
    ZERO,
    Vector,
    apply,
    cross,
    dot,
    minus,
    plus,
    product,
    rotation_about,
    scale,
    transpose,
)


@dataclass(frozen=True)
class Spherical(Joint):
    """A spherical joint (ball and socket): free rotation about a common point.

    The coordinates are Euler parameters with the relative angular velocity (child axes) as speeds. With
    `angles="zxz"` or another sequence they are three Euler angles about body-fixed axes, with their rates as speeds;
    such a sequence has a singular orientation (gimbal lock) at which the rates are not defined.
    """

    angles: str | None = value(
        OptionalKind(TextKind()), None, doc="a sequence of axes such as zxz or xyz", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Refuse sequences other than three axes with different neighbours."""
        text = self.angles
        if text is not None and (len(text) != 3 or set(text) - set("xyz") or text[0] == text[1] or text[1] == text[2]):
            place.inside("angles").report(
                f"{text!r:.20} is not a sequence of three axes.", "Write zxz, xyz or the like; neighbours must differ."
            )
            return
        super().validate(place)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The coordinates: four Euler parameters, or three angles."""
        if self.angles is None:
            return EULER_PARAMETERS
        return tuple(Coordinate(f"angle{i}", "angle") for i in (1, 2, 3))

    @property
    def speed_labels(self) -> tuple[str, ...]:
        """Labels of the angular velocity components, or of the rates of the angles."""
        return ANGULAR_SPEEDS if self.angles is None else super().speed_labels

    def stages(self) -> tuple[Joint, ...]:
        """Return a revolute joint for each angle; with Euler parameters there is no equivalent chain."""
        if self.angles is None:
            return (self,)
        return tuple(Revolute(self.name, self.parent, self.child, axis=UNIT[axis]) for axis in self.angles)

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return the pose of the Euler parameters or of the successive angles."""
        if self.angles is None:
            return Pose(rotation_of(q))
        R_PC = IDENTITY
        for axis, angle in zip(self.angles, q, strict=True):
            R_PC = product(R_PC, rotation_about(UNIT[axis], angle, value.scalars))
        return Pose(R_PC)

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return rotations about the child's axes, or about each angle's axis in the child's axes."""
        if self.angles is None:
            return tuple(Mode(f"rotation about {axis}", angular=UNIT[axis]) for axis in "xyz")
        later, modes = IDENTITY, []
        for i in (2, 1, 0):
            seen = apply(transpose(later), UNIT[self.angles[i]])
            modes.append(Mode(f"rotation by angle {i + 1}", angular=seen))
            later = product(rotation_about(UNIT[self.angles[i]], q[i], value.scalars), later)
        return tuple(reversed(modes))

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return Σ_k −ω_later × φ_k u_k: relative to the child an axis rotates opposite to the later rotations."""
        if self.angles is None:
            return Mode("rate")
        later: Vector = ZERO
        rate: Vector = ZERO
        for mode, speed in reversed(list(zip(self.motion_space(q, value), u, strict=True))):
            part = scale(speed, mode.angular)
            rate = minus(rate, cross(later, part))
            later = plus(later, part)
        return Mode("rate", angular=rate)

    def coordinate_rates(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Scalar, ...]:
        """Return the rates of the parameters, or of the angles."""
        return parameter_rates(q, (u[0], u[1], u[2])) if self.angles is None else tuple(u)

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return all forces."""
        return EVERY_FORCE

    def closure(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the offset of the origins."""
        return offset_in_child(pose)

    def measured(self, pose: Pose, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the Euler parameters with e0 ≥ 0, or the angles."""
        if self.angles is None:
            return euler_parameters_of(pose.R_PC, value.scalars)
        return angles_of(pose.R_PC, self.angles, value.scalars)

    def measured_speeds(self, q: Sequence[Scalar], twist: Mode, value: Evaluator) -> tuple[Scalar, ...]:
        """Return the angular velocity, or the rates of the angles, whose axes are not orthogonal."""
        if self.angles is None:
            return twist.angular
        a, b, c = (mode.angular for mode in self.motion_space(q, value))
        volume = dot(a, cross(b, c))
        return tuple(divide(dot(twist.angular, cross(*pair)), volume) for pair in ((b, c), (c, a), (a, b)))
