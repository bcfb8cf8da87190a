"""Elliptic contacts of Hertz: the shape of the area of contact and the stiffness, over abstract scalars.

Complete elliptic integrals K and E of the modulus e = √(1 − k²) follow from the arithmetic-geometric mean of 1 and k
(Abramowitz and Stegun 1964, 17.6), which needs no tables. D = (K − E)/e² is summed by itself, so that it is exact for
circles too, where e = 0.
"""

from __future__ import annotations

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract

_MEANS = 6
"""Steps of the arithmetic-geometric mean: to rounding for k down to 0.01."""
_ROUNDS = 12
"""Steps towards the ratio of axes: to rounding for curvatures up to 1 : 100, to 1e-10 up to 1 : 10 000."""
_GUESS, _STRETCH = -0.636, 1.25
"""The exponent of a first guess, and the power of a correction, which contracts by 0.2 of itself."""


def elliptic_integrals(k: Scalar, scalars: Scalars) -> tuple[Scalar, Scalar]:
    """Return K and D = (K − E)/e² for the modulus e = √(1 − k²).

    >>> from gyrostat.scalar import FloatScalars
    >>> K, D = elliptic_integrals(0.5, FloatScalars())
    >>> round(K, 12), round(K - 0.75 * D, 12)
    (2.1565156475, 1.211056027568)
    """
    mean, root = divide(add(1, k), 2), scalars.call("sqrt", (k,))
    share = divide(subtract(1, k), multiply(4, add(1, k)))  # c₁²/e², with c the half differences of both means
    half = square(divide(subtract(1, k), 2))
    whole, weight = add(0.5, share), 1
    for _ in range(_MEANS - 1):
        mean, root = divide(add(mean, root), 2), scalars.call("sqrt", (multiply(mean, root),))
        factor = divide(half, multiply(16, square(mean)))
        share, half, weight = multiply(share, factor), multiply(half, factor), 2 * weight
        whole = add(whole, multiply(weight, share))
    K = divide(divide(scalars.pi(), 2), mean)
    return K, multiply(K, whole)


def axis_ratio(curvatures: Scalar, scalars: Scalars) -> Scalar:
    """Return k = b/a of the area of contact from B/A ≥ 1, the ratio of relative curvatures (Crous 2000, eq. B.2).

    (E/k² − K)/(K − E) = B/A, which is k² = (K − D)/(D B/A).
    """
    k = scalars.power(curvatures, _GUESS)
    for _ in range(_ROUNDS):
        K, D = elliptic_integrals(k, scalars)
        better = scalars.call("sqrt", (divide(divide(subtract(K, D), D), curvatures),))
        k = multiply(k, scalars.power(divide(better, k), _STRETCH))
    return k


def elliptic_stiffness(modulus: Scalar, A: Scalar, B: Scalar, scalars: Scalars) -> Scalar:
    """Return Ψ of F = Ψ ξ^(3/2) from the contact modulus E* and the relative curvatures A ≤ B (Crous 2000, eq. B.1).

    Ψ = (2π E*/3) K^(−3/2) √(D/A); for a circle, with A = 1/(2R), it is 4/3 E* √R.
    """
    K, D = elliptic_integrals(axis_ratio(divide(B, A), scalars), scalars)
    third = divide(multiply(multiply(2, scalars.pi()), modulus), 3)
    return divide(multiply(third, scalars.call("sqrt", (divide(D, A),))), scalars.power(K, 1.5))
