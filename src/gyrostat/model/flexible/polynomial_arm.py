"""Arms of a flexible body: places whose pose in the root frame is a function of the elastic coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.quadratic_point import QuadraticPoint
from gyrostat.model.joints.joint import EVERY_FORCE, EVERY_MOMENT, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract
from gyrostat.spatial import IDENTITY, ZERO, Matrix, Vector, apply, cross, dot, minus, plus, scale, transpose


@dataclass(frozen=True)
class Arm(Joint):
    """Base of the arms of a flexible body: joints from its root whose coordinates are those of the body.

    All arms of a body share them: their names begin with that of the body.
    """

    flexible: ClassVar[bool] = True

    def full_name(self, label: str) -> str:
        """Return the name of an elastic coordinate or its rate in the model: that of the body, a dot, and the label."""
        return f"{self.parent.body}.{label}"

    def reaction_space(self, pose: Pose, value: Evaluator) -> tuple[Mode, ...]:
        """Return all forces and moments."""
        return (*EVERY_FORCE, *EVERY_MOMENT)


@dataclass(frozen=True)
class PolynomialArm(Arm):
    """A place with polynomials of second degree as position and as rotation, Cayley's vector a.

    With D = 1 + a²/4 the rotation is R = 1 + (ã + ½ ã²)/D, which is orthogonal and rational, and the angular velocity
    in the axes of the place is (ȧ − ½ a × ȧ)/D. Without a rotation vector the axes are those of the root.
    """

    labelled: tuple[Coordinate, ...] = field(kw_only=True)
    position: QuadraticPoint = field(kw_only=True)
    rotation: QuadraticPoint | None = field(default=None, kw_only=True)

    @property
    def coordinates(self) -> tuple[Coordinate, ...]:
        """The elastic coordinates."""
        return self.labelled

    def pose(self, q: Sequence[Scalar], value: Evaluator) -> Pose:
        """Return position and rotation."""
        r = self.position.at(q)
        if self.rotation is None:
            return Pose(IDENTITY, r)
        a = self.rotation.at(q)
        return Pose(cayley_rotation(a, _inverse_D(a)), r)

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the velocities per unit of each rate."""
        linear = self.position.derivatives(q)
        if self.rotation is None:
            return tuple(Mode("bending", linear=column) for column in linear)
        a = self.rotation.at(q)
        inverse_D = _inverse_D(a)
        R_CP = transpose(cayley_rotation(a, inverse_D))
        return tuple(
            Mode("bending", cayley_velocity(a, turned, inverse_D), apply(R_CP, moved))
            for turned, moved in zip(self.rotation.derivatives(q), linear, strict=True)
        )

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rates of the velocities' components while the rates u do not change."""
        if self.rotation is None:
            return Mode("rate", linear=self.position.second_rate(u))
        a = self.rotation.at(q)
        inverse_D = _inverse_D(a)
        a_rate = along_rates(self.rotation.derivatives(q), u)
        omega = cayley_velocity(a, a_rate, inverse_D)
        D_rate = divide(dot(a, a_rate), 2)
        angular = cayley_velocity(a, self.rotation.second_rate(u), inverse_D)
        angular = minus(angular, scale(multiply(D_rate, inverse_D), omega))
        R_CP = transpose(cayley_rotation(a, inverse_D))
        velocity = apply(R_CP, along_rates(self.position.derivatives(q), u))
        return Mode("rate", angular, minus(apply(R_CP, self.position.second_rate(u)), cross(omega, velocity)))


def cayley_rotation(a: Vector, inverse_D: Scalar) -> Matrix:
    """Return R = 1 + (ã + ½ ã²)/D."""
    x, y, z = a
    half = divide(inverse_D, 2)

    def diagonal(first: Scalar, second: Scalar) -> Scalar:
        squares = add(multiply(first, first), multiply(second, second))
        return subtract(1, multiply(half, squares))

    def beside(first: Scalar, second: Scalar, third: Scalar) -> Scalar:
        return add(multiply(half, multiply(first, second)), multiply(inverse_D, third))

    return (
        (diagonal(y, z), beside(x, y, multiply(-1, z)), beside(x, z, y)),
        (beside(x, y, z), diagonal(z, x), beside(y, z, multiply(-1, x))),
        (beside(x, z, multiply(-1, y)), beside(y, z, x), diagonal(x, y)),
    )


def cayley_velocity(a: Vector, a_rate: Vector, inverse_D: Scalar) -> Vector:
    """Return (ȧ − ½ a × ȧ)/D, the angular velocity in the axes of the place."""
    across = cross(a, a_rate)
    return scale(inverse_D, minus(a_rate, across if across is ZERO else _half(across)))


def _inverse_D(a: Vector) -> Scalar:
    return divide(1, add(1, divide(dot(a, a), 4)))


def _half(a: Vector) -> Vector:
    x, y, z = a
    return (divide(x, 2), divide(y, 2), divide(z, 2))


def along_rates(columns: Sequence[Vector], u: Sequence[Scalar]) -> Vector:
    """Return Σ column_i u_i."""
    found = ZERO
    for column, rate in zip(columns, u, strict=True):
        found = plus(found, scale(rate, column))
    return found
