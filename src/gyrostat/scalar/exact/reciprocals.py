"""Reciprocals: Laurent exponents for single symbols, inverse symbols for everything else."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.definitions import Definition, GeneratorKind
from gyrostat.scalar.exact.division import exact_quotient
from gyrostat.scalar.exact.element import Element, as_element, as_number, folded, monomial
from gyrostat.scalar.exact.harmonics import COSINE, SINE, UNIT, Factor
from gyrostat.scalar.exact.numbers import as_rational
from gyrostat.scalar.exact.reduction import degree_in, powers_of
from gyrostat.scalar.operations import Scalar

_FACTORISATION_LIMIT = 60
"""Largest number of terms of a divisor that is factorised."""


def quotient(a: Element, b: Element) -> Scalar:
    """Return a/b: an element where the division is exact, else with inverse symbols."""
    if not b.below and not a.marks and not b.marks and len(b.terms) > 1:
        found = exact_quotient(a, b)
        if found is not None:
            return found
    return a * reciprocal(b)


def reciprocal(element: Element) -> Scalar:
    """Return 1/element.

    >>> from gyrostat.scalar.exact import ExactRing
    >>> ring = ExactRing(symbols=["m", "n"])
    >>> m, n = ring.symbol("m"), ring.symbol("n")
    >>> m / (m + n), m / (m + n) + n / (m + n), n / (2 * m**2)
    (m/(m + n), 1, n/(2*m**2))
    """
    ring = element.ring
    element = element.lifted()
    number = as_number(element)
    if number is not None:
        if number == 0:
            raise GyrostatError("Something is divided by zero. Check the formulas for a denominator that vanishes.")
        return folded(ring.constant(1 / as_rational(number)))
    for index in sorted(ring.divisors):  # 1/(n/pʲ) = pʲ/n
        if element.marks >> index & 1 and (degree := degree_in(element, index)):
            factor = ring.divisors[index] ** degree
            return factor * reciprocal(as_element(ring, element * factor))
    result: Scalar = 1
    if element.below:
        result = Element(ring, {UNIT: monomial(ring.context, element.below)}, (), 0)
    if len(element.terms) == 1:
        (harmonic, coefficient), *_ = element.terms.items()
        for factor in ring.harmonics.factors[harmonic]:
            result = result * _of_trig(ring, factor)
        return result * _of_polynomial(ring, coefficient)
    common = _content(element)
    rest = Element(ring, {h: c / common for h, c in element.terms.items()}, (), element.marks)
    return result * inverse_symbol(rest) * _of_polynomial(ring, common)


def inverse_symbol(divisor: Element) -> Element:
    """Return the symbol of 1/divisor, for a divisor without content."""
    ring = divisor.ring
    return ring.variable(ring.auxiliary("inverse", Definition(GeneratorKind.INVERSE, "inverse", (divisor,))))


def _of_trig(ring: Any, factor: Factor) -> Scalar:
    """Return the reciprocal of one cosine or sine; sin 2x is 2 sin x cos x."""
    group, parity, combination = factor
    if parity == SINE and all(k % 2 == 0 for _, k in combination):
        half = tuple((angle, k // 2) for angle, k in combination)
        return _of_trig(ring, (group, SINE, half)) * _of_trig(ring, (group, COSINE, half)) * Fraction(1, 2)
    return inverse_symbol(Element(ring, {ring.harmonics.intern((factor,)): ring.one}, (), 0))


def _content(element: Element) -> Any:
    """Return the common polynomial factor of all coefficients; the first harmonic's is positive without it."""
    common: Any = None
    for c in element.terms.values():
        common = c if common is None else common.gcd(c)
    leading = (element.terms[min(element.terms)] / common).leading_coefficient()
    return common * leading


def _of_polynomial(ring: Any, c: Any) -> Scalar:
    """Return the reciprocal of a coefficient."""
    if len(c) > _FACTORISATION_LIMIT:
        scale, factors = c.leading_coefficient(), [(c * (1 / c.leading_coefficient()), 1)]
    else:
        scale, factors = c.factor()
    result: Scalar = folded(ring.constant(1 / as_rational(scale)))
    for factor, power in factors:
        result = result * _of_factor(ring, factor) ** int(power)
    return result


def _of_factor(ring: Any, factor: Any) -> Scalar:
    """Return the reciprocal of an irreducible polynomial."""
    indices = [i for i, degree in enumerate(factor.degrees()) if degree]
    ruled = [i for i in indices if i in ring.squares or i in ring.divisors]
    marks = sum(1 << i for i in ruled)
    if len(factor) == 1:
        (index,) = indices
        scale = folded(ring.constant(1 / as_rational(factor.leading_coefficient())))
        generator = ring.generators[index]
        if index in ring.divisors:
            return scale * ring.divisors[index]
        if generator.kind is GeneratorKind.ROOT:
            return scale * ring.variable(generator) / ring.squares[index]
        if index in ring.squares:
            return scale * inverse_symbol(ring.variable(generator))
        return Element(ring, {UNIT: ring.one}, ((index, 1),), 0) * scale
    element = Element(ring, {UNIT: factor}, (), marks)
    for index in ruled:
        if index in ring.squares and as_number(ring.squares[index]) is not None:
            return _rationalised(element, index)
    leading = factor.leading_coefficient()
    scaled = Element(ring, {UNIT: factor * (1 / leading)}, (), marks)
    return inverse_symbol(scaled) * (1 / as_rational(leading))


def _rationalised(element: Element, index: int) -> Scalar:
    """Return 1/(a + b r) = (a − b r)/(a² − b² r²) for the root r of a number."""
    ring = element.ring
    parts = powers_of(element, index)
    a, b = folded(parts[0]) if 0 in parts else 0, folded(parts[1])
    r = ring.variable(ring.generators[index])
    under = a * a - b * b * ring.squares[index]
    return (a - b * r) * (reciprocal(under) if isinstance(under, Element) else 1 / as_rational(under))
