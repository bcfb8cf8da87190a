"""The order in which readers see terms: by harmonic, then by degree and the order of symbols."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gyrostat.scalar.exact.element import Element
from gyrostat.scalar.exact.numbers import as_fraction


def ordered_harmonics(element: Element) -> list[int]:
    """Return the harmonics that occur: the constant first, then those of few factors, low multiples, early angles."""
    factors = element.ring.harmonics.factors

    def rank(h: int) -> Any:
        whole = factors[h]
        size = sum(abs(k) for _, _, combination in whole for _, k in combination)
        return (len(whole), [(g, [(a, -k) for a, k in combination], parity) for g, parity, combination in whole], size)

    return sorted(element.terms, key=rank)


def ordered_terms(element: Element) -> list[tuple[Fraction, dict[int, int], int]]:
    """Return coefficient, powers of symbols (negative ones below) and harmonic of every term, in order."""
    found: list[tuple[Fraction, dict[int, int], int]] = []
    for h in ordered_harmonics(element):
        terms = [(as_fraction(value), powers(element, exponents)) for exponents, value in ordered_monomials(element, h)]
        found.extend((value, exponents, h) for value, exponents in terms)
    return found


def ordered_monomials(element: Element, harmonic: int) -> list[tuple[tuple[int, ...], Any]]:
    """Return exponents and coefficients of one harmonic: highest degree first, earlier symbols first."""
    # flint holds terms in lexicographic order, so that only degrees are left to sort by
    items = [(tuple(map(int, exponents)), v) for exponents, v in element.terms[harmonic].to_dict().items()]
    return sorted(items, key=_falling_degree) if len(items) > 1 else items


def _falling_degree(item: tuple[tuple[int, ...], Any]) -> int:
    return -sum(item[0])


def powers(element: Element, exponents: tuple[int, ...]) -> dict[int, int]:
    """Return the powers of symbols of one term, those below the element taken off."""
    found = {i: e for i, e in enumerate(exponents) if e}
    if not element.below:
        return found
    for i, e in element.below:
        found[i] = found.get(i, 0) - e
    return {i: e for i, e in sorted(found.items()) if e}
