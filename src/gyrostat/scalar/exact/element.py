"""Elements of the ring: sums of coefficient × harmonic, over a monomial of symbols."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction
from itertools import compress, count
from typing import TYPE_CHECKING, Any, TypeAlias

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.harmonics import UNIT, Harmonics
from gyrostat.scalar.exact.numbers import as_fraction, as_rational, is_exact_number, plain_number
from gyrostat.scalar.operations import Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.exact.ring import ExactRing

Terms: TypeAlias = dict[int, Any]
"""Coefficients (flint's fmpq_mpoly) by harmonic."""
Monomial: TypeAlias = tuple[tuple[int, int], ...]
"""(symbol, exponent) in order of symbols, without zeros."""


class Element:
    """A trigonometric polynomial in normal form; immutable.

    `terms` over the monomial `below` is the value. `marks` has a bit for each symbol with a reduction rule that may
    occur. Results that are numbers come out as Python's int or Fraction. `name` is that of a symbol of the ring.
    """

    __slots__ = ("below", "marks", "name", "ring", "terms")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, ring: ExactRing, terms: Terms, below: Monomial, marks: int) -> None:
        self.ring = ring
        self.terms = terms
        self.below = below
        self.marks = marks
        self.name: str | None = None

    def __add__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Element):
            return self._plus_number(other, 1)
        return _sum(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        if not isinstance(other, Element):
            return self._plus_number(other, -1)
        return _sum(self, other, -1)

    def __rsub__(self, other: Scalar) -> Scalar:
        return (-self) + other

    def __neg__(self) -> Element:
        return Element(self.ring, {h: -c for h, c in self.terms.items()}, self.below, self.marks)

    def __pos__(self) -> Element:
        return self

    def __mul__(self, other: Scalar) -> Scalar:
        return _product(self, other) if isinstance(other, Element) else self._scaled(other)

    __rmul__ = __mul__

    def rotated(self, sine: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar] | None:
        """Return cos·x − sin·y and sin·x + cos·y, where this is the cosine, or None where no shorter way is known."""
        if not (isinstance(sine, Element) and isinstance(x, Element) and isinstance(y, Element)):
            return None
        return self.ring.rotated(self, sine, x, y)

    def __truediv__(self, other: Scalar) -> Scalar:
        if isinstance(other, Element):
            return self.ring.quotient(self, other)
        if not is_exact_number(other):
            return NotImplemented
        number = as_rational(other)
        return Element(self.ring, {h: c / number for h, c in self.terms.items()}, self.below, self.marks)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return NotImplemented if not is_exact_number(other) else other * self.ring.reciprocal(self)

    def __pow__(self, exponent: int) -> Scalar:
        if not isinstance(exponent, int):
            return NotImplemented
        if exponent < 0:
            return (1 / self) ** -exponent
        result: Scalar = 1
        square: Scalar = self
        while exponent:
            if exponent & 1:
                result = result * square
            exponent >>= 1
            if exponent:
                square = square * square
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element) and not is_exact_number(other):
            return NotImplemented
        return bool(self.ring.equals(self, other))

    def __repr__(self) -> str:
        return self.ring.to_text(self)

    def key(self) -> Hashable:
        """Return the normal form as a hashable key."""
        terms = self.lifted().terms
        return (self.below, tuple((h, _poly_key(terms[h])) for h in sorted(terms)))

    def lifted(self) -> Element:
        """Return the element itself, with its coefficients in the ring's current context."""
        ring = self.ring
        if ring.has_grown:
            terms = self.terms
            for c in terms.values():
                if c.context() is not ring.context:
                    self.terms = {h: x.project_to_context(ring.context) for h, x in terms.items()}
                break
        return self

    def known_value(self) -> float | None:
        """Return the value of an element whose only symbols are constants, such as roots of numbers; else None."""
        try:
            return self.ring.evaluate(self, {})
        except GyrostatError:
            return None

    def symbol_name(self) -> str | None:
        """Return the name of an element that is a single symbol, else None."""
        if self.name is not None:
            return self.name
        if self.below or len(self.terms) != 1 or UNIT not in self.terms:
            return None
        c = self.terms[UNIT]
        if len(c) != 1 or c.total_degree() != 1 or c.leading_coefficient() != 1:
            return None
        exponents = c.monoms()[0]
        return self.ring.generators[next(i for i, e in enumerate(exponents) if e)].name

    def n_terms(self) -> int:
        """Return the number of terms in expanded form."""
        return sum(len(c) for c in self.terms.values())

    def used(self) -> set[int]:
        """Return the symbols that occur outside cos and sin."""
        found = {i for i, _ in self.below}
        for c in self.terms.values():
            found.update(compress(count(), c.degrees()))
        return found

    def used_angles(self) -> set[int]:
        """Return the angles that occur."""
        factors = self.ring.harmonics.factors
        return {angle for h in self.terms for _, _, combination in factors[h] for angle, _ in combination}

    def _plus_number(self, number: Scalar, sign: int) -> Scalar:
        if not is_exact_number(number):
            return NotImplemented
        if number == 0:
            return self
        return _sum(self, self.ring.constant(number), sign)

    def _scaled(self, number: Scalar) -> Scalar:
        if type(number) is not int and not is_exact_number(number):
            return NotImplemented
        if number == 0:
            return 0
        if number == 1:
            return self
        factor = number if type(number) is int else as_rational(number)
        return Element(self.ring, {h: c * factor for h, c in self.terms.items()}, self.below, self.marks)


def _poly_key(c: Any) -> Hashable:
    """Return a polynomial's terms, without the exponents of symbols added later."""
    return tuple(sorted((powers, (int(k.p), int(k.q))) for powers, k in monomials(c)))


def _sum(a: Element, b: Element, sign: int) -> Scalar:
    ring = a.ring
    if ring is not b.ring:
        raise _strangers(a, b)
    if ring.has_grown:
        a.lifted()
        b.lifted()
    if a.below != b.below:
        return _sum(*_over_common(a, b), sign)
    if sign > 0 and len(a.terms) < len(b.terms):
        a, b = b, a
    terms = a.terms.copy()
    for h, c in b.terms.items():
        found = terms.get(h)
        if found is None:
            terms[h] = c if sign > 0 else -c
            continue
        found = found + c if sign > 0 else found - c
        if found:
            terms[h] = found
        else:
            del terms[h]
    if len(terms) > 1 and not a.below and not (a.marks | b.marks):
        return Element(ring, terms, (), 0)
    return settled(ring, terms, a.below, a.marks | b.marks)


def _product(a: Element, b: Element) -> Scalar:
    ring = a.ring
    if ring is not b.ring:
        raise _strangers(a, b)
    left, right = (a.lifted().terms, b.lifted().terms) if ring.has_grown else (a.terms, b.terms)
    ring.spent += len(left) * len(right)
    if ring.spent > ring.pause:
        ring.check_effort()
    if len(right) == 1 and UNIT in right:
        left, right = right, left
    if len(left) == 1 and UNIT in left:
        factor = left[UNIT]
        if len(right) == 1:
            [(h, c)] = right.items()
            terms = {h: factor if c.is_one() else factor * c}
        else:
            terms = {h: factor * c for h, c in right.items()}
        if not (a.marks or b.marks or a.below or b.below) and (UNIT not in right or a.name or b.name):
            return Element(ring, terms, (), 0)  # no rule applies, and it is not a number
    else:
        terms = _sums_of_products(ring.harmonics, left, right)
    below = a.below if not b.below else b.below if not a.below else _joined(a.below, b.below)
    return settled(ring, terms, below, a.marks | b.marks)


def _sums_of_products(harmonics: Harmonics, left: Terms, right: Terms) -> Terms:
    """Return the terms of a product, without zeros: products of harmonics become sums."""
    terms: Terms = {}
    products = harmonics.products
    for h1, c1 in left.items():
        one = c1.is_one()
        for h2, c2 in right.items():
            c = c2 if one else c1 if c2.is_one() else c1 * c2
            weight, parts = products.get((h1, h2)) or harmonics.product(h1, h2)
            if weight is not None:
                c = c * weight
            for h, sign in parts:
                found = terms.get(h)
                if found is None:
                    terms[h] = c if sign > 0 else -c
                    continue
                found = found + c if sign > 0 else found - c
                if found:
                    terms[h] = found
                else:
                    del terms[h]
    return terms


def _strangers(a: Element, b: Element) -> GyrostatError:
    return GyrostatError(
        f"{str(a)[:40]} and {str(b)[:40]} are of different rings. Take all symbols from one ring to combine them."
    )


def sum_of(ring: ExactRing, values: Iterable[Scalar]) -> Scalar:
    """Return the sum of many scalars, faster than by successive additions."""
    number: Scalar = 0
    by_below: dict[Monomial, tuple[Terms, list[int]]] = {}
    elements = []
    for value in values:
        if isinstance(value, Element):
            elements.append(value)
        else:
            number = number + as_fraction(value)
    for element in elements:
        element.lifted()
        terms, marks = by_below.setdefault(element.below, ({}, [0]))
        marks[0] |= element.marks
        for h, c in element.terms.items():
            found = terms.get(h)
            terms[h] = c if found is None else found + c
    total: Scalar = plain_number(number)
    for below, (terms, marks) in by_below.items():
        total = settled(ring, {h: c for h, c in terms.items() if c}, below, marks[0]) + total
    return total


def settled(ring: ExactRing, terms: Terms, below: Monomial, marks: int) -> Scalar:
    """Return an element in normal form from terms without zeros: cancelled, reduced, and a number where it is one."""
    if not terms:
        return 0
    if below:
        terms, below = _cancelled(terms, below)
    if marks:
        return ring.reduced(Element(ring, terms, below, marks))
    if UNIT in terms and len(terms) == 1 and not below:
        return folded(Element(ring, terms, (), 0))
    return Element(ring, terms, below, 0)


def folded(element: Element) -> Scalar:
    """Return a constant element as a number, other elements unchanged."""
    terms = element.terms
    if not terms:
        return 0
    if len(terms) == 1 and not element.below and UNIT in terms:
        c = terms[UNIT]
        if len(c) == 1 and c.is_constant():
            return plain_number(c.leading_coefficient())
    return element


def _joined(a: Monomial, b: Monomial) -> Monomial:
    total = dict(a)
    for i, e in b:
        total[i] = total.get(i, 0) + e
    return tuple(sorted(total.items()))


def _over_common(a: Element, b: Element) -> tuple[Element, Element]:
    """Return both over the least common monomial."""
    mine, theirs = dict(a.below), dict(b.below)
    common = {i: max(mine.get(i, 0), theirs.get(i, 0)) for i in {*mine, *theirs}}
    below = tuple(sorted(common.items()))
    return _over(a, mine, common, below), _over(b, theirs, common, below)


def _over(a: Element, mine: dict[int, int], common: dict[int, int], below: Monomial) -> Element:
    factor = monomial(a.ring.context, ((i, e - mine.get(i, 0)) for i, e in common.items()))
    return Element(a.ring, {h: c * factor for h, c in a.terms.items()}, below, a.marks)


def monomials(c: Any) -> list[tuple[Monomial, Any]]:
    """Return powers of symbols and coefficient of each term of a polynomial."""
    return [(tuple([(i, int(e)) for i, e in enumerate(exponents) if e]), k) for exponents, k in c.terms()]


def monomial(context: Any, powers: Iterable[tuple[int, int]]) -> Any:
    """Return a product of powers of symbols as a polynomial."""
    result = None
    for i, e in powers:
        if e:
            power = context.gen(i) if e == 1 else context.gen(i) ** e
            result = power if result is None else result * power
    return context.constant(1) if result is None else result


def _cancelled(terms: Terms, below: Monomial) -> tuple[Terms, Monomial]:
    """Divide terms and monomial by their greatest common monomial."""
    room = dict(below)
    for c in terms.values():
        lowest = c.term_content().degrees()
        room = {i: least for i, e in room.items() if (least := min(e, int(lowest[i])))}
        if not room:
            return terms, below
    factor = monomial(next(iter(terms.values())).context(), room.items())
    left = tuple((i, rest) for i, e in below if (rest := e - room.get(i, 0)))
    return {h: c / factor for h, c in terms.items()}, left


def as_element(ring: ExactRing, value: Scalar) -> Element:
    """Return a scalar of the exact engine as an element."""
    return value if isinstance(value, Element) else ring.constant(value)


def as_number(value: Scalar) -> int | Fraction | None:
    """Return the value of a scalar that is a number, else None."""
    if isinstance(value, Element):
        value = folded(value)
    return plain_number(value) if is_exact_number(value) else None
