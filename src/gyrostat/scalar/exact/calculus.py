"""Derivatives of elements, through auxiliary symbols by their definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gyrostat.scalar.exact.definitions import GeneratorKind
from gyrostat.scalar.exact.element import Element, settled
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.functions import partial_derivatives
from gyrostat.scalar.exact.harmonics import COSINE
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.operations import Scalar


class Differential:
    """A derivation d: given rates of some symbols, zero for the others, extended by the chain rule.

    With rates {x: 1} it is the partial derivative by x, with {q: q̇, u: u̇, …} the derivative in time. Rates of auxiliary
    symbols are formed once.
    """

    def __init__(self, ring: ExactRing, rates: Mapping[str, Scalar]) -> None:
        self.ring = ring
        self._rates: dict[int, Scalar] = {ring.generator(name).index: rate for name, rate in rates.items()}
        self._angles: dict[int, Scalar] = {}

    def __call__(self, value: Scalar) -> Scalar:
        """Return d value."""
        if not isinstance(value, Element):
            return 0
        value.lifted()
        total: Scalar = 0
        for index in value.used():
            rate = self._rate(index)
            if isinstance(rate, Element) or rate != 0:
                total = total + partial_by_symbol(value, index) * rate
        for angle in value.used_angles():
            rate = self._angle_rate(angle)
            if isinstance(rate, Element) or rate != 0:
                total = total + partial_by_angle(value, angle) * rate
        return total

    def _rate(self, index: int) -> Scalar:
        found = self._rates.get(index)
        if found is None:
            found = self._rates[index] = self._rate_of_definition(index)
        return found

    def _angle_rate(self, angle: int) -> Scalar:
        found = self._angles.get(angle)
        if found is None:
            record = self.ring.angles[angle]
            found = self._angles[angle] = self(record.argument) / record.divisor
        return found

    def _rate_of_definition(self, index: int) -> Scalar:
        generator = self.ring.generators[index]
        definition = generator.definition
        if definition is None:
            return 0
        rates = [self(argument) for argument in definition.arguments]
        if all(not isinstance(rate, Element) and rate == 0 for rate in rates):
            return 0
        symbol = self.ring.variable(generator)
        if definition.kind is GeneratorKind.INVERSE:
            return -(symbol * symbol) * rates[0]
        engine = ExactScalars(self.ring)
        total: Scalar = 0
        partials = partial_derivatives(engine, definition.function, definition.arguments, symbol)
        for partial, rate in zip(partials, rates, strict=True):
            total = total + partial * rate
        return total


def partial_by_symbol(element: Element, index: int) -> Scalar:
    """Return the derivative by a symbol where it occurs outside cos, sin and auxiliary symbols."""
    ring = element.lifted().ring
    exponent = dict(element.below).get(index, 0)
    if not exponent:
        terms = {h: d for h, c in element.terms.items() if (d := c.derivative(index))}
        return settled(ring, terms, element.below, element.marks)
    x = ring.gen(index)  # d(p x⁻ⁿ) = (x p′ − n p) x⁻ⁿ⁻¹
    terms = {h: d for h, c in element.terms.items() if (d := x * c.derivative(index) - exponent * c)}
    below = tuple((i, e + 1 if i == index else e) for i, e in element.below)
    return settled(ring, terms, below, element.marks)


def partial_by_angle(element: Element, angle: int) -> Scalar:
    """Return the derivative by an angle where it occurs inside cos and sin."""
    ring = element.lifted().ring
    table = ring.harmonics
    group = ring.angles[angle].group
    terms: dict[int, object] = {}
    for h, c in element.terms.items():
        factors = table.factors[h]
        for place, (own, parity, combination) in enumerate(factors):
            k = dict(combination).get(angle, 0) if own == group else 0
            if k:
                turned = (*factors[:place], (own, 1 - parity, combination), *factors[place + 1 :])
                terms[table.intern(turned)] = c * (-k if parity == COSINE else k)
    return settled(ring, terms, element.below, element.marks)


def derivative(value: Scalar, name: str) -> Scalar:
    """Return ∂value/∂name.

    >>> ring = ExactRing(groups=[["a"]], symbols=["k"])
    >>> a, k = ring.symbol("a"), ring.symbol("k")
    >>> derivative(k * a * ExactScalars(ring).call("sin", (a,)), "a")
    k*a*cos(a) + k*sin(a)
    """
    return Differential(value.ring, {name: 1})(value) if isinstance(value, Element) else 0


def time_derivative(value: Scalar, rates: Mapping[str, Scalar]) -> Scalar:
    """Return the derivative in time, given the rates of symbols; those without a rate are constant."""
    return Differential(value.ring, rates)(value) if isinstance(value, Element) else 0


def gradient(value: Scalar, names: Sequence[str]) -> list[Scalar]:
    """Return the derivatives by several symbols."""
    return [derivative(value, name) for name in names]


def jacobian(values: Sequence[Scalar], names: Sequence[str]) -> list[list[Scalar]]:
    """Return the matrix of derivatives: a row for each value, a column for each symbol."""
    rings = [value.ring for value in values if isinstance(value, Element)]
    if not rings:
        return [[0] * len(names) for _ in values]
    rules = [Differential(rings[0], {name: 1}) for name in names]
    return [[rule(value) for rule in rules] for value in values]
