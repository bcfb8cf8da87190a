"""Sines and cosines of elements: addition theorems, whole multiples of angles, and known values at parts of π."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gyrostat.scalar.exact.definitions import PI
from gyrostat.scalar.exact.element import Element, as_element, settled
from gyrostat.scalar.exact.numbers import as_fraction
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.roots import root_of_number
from gyrostat.scalar.operations import Scalar


def cosine_and_sine(ring: ExactRing, argument: Scalar) -> tuple[Scalar, Scalar]:
    """Return cos and sin of an argument.

    Each of its terms is a rational multiple of an angle, which is a symbol or any other product of symbols.
    """
    name = argument.name if isinstance(argument, Element) else None
    if name is None or name == PI:
        return _of_sum(ring, argument)
    if name not in ring.turns:
        angle, count = ring.angle_of(argument, 1)
        combination = {angle.index: count}
        ring.turns[name] = _trig(ring, 0, angle.group, combination), _trig(ring, 1, angle.group, combination)
    return ring.turns[name]


def _of_sum(ring: ExactRing, argument: Scalar) -> tuple[Scalar, Scalar]:
    by_group: dict[int, dict[int, int]] = {}
    cosine: Scalar = 1
    sine: Scalar = 0
    for coefficient, term in single_terms(as_element(ring, argument)):
        if term.symbol_name() == PI and (coefficient * 12).denominator == 1:
            cosine, sine = _turned(cosine, sine, *_at_part_of_pi(ring, int(coefficient * 12)))
            continue
        angle, count = ring.angle_of(term, coefficient.denominator)
        by_group.setdefault(angle.group, {})[angle.index] = count * coefficient.numerator
    for group, combination in sorted(by_group.items()):
        cosine, sine = _turned(cosine, sine, _trig(ring, 0, group, combination), _trig(ring, 1, group, combination))
    return cosine, sine


def single_terms(element: Element) -> list[tuple[Fraction, Element]]:
    """Return an element's terms: a rational coefficient and an element with coefficient one for each."""
    ring = element.ring
    element.lifted()
    return [
        (as_fraction(coefficient), _single(ring, h, ring.context.from_dict({exponents: 1}), element))
        for h in sorted(element.terms)
        for exponents, coefficient in element.terms[h].to_dict().items()
    ]


def _single(ring: ExactRing, harmonic: int, poly: Any, like: Element) -> Element:
    marks = sum(1 << i for i, e in enumerate(poly.degrees()) if e and (i in ring.squares or i in ring.divisors))
    term = settled(ring, {harmonic: poly}, like.below, 0)
    if not isinstance(term, Element):
        return ring.constant(term)
    return Element(ring, term.terms, term.below, marks)


def _trig(ring: ExactRing, parity: int, group: int, combination: dict[int, int]) -> Scalar:
    element = ring.trig(parity, group, combination)
    return settled(ring, element.terms, (), 0)


def _turned(c: Scalar, s: Scalar, more_c: Scalar, more_s: Scalar) -> tuple[Scalar, Scalar]:
    """Return cos and sin of a sum."""
    return c * more_c - s * more_s, s * more_c + c * more_s


def _at_part_of_pi(ring: ExactRing, twelfths: int) -> tuple[Scalar, Scalar]:
    """Return cos and sin of a multiple of π/12."""
    return _cosine_at(ring, twelfths), _cosine_at(ring, twelfths - 6)


def _cosine_at(ring: ExactRing, twelfths: int) -> Scalar:
    k = twelfths % 24
    k = min(k, 24 - k)
    if k > 6:
        return -_cosine_at(ring, 12 - k)
    two, three = root_of_number(ring, Fraction(2)), root_of_number(ring, Fraction(3))
    if k in (1, 5):
        return (two * three + two) / 4 if k == 1 else (two * three - two) / 4
    return {0: 1, 2: three / 2, 3: two / 2, 4: Fraction(1, 2), 6: 0}[k]
