"""Nodes and weights along a beam: Gauss's for numbers, Newton and Cotes's rational ones on the exact engine.

Integrands are polynomials: both give the integrals themselves, the second in rational numbers. Weights of either sign
do no harm there.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import NamedTuple

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.polynomial import ONE, Polynomial, integral, is_exact, product, rational
from gyrostat.scalar import Scalar


class Node(NamedTuple):
    """A place ξ along the beam, 0 at the root and 1 at the tip, and its weight; the weights' sum is 1."""

    xi: Scalar
    weight: Scalar


def nodes(degree: int, value: Evaluator) -> tuple[Node, ...]:
    """Return nodes that integrate polynomials up to a degree over 0 ≤ ξ ≤ 1."""
    if is_exact(value):
        exact = _newton_cotes(max(degree, 1))
        return tuple(Node(rational(xi, value), rational(weight, value)) for xi, weight in exact)
    return tuple(Node(xi, weight) for xi, weight in _gauss(degree // 2 + 1))


@cache
def _gauss(count: int) -> tuple[tuple[float, float], ...]:
    from numpy.polynomial.legendre import leggauss

    places, weights = leggauss(count)
    return tuple((float(x), float(w)) for x, w in zip((places + 1) / 2, weights / 2, strict=True))


@cache
def _newton_cotes(degree: int) -> tuple[tuple[Fraction, Fraction], ...]:
    places = [Fraction(k, degree) for k in range(degree + 1)]
    found: list[tuple[Fraction, Fraction]] = []
    for here in places:
        interpolating: Polynomial = ONE
        for other in places:
            if other != here:
                interpolating = product(interpolating, (-other / (here - other), 1 / (here - other)))
        found.append((here, sum(integral(interpolating), Fraction(0))))
    return tuple(found)
