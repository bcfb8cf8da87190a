"""Euler parameters: unit quaternions (Hamilton, scalar first) as coordinates of a rotation."""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.model.joints.joint import Coordinate
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract, total
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import Matrix, Vector

EULER_PARAMETERS: tuple[Coordinate, ...] = (
    Coordinate("e0", "number", rest=1),
    Coordinate("e1", "number"),
    Coordinate("e2", "number"),
    Coordinate("e3", "number"),
)
ANGULAR_SPEEDS = ("w1", "w2", "w3")


def rotation_of(e: Sequence[Scalar]) -> Matrix:
    """Return R_PC(e), which maps child components to parent components (Crous 2000, eq. 3.3.52, entry (2,3) corrected).

    The diagonal is written 1 − 2(…), which is exact for unit e and needs fewer operations than the homogeneous form.
    """
    return _rotation(e[0], e[1], e[2], e[3])


def parameter_rates(e: Sequence[Scalar], w: Vector) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return ė = ½ e ∘ (0, w) for the relative angular velocity w in child axes (Crous 2000, eq. 3.3.60, corrected)."""
    return _rates((e[0], e[1], e[2], e[3]), w)


@repeated
def _rotation(e0: Scalar, e1: Scalar, e2: Scalar, e3: Scalar) -> Matrix:
    """Return R_PC(e)."""

    def twice(a: Scalar, b: Scalar, c: Scalar) -> Scalar:
        """Return 2 (a b ± …) where c carries its own sign."""
        return multiply(2, add(multiply(a, b), c))

    def diagonal(a: Scalar, b: Scalar) -> Scalar:
        return subtract(1, multiply(2, add(square(a), square(b))))

    return (
        (diagonal(e2, e3), twice(e1, e2, negate(multiply(e0, e3))), twice(e1, e3, multiply(e0, e2))),
        (twice(e1, e2, multiply(e0, e3)), diagonal(e1, e3), twice(e2, e3, negate(multiply(e0, e1)))),
        (twice(e1, e3, negate(multiply(e0, e2))), twice(e2, e3, multiply(e0, e1)), diagonal(e1, e2)),
    )


@repeated
def _rates(e: tuple[Scalar, Scalar, Scalar, Scalar], w: Vector) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return ½ e ∘ (0, w)."""
    e0, e1, e2, e3 = e
    w1, w2, w3 = w
    rates = (
        negate(total([multiply(e1, w1), multiply(e2, w2), multiply(e3, w3)])),
        subtract(add(multiply(e0, w1), multiply(e2, w3)), multiply(e3, w2)),
        subtract(add(multiply(e0, w2), multiply(e3, w1)), multiply(e1, w3)),
        subtract(add(multiply(e0, w3), multiply(e1, w2)), multiply(e2, w1)),
    )
    return (divide(rates[0], 2), divide(rates[1], 2), divide(rates[2], 2), divide(rates[3], 2))
