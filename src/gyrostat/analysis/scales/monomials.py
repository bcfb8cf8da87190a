"""Sparse polynomials in amplitudes and phasors: coefficients by monomials, which are packed into integers.

A monomial is a row of small exponents, eight bits each, so that a product of monomials is a sum of integers. Exponents
of phasors may be negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

Monomial: TypeAlias = int
Polynomial: TypeAlias = dict[Monomial, Any]
"""Coefficients, of either field, by monomial; without zeros."""

_BITS: Final = 8
_HALF: Final = 1 << (_BITS - 1)
LARGEST: Final = _HALF - 1
"""The largest exponent."""


def unit(place: int) -> Monomial:
    """Return the monomial of one variable."""
    return 1 << (_BITS * place)


def packed(exponents: Sequence[int]) -> Monomial:
    """Return a monomial from exponents."""
    return sum(exponent << (_BITS * place) for place, exponent in enumerate(exponents))


def unpacked(monomial: Monomial, count: int) -> tuple[int, ...]:
    """Return the exponents of a monomial.

    >>> unpacked(packed([2, 0, -3, 1]), 4)
    (2, 0, -3, 1)
    """
    exponents = []
    for _ in range(count):
        exponent = ((monomial + _HALF) & (2 * _HALF - 1)) - _HALF
        exponents.append(exponent)
        monomial = (monomial - exponent) >> _BITS
    return tuple(exponents)


def add_to(total: Polynomial, other: Polynomial) -> None:
    """Add a polynomial to another in place."""
    for monomial, coefficient in other.items():
        found = total.get(monomial)
        if found is None:
            total[monomial] = coefficient
        else:
            found = found + coefficient
            if found:
                total[monomial] = found
            else:
                del total[monomial]


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return a product."""
    if len(a) > len(b):
        a, b = b, a
    total: Polynomial = {}
    for m, c in a.items():
        for k, d in b.items():
            key = m + k
            found = total.get(key)
            total[key] = c * d if found is None else found + c * d
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def scaled(polynomial: Polynomial, factor: Any, shift: Monomial = 0) -> Polynomial:
    """Return a polynomial times a coefficient and a monomial."""
    return {monomial + shift: x for monomial, coefficient in polynomial.items() if (x := coefficient * factor)}
