"""Residuals of a pose that a joint does not allow, and the joint's coordinates at a pose that it allows.

A joint that closes a loop has no coordinates of its own: its pose follows from the others. Residuals are zero where
the joint allows the pose; there their rates are the relative speeds along the joint's unit reactions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract, total
from gyrostat.spatial import Matrix, Vector, apply, cross, dot, minus, perpendicular, scale, transpose


def offset_in_child(pose: Pose) -> Vector:
    """Return the position of C's origin, in the axes of C: three residuals of a joint that holds it in place."""
    return apply(transpose(pose.R_PC), pose.r_PC_P)


def offsets_across(pose: Pose, axis: Vector, directions: Iterable[Vector]) -> tuple[Scalar, ...]:
    """Return the position off an axis of P along directions of C that are across it."""
    along = scale(dot(pose.r_PC_P, axis), axis)
    off = minus(pose.r_PC_P, along)
    return tuple(dot(off, apply(pose.R_PC, direction)) for direction in directions)


def tilts(pose: Pose, axis: Vector, directions: Iterable[Vector]) -> tuple[Scalar, ...]:
    """Return the tilt of an axis that both sides share, about directions of C that are across it."""
    tilt = cross(axis, apply(pose.R_PC, axis))
    return tuple(dot(tilt, apply(pose.R_PC, direction)) for direction in directions)


def turn(pose: Pose) -> Vector:
    """Return 2 e0 e of a rotation that ought to be none, e0 and e being its Euler parameters."""
    R = pose.R_PC
    pairs = ((R[2][1], R[1][2]), (R[0][2], R[2][0]), (R[1][0], R[0][1]))
    x, y, z = (divide(subtract(a, b), 2) for a, b in pairs)
    return (x, y, z)


def angle_about(pose: Pose, axis: Vector, scalars: Scalars) -> Scalar:
    """Return the angle by which C is turned about an axis that both sides share."""
    cosine, sine = turned_by(pose, axis, scalars)
    return scalars.call("atan2", (sine, cosine))


def turned_by(pose: Pose, axis: Vector, scalars: Scalars) -> tuple[Scalar, Scalar]:
    """Return cosine and sine of that angle."""
    n1, n2 = perpendicular(axis, scalars)
    seen = apply(pose.R_PC, n1)
    return dot(seen, n1), dot(seen, n2)


def speeds_along(modes: Sequence[Mode], twist: Mode) -> tuple[Scalar, ...]:
    """Return the speeds of orthogonal free modes that make up a twist."""
    return tuple(
        divide(
            add(dot(mode.angular, twist.angular), dot(mode.linear, twist.linear)),
            add(dot(mode.angular, mode.angular), dot(mode.linear, mode.linear)),
        )
        for mode in modes
    )


def euler_parameters_of(R: Matrix, scalars: Scalars) -> tuple[Scalar, ...]:
    """Return the unit quaternion of a rotation, with e0 not negative; each from its own square."""

    def part(first: int, second: int, third: int) -> Scalar:
        signed = [R[i][i] if sign > 0 else negate(R[i][i]) for i, sign in enumerate((first, second, third))]
        square = scalars.call("max", (0, total([1, *signed])))
        return divide(scalars.call("sqrt", (square,)), 2)

    def with_sign_of(size: Scalar, sign: Scalar) -> Scalar:
        return scalars.call("where", (scalars.compare("<", sign, 0), negate(size), size))

    x, y, z = turn(Pose(R))
    return (
        part(1, 1, 1),
        with_sign_of(part(1, -1, -1), x),
        with_sign_of(part(-1, 1, -1), y),
        with_sign_of(part(-1, -1, 1), z),
    )


def angles_of(R: Matrix, sequence: str, scalars: Scalars) -> tuple[Scalar, Scalar, Scalar]:
    """Return the three angles of a rotation about axes that turn along, such as zxz or xyz."""
    i, j, k = ("xyz".index(axis) for axis in sequence)

    def atan2(y: Scalar, x: Scalar) -> Scalar:
        return scalars.call("atan2", (y, x))

    def length(a: Scalar, b: Scalar) -> Scalar:
        return scalars.call("sqrt", (add(multiply(a, a), multiply(b, b)),))

    if i == k:
        third = 3 - i - j
        sign = 1 if (j - i) % 3 == 1 else -1
        return (
            atan2(R[j][i], multiply(-sign, R[third][i])),
            atan2(length(R[i][j], R[i][third]), R[i][i]),
            atan2(R[i][j], multiply(sign, R[i][third])),
        )
    sign = 1 if (j - i) % 3 == 1 else -1
    return (
        atan2(multiply(-sign, R[j][k]), R[k][k]),
        atan2(multiply(sign, R[i][k]), length(R[i][i], R[i][j])),
        atan2(multiply(-sign, R[i][j]), R[i][i]),
    )
