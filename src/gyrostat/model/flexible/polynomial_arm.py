"""Arms of a flexible body: places whose pose in the root frame is a function of the elastic coordinates."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.quadratic_point import Columns, QuadraticPoint
from gyrostat.model.joints.joint import EVERY_FORCE, EVERY_MOMENT, Coordinate, Joint
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract
from gyrostat.scalar.repeated import repeated
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
class MassArm(Arm):
    """Base of the arms that models have: each knows the mass of the whole body."""

    @property
    def chained(self) -> bool:
        """Whether the mass is that of a chain of sections; else mass points hang on the root."""
        return False

    @abstractmethod
    def mass_arms(self, value: Evaluator) -> tuple[tuple[Scalar, PolynomialArm], ...]:
        """Return the mass points of the whole body with the arms that carry them, where it is not chained."""


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
        return _Place(self.position, self.rotation, q).pose

    def motion_space(self, q: Sequence[Scalar], value: Evaluator) -> tuple[Mode, ...]:
        """Return the velocities per unit of each rate."""
        return _Place(self.position, self.rotation, q).modes

    def motion_rate(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> Mode:
        """Return the rates of the velocities' components while the rates u do not change."""
        return _Place(self.position, self.rotation, q).rate(u)

    def motion(self, q: Sequence[Scalar], u: Sequence[Scalar], value: Evaluator) -> tuple[Pose, tuple[Mode, ...], Mode]:
        """Return all of them, with the rotation formed once."""
        turned = None if self.rotation is None else self.rotation.columns
        return _motion(self.position.columns, turned, tuple(q), tuple(u))


@repeated
def _motion(
    position: Columns, rotation: Columns | None, q: tuple[Scalar, ...], u: tuple[Scalar, ...]
) -> tuple[Pose, tuple[Mode, ...], Mode]:
    """Return pose, velocities per unit of each rate, and the rate of the velocity's components."""
    place = _Place(
        QuadraticPoint.of_columns(position), None if rotation is None else QuadraticPoint.of_columns(rotation), q
    )
    return place.pose, place.modes, place.rate(u)


@dataclass(frozen=True)
class _Place:
    """A place at given coordinates."""

    position: QuadraticPoint
    rotation: QuadraticPoint | None
    q: Sequence[Scalar]

    @cached_property
    def turn(self) -> _Turn | None:
        return None if self.rotation is None else _Turn.of(self.rotation, self.q)

    @property
    def pose(self) -> Pose:
        return Pose(self.turn.R if self.turn else IDENTITY, self.position.at(self.q))

    @property
    def modes(self) -> tuple[Mode, ...]:
        linear = self.position.derivatives(self.q)
        if self.turn is None or self.rotation is None:
            return tuple(Mode("bending", linear=column) for column in linear)
        R_CP = transpose(self.turn.R)
        return tuple(
            Mode("bending", self.turn.velocity(turned), apply(R_CP, moved))
            for turned, moved in zip(self.rotation.derivatives(self.q), linear, strict=True)
        )

    def rate(self, u: Sequence[Scalar]) -> Mode:
        q, turn = self.q, self.turn
        if turn is None or self.rotation is None:
            return Mode("rate", linear=self.position.second_rate(u))
        a_rate = along_rates(self.rotation.derivatives(q), u)
        omega = turn.velocity(a_rate)
        D_rate = divide(dot(turn.a, a_rate), 2)
        angular = turn.velocity(self.rotation.second_rate(u))
        angular = minus(angular, scale(multiply(D_rate, turn.inverse_D), omega))
        R_CP = transpose(turn.R)
        velocity = apply(R_CP, along_rates(self.position.derivatives(q), u))
        return Mode("rate", angular, minus(apply(R_CP, self.position.second_rate(u)), cross(omega, velocity)))


@dataclass(frozen=True)
class _Turn:
    """Cayley's rotation at given coordinates."""

    a: Vector
    inverse_D: Scalar
    R: Matrix

    @staticmethod
    def of(rotation: QuadraticPoint, q: Sequence[Scalar]) -> _Turn:
        a = rotation.at(q)
        inverse_D = divide(1, add(1, divide(dot(a, a), 4)))
        return _Turn(a, inverse_D, _rotation(a, inverse_D))

    def velocity(self, a_rate: Vector) -> Vector:
        """Return (ȧ − ½ a × ȧ)/D, the angular velocity in the axes of the place."""
        across = cross(self.a, a_rate)
        return scale(self.inverse_D, minus(a_rate, across if across is ZERO else _half(across)))


def _rotation(a: Vector, inverse_D: Scalar) -> Matrix:
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


def _half(a: Vector) -> Vector:
    x, y, z = a
    return (divide(x, 2), divide(y, 2), divide(z, 2))


def along_rates(columns: Sequence[Vector], u: Sequence[Scalar]) -> Vector:
    """Return Σ column_i u_i."""
    found = ZERO
    for column, rate in zip(columns, u, strict=True):
        found = plus(found, scale(rate, column))
    return found
