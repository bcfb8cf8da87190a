"""Coefficients: quotients read from expressions, or complex floating-point numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

import sympy

from gyrostat.analysis.scales.quotients import Quotient, QuotientField
from gyrostat.errors import Fault, FormulaError, ModelError
from gyrostat.model.formula import Formula
from gyrostat.scalar.exact import Definition, Element, ExactRing, ExactScalars, GeneratorKind
from gyrostat.scalar.exact.element import monomials
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.numbers import as_fraction


class CoefficientReader:
    """Reads coefficients of any kind as quotients of one field, whose parameters are all names that occur.

    An expression that is not a rational function, such as sqrt(k/m), becomes a parameter, listed in `definitions`.

    >>> reader = CoefficientReader(["k/(2*m)", 0.5])
    >>> reader.field.names, reader("k/(2*m)"), reader(0.5)
    (('k', 'm'), k/(2*m), 1/2)
    """

    def __init__(self, coefficients: Iterable[Any], names: Iterable[str] = ()) -> None:
        self._ring = ExactRing()
        self._engine = ExactScalars(self._ring)
        self.definitions: dict[str, str] = {}
        """Definitions of parameters that are not rational functions of others."""
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
            elif generator.definition.kind is GeneratorKind.INVERSE:
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
                    "Name it as a parameter, and give the dependence on time by a harmonic.",
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
        """Return an element as a quotient; powers of auxiliary symbols are evaluated separately."""
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
        if generator.definition.kind is GeneratorKind.INVERSE:
            return self(generator.definition.arguments[0]).reciprocal()
        return self.field.symbol(self._token(generator.definition))


def _polynomial(field: QuotientField, terms: Mapping[tuple[int, ...], Any]) -> Quotient:
    """Return a polynomial with rational coefficients over its common denominator."""
    common = lcm(*(int(c.q) for c in terms.values()))
    whole = {exponents: int(c.p) * (common // int(c.q)) for exponents, c in terms.items()}
    above = field.context.from_dict(whole)
    return Quotient(field, above, field.nothing, field.context.constant(1)) / common


class FloatField:
    """The field of complex floating-point numbers, with values for all parameters."""

    zero = 0j
    one = 1 + 0j
    imaginary = 1j

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values

    def number(self, value: int | Fraction) -> complex:
        """Return a number."""
        return complex(value)

    def symbol(self, name: str) -> complex:
        """Return a parameter's value."""
        if name not in self.values:
            raise ModelError(
                Fault(f"parameter {name!r}", "has no value.", "Floating-point coefficients need values of all.")
            )
        return complex(self.values[name])

    def moved(self, value: Any) -> complex:
        """Return a coefficient as a complex number."""
        return value.value(self.values) if isinstance(value, Quotient) else complex(value)


def real_part(value: Any) -> Any:
    """Return the real part of a coefficient of either kind."""
    return value.real_part() if isinstance(value, Quotient) else value.real


def imaginary_part(value: Any) -> Any:
    """Return the imaginary part of a coefficient of either kind, which is real."""
    return value.imaginary_part() if isinstance(value, Quotient) else value.imag


def number_of(value: Any, values: Mapping[str, float]) -> complex:
    """Return a coefficient of either kind as a number."""
    return value.value(values) if isinstance(value, Quotient) else complex(value)


def written(value: Any) -> Any:
    """Return a coefficient of either kind as a SymPy expression."""
    if isinstance(value, Quotient):
        return value.to_sympy()

    number = complex(value)
    real = sympy.Float(number.real) if number.real else sympy.Integer(0)
    return real + sympy.I * sympy.Float(number.imag) if number.imag else real
