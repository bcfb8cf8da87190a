"""Loop-closure residuals of joints, and joint coordinates from a relative pose.

A cut joint has no coordinates of its own: its pose follows from those of the tree joints. The residuals are zero at
admissible poses; there their rates are the relative velocities along the joint's unit reactions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, subtract, total
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Matrix, Vector, apply, cross, dot, minus, perpendicular, scale, transpose


def offset_in_child(pose: Pose) -> Vector:
    """Return r_PC in the axes of C: the three residuals of a joint without relative translation."""
    return apply(transpose(pose.R_PC), pose.r_PC_P)


def offsets_across(pose: Pose, axis: Vector, directions: Iterable[Vector]) -> tuple[Scalar, ...]:
    """Return the distances of C's origin from an axis of P along directions of C normal to it."""
    along = scale(dot(pose.r_PC_P, axis), axis)
    off = minus(pose.r_PC_P, along)
    return tuple(dot(off, apply(pose.R_PC, direction)) for direction in directions)


def tilts(pose: Pose, axis: Vector, directions: Iterable[Vector]) -> tuple[Scalar, ...]:
    """Return the misalignment of the common axis, about directions of C normal to it."""
    tilt = cross(axis, apply(pose.R_PC, axis))
    return tuple(dot(tilt, apply(pose.R_PC, direction)) for direction in directions)


def turn(pose: Pose) -> Vector:
    """Return 2 e0 e, the residual of a rotation that must be the identity, with its Euler parameters e0 and e."""
    R = pose.R_PC
    pairs = ((R[2][1], R[1][2]), (R[0][2], R[2][0]), (R[1][0], R[0][1]))
    x, y, z = (divide(subtract(a, b), 2) for a, b in pairs)
    return (x, y, z)


def angle_about(pose: Pose, axis: Vector, scalars: Scalars) -> Scalar:
    """Return the rotation angle of C relative to P about the common axis."""
    cosine, sine = turned_by(pose, axis, scalars)
    return scalars.call("atan2", (sine, cosine))


def turned_by(pose: Pose, axis: Vector, scalars: Scalars) -> tuple[Scalar, Scalar]:
    """Return cosine and sine of the rotation angle about the common axis."""
    n1, n2 = perpendicular(axis, scalars)
    seen = apply(pose.R_PC, n1)
    return dot(seen, n1), dot(seen, n2)


def speeds_along(modes: Sequence[Mode], twist: Mode) -> tuple[Scalar, ...]:
    """Return the speeds of a twist in terms of orthogonal free modes."""
    return tuple(
        divide(
            add(dot(mode.angular, twist.angular), dot(mode.linear, twist.linear)),
            add(dot(mode.angular, mode.angular), dot(mode.linear, mode.linear)),
        )
        for mode in modes
    )


def euler_parameters_of(R: Matrix, scalars: Scalars) -> tuple[Scalar, ...]:
    """Return the unit quaternion of a rotation, with e0 ≥ 0.

    e0 is computed from its square. Where it exceeds ½ the others are e = turn/(2 e0), accurate also where they vanish;
    elsewhere they are computed from their squares.
    """
    scalars = without_switches(scalars)

    def part(first: int, second: int, third: int) -> Scalar:
        signed = [R[i][i] if sign > 0 else negate(R[i][i]) for i, sign in enumerate((first, second, third))]
        square = scalars.call("max", (0, total([1, *signed])))
        return divide(scalars.call("sqrt", (square,)), 2)

    def with_sign_of(size: Scalar, sign: Scalar) -> Scalar:
        return scalars.call("where", (scalars.compare("<", sign, 0), negate(size), size))

    e0 = part(1, 1, 1)
    twice = multiply(2, scalars.call("max", (e0, 0.5)))

    def along(size: Scalar, sign: Scalar) -> Scalar:
        small = scalars.compare("<", 0.5, e0)
        return scalars.call("where", (small, divide(sign, twice), with_sign_of(size, sign)))

    x, y, z = turn(Pose(R))
    return (e0, along(part(1, -1, -1), x), along(part(-1, 1, -1), y), along(part(-1, -1, 1), z))


def angles_of(R: Matrix, sequence: str, scalars: Scalars) -> tuple[Scalar, Scalar, Scalar]:
    """Return the three Euler angles of a rotation for a sequence of body-fixed axes such as zxz or xyz."""
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
