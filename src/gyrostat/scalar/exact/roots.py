"""Square roots and absolute values."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint

from gyrostat.scalar.exact.definitions import Definition, GeneratorKind
from gyrostat.scalar.exact.division import trig_square_root
from gyrostat.scalar.exact.element import Element, as_element, as_number, folded, monomial
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.numbers import as_fraction, as_rational, plain_number
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.operations import Scalar

_FACTORISATION_LIMIT = 10**40
"""The largest number that is factorised."""


def square_root(ring: ExactRing, value: Scalar) -> Scalar:
    """Return √value; squares come out as absolute values.

    >>> from gyrostat.scalar.exact import ExactRing
    >>> ring = ExactRing(symbols=["l", "k"], positive=["l"])
    >>> l, k = ring.symbol("l"), ring.symbol("k")
    >>> square_root(ring, 8 * l**2), square_root(ring, k**2), square_root(ring, k**2 + 1) ** 2
    (2*l*sqrt(2), abs(k), k**2 + 1)
    """
    number = as_number(value)
    if number is not None:
        return root_of_number(ring, Fraction(number))
    element = as_element(ring, value).lifted()
    scale, outside, inside = _split(element)
    result: Scalar = root_of_number(ring, scale)
    for factor, power in outside:
        base = folded(Element(ring, {UNIT: factor}, (), _marks(ring, factor)))
        result = result * (base**power if power % 2 == 0 else absolute(ring, base) ** power)
    for index, exponent in element.below:  # √(1/x³) = √x/|x|²
        x = ring.variable(ring.generators[index])
        if exponent % 2:
            inside = _times(inside, x)
        result = result / absolute(ring, x) ** ((exponent + 1) // 2)
    for index in sorted(inside.used()):  # √(x p) = √x √p where x is positive
        if ring.generators[index].name in ring.positive and _odd_everywhere(inside, index):
            terms = inside.lifted().terms
            inside = Element(ring, {h: c / ring.gen(index) for h, c in terms.items()}, (), inside.marks)
            result = result * _root_symbol(ring.variable(ring.generators[index]))
    rest = folded(inside)
    if isinstance(rest, Element) and rest.used_angles():
        square = trig_square_root(rest)
        if square is not None:
            return result * root_of_number(ring, square[0]) * absolute(ring, square[1])
    return result * (_root_symbol(rest) if isinstance(rest, Element) else root_of_number(ring, Fraction(rest)))


def root_of_number(ring: ExactRing, value: Fraction) -> Scalar:
    """Return the square root of a number: a rational, times roots of different primes."""
    if value < 0:
        return ring.variable(
            ring.auxiliary("function", Definition(GeneratorKind.FUNCTION, "sqrt", (ring.constant(value),)))
        )
    if value == 0:
        return 0
    product = value.numerator * value.denominator
    if product > _FACTORISATION_LIMIT:
        factors = [(product, 1)]
    else:
        factors = [(int(prime), int(power)) for prime, power in flint.fmpz(product).factor()]
    result: Scalar = plain_number(Fraction(1, value.denominator))
    for prime, power in factors:
        result = result * Fraction(prime ** (power // 2))
        if power % 2:
            result = result * _root_symbol(ring.constant(prime))
    return plain_number(result) if isinstance(result, Fraction) else result


def absolute(ring: ExactRing, value: Scalar) -> Scalar:
    """Return |value|; positive symbols are their own absolute value."""
    number = as_number(value)
    if number is not None:
        return plain_number(abs(Fraction(number)))
    element = as_element(ring, value).lifted()
    result: Scalar = 1
    if element.below:
        below = Element(ring, {UNIT: monomial(ring.context, element.below)}, (), 0)
        return absolute(ring, folded(Element(ring, element.terms, (), element.marks))) / absolute(ring, below)
    if len(element.terms) == 1 and UNIT in element.terms:
        scale, factors = element.terms[UNIT].factor()
        result = plain_number(abs(as_fraction(scale)))
        for factor, power in factors:
            result = result * _absolute_factor(ring, factor, int(power))
        return result
    leading = as_fraction(element.terms[min(element.terms)].leading_coefficient())
    return abs(leading) * _absolute_symbol(ring, element * (1 / leading))


def _absolute_factor(ring: ExactRing, factor: Any, power: int) -> Scalar:
    element = Element(ring, {UNIT: factor}, (), _marks(ring, factor))
    index = next(i for i, degree in enumerate(factor.degrees()) if degree)
    if len(factor) == 1 and (
        ring.generators[index].name in ring.positive or ring.generators[index].kind is GeneratorKind.ROOT
    ):
        return element**power
    if len(factor) == 1:
        definition = ring.generators[index].definition
        if definition is not None and definition.function in ("abs", "exp"):
            return element**power
    return element**power if power % 2 == 0 else element ** (power - 1) * _absolute_symbol(ring, element)


def _absolute_symbol(ring: ExactRing, element: Element) -> Element:
    generator = ring.auxiliary("absolute", Definition(GeneratorKind.FUNCTION, "abs", (element,)))
    ring.squares.setdefault(generator.index, as_element(ring, element * element))
    return ring.variable(generator)


def _root_symbol(radicand: Element) -> Element:
    ring = radicand.ring
    return ring.variable(ring.auxiliary("root", Definition(GeneratorKind.ROOT, "sqrt", (radicand,))))


def _marks(ring: ExactRing, factor: Any) -> int:
    return sum(
        1 << i for i, degree in enumerate(factor.degrees()) if degree and (i in ring.squares or i in ring.divisors)
    )


def _split(element: Element) -> tuple[Fraction, list[tuple[Any, int]], Element]:
    """Return scale, factors with the powers that come out of the root, and what stays inside."""
    ring = element.ring
    common: Any = None
    for c in element.terms.values():
        common = c if common is None else common.gcd(c)
    rest = {h: c / common for h, c in element.terms.items()}
    leading = rest[min(rest)].leading_coefficient()
    size = abs(as_fraction(leading))
    scale, factors = common.factor_squarefree()
    number = abs(as_fraction(scale)) * size
    sign = 1 if as_fraction(scale) > 0 else -1
    inner = ring.one * (as_rational(sign / size))
    outside: list[tuple[Any, int]] = []
    for factor, power in factors:
        if power >= 2:
            outside.append((factor, int(power) // 2))
        if power % 2:
            inner = inner * factor
    inside = Element(ring, {h: c * inner for h, c in rest.items()}, (), element.marks)
    return number, outside, inside


def _times(element: Element, x: Element) -> Element:
    product = element * x
    return as_element(element.ring, product)


def _odd_everywhere(element: Element, index: int) -> bool:
    """Tell whether a symbol divides the element once."""
    return all(int(c.term_content().degrees()[index]) == 1 for c in element.terms.values())
