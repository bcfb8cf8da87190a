"""Rotation of a pair of elements by an angle: harmonics turn as phasors do, and nothing is formed that would cancel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from gyrostat.scalar.exact.element import Element, Terms, settled
from gyrostat.scalar.exact.harmonics import COSINE, SINE, Combination, Factor, Harmonics, sum_and_difference
from gyrostat.scalar.operations import Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.exact.ring import ExactRing

Turn: TypeAlias = tuple[int, Combination, int]
"""The group of an angle, the angle, and the sign that its sine has."""


def rotated(cosine: Element, sine: Element, x: Element, y: Element) -> tuple[Scalar, Scalar] | None:
    """Return cos·x − sin·y and sin·x + cos·y; None where these are not cosine and sine of one angle, or x and y differ
    in what they are divided by.

    Of x = a cos φ + b sin φ and y = c cos φ + d sin φ, the halves of a + d and b − c turn to φ + θ, those of a − d and
    b + c to φ − θ. In mechanisms with parallel axes most of these vanish.
    """
    ring = x.ring
    turn = _turn(ring, cosine, sine)
    if turn is None or y.ring is not ring or x.below != y.below:
        return None
    group, theta, sign = turn
    first: Terms = {}
    second: Terms = {}
    sums = _Sums(ring.harmonics, group)
    for (rest, phi), (a, b, c, d) in _by_angle(ring.harmonics, group, x, y).items():
        forwards, backwards = sum_and_difference(phi, theta)
        if sign < 0:
            forwards, backwards = backwards, forwards
        if not phi:  # cos 0 = 1: nothing is halved
            along, apart, less, more = a, None, None if c is None else -c, None
        else:
            along, apart = _halves(a, d)
            more, less = _halves(b, c)
        if along is not None:
            sums.put(first, rest, COSINE, forwards, along)
            sums.put(second, rest, SINE, forwards, along)
        if apart is not None:
            sums.put(first, rest, COSINE, backwards, apart)
            sums.put(second, rest, SINE, backwards, -apart)
        if less is not None:
            sums.put(first, rest, SINE, forwards, less)
            sums.put(second, rest, COSINE, forwards, -less)
        if more is not None:
            sums.put(first, rest, SINE, backwards, more)
            sums.put(second, rest, COSINE, backwards, more)
    marks = x.marks | y.marks
    return settled(ring, first, x.below, marks), settled(ring, second, x.below, marks)


def _turn(ring: ExactRing, cosine: Element, sine: Element) -> Turn | None:
    """Return the angle of a cosine and a sine, None for other elements."""
    if cosine.ring is not ring or sine.ring is not ring or len(cosine.terms) != 1 or len(sine.terms) != 1:
        return None
    [(h_cosine, one)] = cosine.terms.items()
    [(h_sine, size)] = sine.terms.items()
    left, right = ring.harmonics.factors[h_cosine], ring.harmonics.factors[h_sine]
    if len(left) != 1 or len(right) != 1 or not one.is_one():
        return None
    group, parity, theta = left[0]
    if parity != COSINE or right[0] != (group, SINE, theta) or cosine.below or sine.below:
        return None
    return (group, theta, 1) if size.is_one() else (group, theta, -1) if (-size).is_one() else None


def _by_angle(
    harmonics: Harmonics, group: int, x: Element, y: Element
) -> dict[tuple[tuple[Factor, ...], Combination], list[Any]]:
    """Return the coefficients of cos φ and sin φ in x, then in y, by the factors of other groups and φ."""
    found: dict[tuple[tuple[Factor, ...], Combination], list[Any]] = {}
    for place, element in ((0, x), (2, y)):
        for h, coefficient in element.lifted().terms.items():
            factors = harmonics.factors[h]
            rest = tuple([factor for factor in factors if factor[0] != group])
            parity, phi = next(((parity, phi) for own, parity, phi in factors if own == group), (COSINE, ()))
            found.setdefault((rest, phi), [None, None, None, None])[place + parity] = coefficient
    return found


def _halves(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the halves of a + b and of a − b, None for zero."""
    if a is None or b is None:
        if a is None and b is None:
            return None, None
        half = (a if b is None else b) / 2
        return half, half if b is None else -half
    if a == b:
        return a, None
    total = a + b
    return (total / 2, (a - b) / 2) if total else (None, a)


class _Sums:
    """Adds up coefficients × harmonics, of which the factors of one group change."""

    def __init__(self, harmonics: Harmonics, group: int) -> None:
        self.harmonics = harmonics
        self.group = group

    def put(self, terms: Terms, rest: tuple[Factor, ...], parity: int, angle: Combination, coefficient: Any) -> None:
        """Add a coefficient times cos or sin of an angle times the rest."""
        own, factors = self.harmonics.canonical(self.group, parity, angle)
        if not own:
            return
        h = self.harmonics.intern(tuple(sorted((*rest, *factors))) if rest else factors)
        if own < 0:
            coefficient = -coefficient
        found = terms.get(h)
        if found is None:
            terms[h] = coefficient
        elif total := found + coefficient:
            terms[h] = total
        else:
            del terms[h]
