"""Coefficients as quotients, read from numbers, formulas, SymPy expressions and elements of the exact engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from gyrostat.analysis.scales.quotients import Quotient, QuotientField
from gyrostat.errors import Fault, FormulaError
from gyrostat.model.formula import Formula
from gyrostat.scalar.exact import Definition, Element, ExactRing, ExactScalars, Kind
from gyrostat.scalar.exact.element import monomials
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.numbers import as_fraction


class CoefficientReader:
    """Brings coefficients of any kind into one field, whose parameters are all names that occur.

    What is no rational function, such as sqrt(k/m), becomes a parameter of its own, listed in `definitions`.

    >>> reader = CoefficientReader(["k/(2*m)", 0.5])
    >>> reader.field.names, reader("k/(2*m)"), reader(0.5)
    (('k', 'm'), k/(2*m), 1/2)
    """

    def __init__(self, coefficients: Iterable[Any], names: Iterable[str] = ()) -> None:
        self._ring = ExactRing()
        self._engine = ExactScalars(self._ring)
        self.definitions: dict[str, str] = {}
        """What parameters stand for that are no rational functions of others."""
        found = set(names)
        for coefficient in coefficients:
            found |= self._names(self._scalar(coefficient))
        self.field = QuotientField(sorted(found))

    def __call__(self, coefficient: Any) -> Quotient:
        """Return a coefficient in the field."""
        scalar = self._scalar(coefficient)
        if isinstance(scalar, Quotient):
            return self.field.moved(scalar)
        return self._quotient(scalar) if isinstance(scalar, Element) else self.field.number(scalar)

    def _scalar(self, coefficient: Any) -> Any:
        """Return a number, an element or a quotient."""
        if isinstance(coefficient, (Quotient, Element, Fraction)):
            return coefficient
        if isinstance(coefficient, (int, float)):
            return as_fraction(coefficient)
        return Formula.of(coefficient).evaluate(self._engine, self._ring.symbol)

    def _names(self, scalar: Any) -> set[str]:
        if isinstance(scalar, Quotient):
            return set(scalar.used())
        if not isinstance(scalar, Element):
            return set()
        if any(h != UNIT for h in scalar.terms):
            for h in scalar.terms:
                self._trigonometric(scalar, h)
        found: set[str] = set()
        for index in scalar.used():
            generator = scalar.ring.generators[index]
            if generator.definition is None:
                found.add(generator.name)
            elif generator.definition.kind is Kind.INVERSE:
                found |= self._names(generator.definition.arguments[0])
            else:
                found.add(self._token(generator.definition))
        return found

    def _trigonometric(self, scalar: Element, harmonic: int) -> None:
        if harmonic != UNIT:
            raise FormulaError(
                Fault(
                    f"coefficient {str(scalar)[:60]!r}",
                    "contains a sine or cosine.",
                    "Name it as a parameter, and say what depends on time by a harmonic.",
                )
            )

    def _token(self, definition: Definition) -> str:
        text = str(definition)
        name = re.sub(r"\W+", "_", text).strip("_")
        while self.definitions.get(name, text) != text:
            name += "_"
        self.definitions[name] = text
        return name

    def _quotient(self, element: Element) -> Quotient:
        """Return an element as a quotient; powers of auxiliary symbols are worked out apart."""
        ring, field = element.lifted().ring, self.field
        place = {name: i for i, name in enumerate(field.names)}
        parts: dict[tuple[tuple[int, int], ...], dict[tuple[int, ...], Any]] = {}
        for polynomial in element.terms.values():
            for powers, coefficient in monomials(polynomial):
                exponents = [0] * max(len(place), 1)
                apart: list[tuple[int, int]] = []
                for index, exponent in powers:
                    generator = ring.generators[index]
                    if generator.definition is None:
                        exponents[place[generator.name]] = exponent
                    else:
                        apart.append((index, exponent))
                parts.setdefault(tuple(apart), {})[tuple(exponents)] = coefficient
        total = field.zero
        for apart_of, terms in parts.items():
            value = _polynomial(field, terms)
            for index, exponent in apart_of:
                value = value * self._generator(ring, index) ** exponent
            total = total + value
        for index, exponent in element.below:
            total = total / self._generator(ring, index) ** exponent
        return total

    def _generator(self, ring: ExactRing, index: int) -> Quotient:
        generator = ring.generators[index]
        if generator.definition is None:
            return self.field.symbol(generator.name)
        if generator.definition.kind is Kind.INVERSE:
            return self(generator.definition.arguments[0]).reciprocal()
        return self.field.symbol(self._token(generator.definition))


def _polynomial(field: QuotientField, terms: Mapping[tuple[int, ...], Any]) -> Quotient:
    """Return a polynomial with rational coefficients over its common denominator."""
    common = lcm(*(int(c.q) for c in terms.values()))
    whole = {exponents: int(c.p) * (common // int(c.q)) for exponents, c in terms.items()}
    above = field.context.from_dict(whole)
    return Quotient(field, above, field.nothing, field.context.constant(1)) / common
