"""Vectors, rotations and inertia over abstract scalars.

Vectors are tuples of three scalars, matrices tuples of rows. Names carry frames: `R_WB` maps components in B to
components in W, `r_BP_B` leads from B's origin to P in the axes of B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gyrostat.once import cached_property
from gyrostat.scalar.algebra import (
    add,
    divide,
    is_number,
    is_zero,
    known_value,
    multiply,
    negate,
    rotate,
    square,
    subtract,
    total,
)
from gyrostat.scalar.jets import rate_of, value_of
from gyrostat.scalar.operations import Scalar, Scalars

Vector: TypeAlias = tuple[Scalar, Scalar, Scalar]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]

_NOUGHT: Scalar = 0
ZERO: Vector = (0, 0, 0)
"""The vector that is known to vanish: sums and products below recognise it by identity."""
UNIT: dict[str, Vector] = {
    "x": (1, 0, 0),
    "y": (0, 1, 0),
    "z": (0, 0, 1),
    "-x": (-1, 0, 0),
    "-y": (0, -1, 0),
    "-z": (0, 0, -1),
}
"""Unit vectors along the axes, by name."""
IDENTITY: Matrix = (UNIT["x"], UNIT["y"], UNIT["z"])
NO_INERTIA: Matrix = (ZERO, ZERO, ZERO)


# Most components are zeros of type int, of which there is only one object: they are passed over without a call.


def dot(a: Vector, b: Vector) -> Scalar:
    """Return a·b."""
    if a is ZERO or b is ZERO:
        return 0
    (x, y, z), (u, v, w) = a, b
    if type(x) is type(y) is type(z) is type(u) is type(v) is type(w) is float:  # constants of general frames
        return x * u + y * v + z * w
    result: Scalar = 0 if x is _NOUGHT or u is _NOUGHT else multiply(x, u)
    if y is not _NOUGHT and v is not _NOUGHT:
        result = multiply(y, v) if result is _NOUGHT else add(result, multiply(y, v))
    if z is not _NOUGHT and w is not _NOUGHT:
        result = multiply(z, w) if result is _NOUGHT else add(result, multiply(z, w))
    return result


def cross(a: Vector, b: Vector) -> Vector:
    """Return a × b."""
    if a is ZERO or b is ZERO:
        return ZERO
    (a1, a2, a3), (b1, b2, b3) = a, b
    x, y, z = _minor(a2, b3, a3, b2), _minor(a3, b1, a1, b3), _minor(a1, b2, a2, b1)
    return ZERO if x is _NOUGHT and y is _NOUGHT and z is _NOUGHT else (x, y, z)


def _minor(a: Scalar, b: Scalar, c: Scalar, d: Scalar) -> Scalar:
    """Return a b − c d."""
    if a is _NOUGHT or b is _NOUGHT:
        return 0 if c is _NOUGHT or d is _NOUGHT else negate(multiply(c, d))
    return multiply(a, b) if c is _NOUGHT or d is _NOUGHT else subtract(multiply(a, b), multiply(c, d))


def plus(a: Vector, b: Vector) -> Vector:
    """Return a + b."""
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    (x, y, z), (u, v, w) = a, b
    return (
        u if x is _NOUGHT else x if u is _NOUGHT else add(x, u),
        v if y is _NOUGHT else y if v is _NOUGHT else add(y, v),
        w if z is _NOUGHT else z if w is _NOUGHT else add(z, w),
    )


def minus(a: Vector, b: Vector) -> Vector:
    """Return a − b."""
    if b is ZERO:
        return a
    return (subtract(a[0], b[0]), subtract(a[1], b[1]), subtract(a[2], b[2]))


def opposite(a: Vector) -> Vector:
    """Return −a."""
    if a is ZERO:
        return a
    x, y, z = a
    return (
        x if x is _NOUGHT else negate(x),
        y if y is _NOUGHT else negate(y),
        z if z is _NOUGHT else negate(z),
    )


def scale(factor: Scalar, a: Vector) -> Vector:
    """Return factor·a."""
    if a is ZERO or factor is _NOUGHT:
        return ZERO
    x, y, z = a
    return (
        x if x is _NOUGHT else multiply(factor, x),
        y if y is _NOUGHT else multiply(factor, y),
        z if z is _NOUGHT else multiply(factor, z),
    )


def values_of(a: Vector) -> Vector:
    """Return the values of components that may be jets."""
    return (value_of(a[0]), value_of(a[1]), value_of(a[2]))


def rates_of(a: Vector) -> Vector:
    """Return the rates of components that may be jets."""
    return (rate_of(a[0]), rate_of(a[1]), rate_of(a[2]))


def normalised(a: Vector, scalars: Scalars) -> Vector:
    """Return a/|a|; a vector along a coordinate axis stays exactly that."""
    nonzero = [x for x in a if not is_zero(x)]
    if len(nonzero) == 1 and is_number(nonzero[0]):
        return (_sign(a[0]), _sign(a[1]), _sign(a[2]))
    length = scalars.call("sqrt", (total([square(x) for x in a]),))
    return (divide(a[0], length), divide(a[1], length), divide(a[2], length))


def _sign(x: int | float) -> int:
    return (x > 0) - (x < 0)


def perpendicular(a: Vector, scalars: Scalars) -> tuple[Vector, Vector]:
    """Return two unit vectors at right angles to the unit vector a and to each other: (a, n1, n2) is right-handed.

    The first is formed with a coordinate axis that a is known not to be parallel to; of an axis with unknown
    components, one whose component is known to be zero is best, and z is taken where nothing is known.
    """
    values = [known_value(x) for x in a]
    known = [2.0 if value is None else round(abs(value), 12) for value in values]
    k = min(range(3), key=lambda i: (known[i], -i))
    unit: Vector = IDENTITY[k]
    n2 = unit if is_zero(a[k]) else normalised(cross(a, unit), scalars)
    return cross(n2, a), n2


def transpose(A: Matrix) -> Matrix:
    """Return Aᵀ."""
    if A is IDENTITY:
        return A
    return ((A[0][0], A[1][0], A[2][0]), (A[0][1], A[1][1], A[2][1]), (A[0][2], A[1][2], A[2][2]))


def apply(A: Matrix, a: Vector) -> Vector:
    """Return A a."""
    if A is IDENTITY or a is ZERO:
        return a
    return (dot(A[0], a), dot(A[1], a), dot(A[2], a))


def product(A: Matrix, B: Matrix) -> Matrix:
    """Return A B."""
    if A is IDENTITY:
        return B
    if B is IDENTITY:
        return A
    columns = transpose(B)
    return (apply(columns, A[0]), apply(columns, A[1]), apply(columns, A[2]))


def matrix_sum(A: Matrix, B: Matrix) -> Matrix:
    """Return A + B."""
    return (plus(A[0], B[0]), plus(A[1], B[1]), plus(A[2], B[2]))


def skew(a: Vector) -> Matrix:
    """Return ã with ã b = a × b."""
    return ((0, negate(a[2]), a[1]), (a[2], 0, negate(a[0])), (negate(a[1]), a[0], 0))


def rotation_about(axis: Vector, angle: Scalar, scalars: Scalars) -> Matrix:
    """Return the rotation by an angle about a unit vector: a aᵀ + (1 − a aᵀ) cos + ã sin.

    Written so that an axis along x, y or z leaves only the four entries that turn.
    """
    if is_zero(angle):
        return IDENTITY
    cosine = scalars.call("cos", (angle,))
    sine = scalars.call("sin", (angle,))
    for k, unit in enumerate(IDENTITY):
        if axis is unit:
            return PlaneTurn(k, cosine, sine).matrix
    turned = skew(axis)

    def entry(i: int, j: int) -> Scalar:
        outer = multiply(axis[i], axis[j])
        across = subtract(int(i == j), outer)
        return add(add(outer, multiply(across, cosine)), multiply(turned[i][j], sine))

    return (
        (entry(0, 0), entry(0, 1), entry(0, 2)),
        (entry(1, 0), entry(1, 1), entry(1, 2)),
        (entry(2, 0), entry(2, 1), entry(2, 2)),
    )


def conjugate(R: Matrix, S: Matrix) -> Matrix:
    """Return R S Rᵀ for a symmetric S: each pair of equal entries is formed once."""
    if R is IDENTITY:
        return S
    turn = plane_turn(R)
    if turn is not None:
        return turn.tensor(S)
    T = product(R, S)
    xx, xy, xz = dot(T[0], R[0]), dot(T[0], R[1]), dot(T[0], R[2])
    yy, yz, zz = dot(T[1], R[1]), dot(T[1], R[2]), dot(T[2], R[2])
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


_OTHER_AXES = ((1, 2), (2, 0), (0, 1))
"""For each coordinate axis the two others, in cyclic order."""


@dataclass(frozen=True)
class PlaneTurn:
    """A rotation about coordinate axis k, with the products of cosine and sine that tensors turn by."""

    axis: int
    cosine: Scalar
    sine: Scalar

    @cached_property
    def squared(self) -> Scalar:
        """cos²."""
        return square(self.cosine)

    @cached_property
    def both(self) -> Scalar:
        """cos·sin."""
        return multiply(self.cosine, self.sine)

    @cached_property
    def opposite(self) -> PlaneTurn:
        """The turn back."""
        return PlaneTurn(self.axis, self.cosine, negate(self.sine))

    @property
    def matrix(self) -> Matrix:
        """R."""
        rows = [list(row) for row in IDENTITY]
        i, j = _OTHER_AXES[self.axis]
        rows[i][i], rows[i][j], rows[j][i], rows[j][j] = self.cosine, negate(self.sine), self.sine, self.cosine
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
        return ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))

    def followed_by(self, other: PlaneTurn) -> PlaneTurn:
        """Return this turn and another about the same axis as one, by the sum of the angles."""
        cosine, sine = self.pair(other.cosine, other.sine)
        return PlaneTurn(self.axis, cosine, sine)

    def vector(self, a: Vector) -> Vector:
        """Return R a."""
        if a is ZERO:
            return a
        i, j = _OTHER_AXES[self.axis]
        turned: list[Scalar] = list(a)
        turned[i], turned[j] = self.pair(a[i], a[j])
        return (turned[0], turned[1], turned[2])

    def pair(self, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
        """Return the two components in the plane after the turn."""
        return rotate(self.cosine, self.sine, x, y)

    def tensor(self, A: Matrix) -> Matrix:
        """Return R A Rᵀ: in the plane the trace and the skew part stay, the rest turns by twice the angle.

        With A = [a b; e d] in the plane, c² (a − d) − c s (b + e) goes from a to d, and c s (a − d) + c² (b + e) less
        each becomes the other; nothing is halved.
        """
        k = self.axis
        i, j = _OTHER_AXES[k]
        a, b, e, d = A[i][i], A[i][j], A[j][i], A[j][j]
        apart: Scalar = 0 if a is d else subtract(a, d)
        across = multiply(2, b) if b is e else add(b, e)
        change = subtract(multiply(self.squared, apart), multiply(self.both, across))
        shear = add(multiply(self.both, apart), multiply(self.squared, across))
        rows: list[list[Scalar]] = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        rows[i][i], rows[j][j], rows[k][k] = add(d, change), subtract(a, change), A[k][k]
        rows[i][j] = subtract(shear, e)
        rows[j][i] = rows[i][j] if b is e else subtract(shear, b)
        rows[i][k], rows[j][k] = self.pair(A[i][k], A[j][k])
        if A[k][i] is A[i][k] and A[k][j] is A[j][k]:
            rows[k][i], rows[k][j] = rows[i][k], rows[j][k]
        else:
            rows[k][i], rows[k][j] = self.pair(A[k][i], A[k][j])
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
        return ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))


def plane_turn(R: Matrix) -> PlaneTurn | None:
    """Return a rotation that is known to leave a coordinate axis alone as such, else None."""
    for k, (i, j) in enumerate(_OTHER_AXES):
        alone = is_number(R[k][k]) and R[k][k] == 1
        if alone and is_zero(R[k][i]) and is_zero(R[k][j]) and is_zero(R[i][k]) and is_zero(R[j][k]):
            return PlaneTurn(k, R[i][i], R[j][i])
    return None


class MassProperties(NamedTuple):
    """Mass, mass centre and inertia about the mass centre, in one frame.

    The inertia is the tensor: its off-diagonal entries are minus the products of inertia.
    """

    mass: Scalar
    com: Vector
    inertia: Matrix

    def turned(self, R_AB: Matrix) -> MassProperties:
        """Return the same body's properties in the axes of A."""
        if R_AB is IDENTITY:
            return self
        return MassProperties(self.mass, apply(R_AB, self.com), conjugate(R_AB, self.inertia))

    def moved(self, r_AB_A: Vector) -> MassProperties:
        """Return the properties with positions counted from A's origin."""
        if r_AB_A is ZERO:
            return self
        return MassProperties(self.mass, plus(r_AB_A, self.com), self.inertia)


def point_inertia(mass: Scalar, r: Vector) -> Matrix:
    """Return m (r·r 1 − r rᵀ), the inertia of a point mass at r."""
    if r is ZERO:
        return NO_INERTIA
    x, y, z = r
    if (x is _NOUGHT) + (y is _NOUGHT) + (z is _NOUGHT) == 2:  # along a coordinate axis
        across = multiply(mass, square(x if x is not _NOUGHT else y if y is not _NOUGHT else z))
        return (
            (across if x is _NOUGHT else 0, 0, 0),
            (0, across if y is _NOUGHT else 0, 0),
            (0, 0, across if z is _NOUGHT else 0),
        )
    x2, y2, z2 = square(x), square(y), square(z)
    xy, xz, yz = (negate(multiply(mass, multiply(a, b))) for a, b in ((x, y), (x, z), (y, z)))
    about_x, about_y, about_z = add(y2, z2), add(x2, z2), add(x2, y2)
    xx, yy = multiply(mass, about_x), multiply(mass, about_y)
    zz = xx if about_z is about_x else multiply(mass, about_z)
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def combined(parts: list[MassProperties]) -> MassProperties:
    """Return the properties of several bodies joined rigidly, all given in one frame (parallel-axis theorem)."""
    mass = total([part.mass for part in parts])
    moment = ZERO
    for part in parts:
        moment = plus(moment, scale(part.mass, part.com))
    com: Vector = ZERO if all(is_zero(x) for x in moment) else tuple(divide(x, mass) for x in moment)
    inertia = NO_INERTIA
    for part in parts:
        about_com = matrix_sum(part.inertia, point_inertia(part.mass, minus(part.com, com)))
        inertia = matrix_sum(inertia, about_com)
    return MassProperties(mass, com, inertia)
