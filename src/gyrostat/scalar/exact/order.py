"""Order of terms in output: by harmonic, then by degree and the order of symbols."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gyrostat.scalar.exact.element import Element, Monomial, monomials
from gyrostat.scalar.exact.numbers import as_fraction


def ordered_harmonics(element: Element) -> list[int]:
    """Return the harmonics that occur: the constant first, then those of few factors, low multiples, early angles."""
    terms = element.terms
    return sorted(terms, key=element.ring.harmonics.rank) if len(terms) > 1 else list(terms)


def ordered_terms(element: Element) -> list[tuple[Fraction, dict[int, int], int]]:
    """Return coefficient, powers of symbols (negative ones below) and harmonic of every term, in order."""
    return [(as_fraction(value), dict(powers), h) for value, powers, h in rational_terms(element)]


def rational_terms(element: Element) -> list[tuple[Any, Monomial, int]]:
    """Return the terms with flint's coefficients and powers as pairs."""
    found: list[tuple[Any, Monomial, int]] = []
    for h in ordered_harmonics(element):
        for powers, value in ordered_monomials(element.terms[h]):
            found.append((value, _without(powers, element.below) if element.below else powers, h))
    return found


def ordered_monomials(c: Any) -> list[tuple[Monomial, Any]]:
    """Return powers of symbols and coefficients of a polynomial: highest degree first, earlier symbols first."""
    # flint holds terms in lexicographic order, so that only degrees are left to sort by
    items = monomials(c)
    return sorted(items, key=_falling_degree) if len(items) > 1 else items


def _falling_degree(item: tuple[Monomial, Any]) -> int:
    return -sum(e for _, e in item[0])


def _without(powers: Monomial, below: Monomial) -> Monomial:
    """Return the powers of symbols of one term, minus those of the denominator."""
    found = dict(powers)
    for i, e in below:
        found[i] = found.get(i, 0) - e
    return tuple((i, e) for i, e in sorted(found.items()) if e)
