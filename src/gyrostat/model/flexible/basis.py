"""Ritz functions: polynomials along a beam that satisfy the conditions at its root."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from functools import cache

from gyrostat.model.flexible.polynomial import ONE, Polynomial, combination, product

_LINE: Polynomial = (Fraction(-1), Fraction(2))
"""2 ξ − 1, which runs from −1 at the root to 1 at the tip."""


class RitzBasis(Enum):
    """The families of polynomials. They span the same functions; Taylor's lose eleven digits at eight terms."""

    LEGENDRE = "legendre"
    TAYLOR = "taylor"
    CHEBYSHEV = "chebyshev"


@cache
def family(basis: RitzBasis, count: int) -> tuple[Polynomial, ...]:
    """Return the first polynomials of a family on 0 ≤ ξ ≤ 1."""
    found: list[Polynomial] = []
    for i in range(count):
        if i == 0:
            found.append(ONE)
        elif basis is RitzBasis.TAYLOR:
            found.append((Fraction(0),) * i + ONE)
        elif i == 1:
            found.append(_LINE)
        else:
            up, down = (Fraction(2 * i - 1, i), Fraction(1 - i, i)) if basis is RitzBasis.LEGENDRE else (2, -1)
            found.append(combination([(up, product(_LINE, found[-1])), (down, found[-2])]))
    return tuple(found)


@cache
def shape_functions(basis: RitzBasis, count: int, zeros: int) -> tuple[Polynomial, ...]:
    """Return Ritz functions ξ^zeros times a family: two zeros at the root for bending, one for twist and stretch.

    >>> shape_functions(RitzBasis.TAYLOR, 2, 2)
    ((Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)), (Fraction(0, 1), Fraction(0, 1), Fraction(0, 1), Fraction(1, 1)))
    """
    root = (Fraction(0),) * zeros + ONE
    return tuple(product(root, member) for member in family(basis, count))
