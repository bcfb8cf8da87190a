"""Substitution of symbols, inside and outside sines and cosines and through auxiliary symbols."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.definitions import GeneratorKind
from gyrostat.scalar.exact.element import Element, as_number, settled, sum_of
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.harmonics import COSINE, Factor
from gyrostat.scalar.exact.numbers import as_rational, is_exact_number, plain_number
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.trigonometry import cosine_and_sine
from gyrostat.scalar.operations import ARITY, COMPARISONS, Scalar


class Substitution:
    """Replaces symbols by scalars of the ring, all at once; auxiliary symbols are formed anew where they change."""

    def __init__(self, ring: ExactRing, values: Mapping[str, Scalar]) -> None:
        self.ring = ring
        self.engine = ExactScalars(ring)
        self._symbols: dict[int, Scalar | None] = {
            ring.generator(name).index: plain_number(value) if is_exact_number(value) else value
            for name, value in values.items()
        }
        self._factors: dict[Factor, Scalar | None] = {}

    def __call__(self, value: Scalar) -> Scalar:
        """Return the scalar with its symbols replaced."""
        if not isinstance(value, Element):
            return value
        changed = {i: new for i in sorted(value.used()) if (new := self._symbol(i)) is not None}
        parts = []
        value.lifted()
        for h, c in list(value.terms.items()):
            kept, trig = self._harmonic(h)
            parts.append(self._coefficient(value, c, kept, changed) * trig)
        return sum_of(self.ring, parts)

    def _symbol(self, index: int) -> Scalar | None:
        """Return the replacement of a symbol, None without one."""
        if index not in self._symbols:
            self._symbols[index] = self._auxiliary(index)
        return self._symbols[index]

    def _auxiliary(self, index: int) -> Scalar | None:
        definition = self.ring.generators[index].definition
        if definition is None or not any(self.changes(argument) for argument in definition.arguments):
            return None
        arguments = tuple(self(argument) for argument in definition.arguments)
        return apply(self.engine, definition.kind, definition.function, arguments)

    def changes(self, value: Scalar) -> bool:
        """Tell whether anything in a scalar is replaced."""
        if not isinstance(value, Element):
            return False
        return any(self._symbol(i) is not None for i in value.used()) or any(
            self.changes(self.ring.angles[angle].argument) for angle in value.used_angles()
        )

    def _harmonic(self, harmonic: int) -> tuple[int, Scalar]:
        """Return the unchanged part of a harmonic, and the product of the replacements of its other factors."""
        kept: list[Factor] = []
        product: Scalar = 1
        for factor in self.ring.harmonics.factors[harmonic]:
            if factor not in self._factors:
                self._factors[factor] = self._factor(factor)
            new = self._factors[factor]
            if new is None:
                kept.append(factor)
            else:
                product = product * new
        return self.ring.harmonics.intern(tuple(kept)), product

    def _factor(self, factor: Factor) -> Scalar | None:
        _, parity, combination = factor
        angles = [(self.ring.angles[angle], k) for angle, k in combination]
        if not any(self.changes(angle.argument) for angle, _ in angles):
            return None
        argument: Scalar = 0
        for angle, k in angles:
            argument = argument + self(angle.argument) * Fraction(k, angle.divisor)
        cosine, sine = cosine_and_sine(self.ring, argument)
        return cosine if parity == COSINE else sine

    def _coefficient(self, value: Element, c: Any, harmonic: int, changed: Mapping[int, Scalar]) -> Scalar:
        """Return coefficient × harmonic over the element's monomial, with symbols replaced."""
        ring = self.ring
        below = tuple((i, e) for i, e in value.below if i not in changed)
        numbers = {i: new for i, new in changed.items() if not isinstance(new, Element)}
        others = {i: new for i, new in changed.items() if isinstance(new, Element)}
        if numbers:
            c = c.subs({f"x{i}": as_rational(new) for i, new in numbers.items()})
        if others:
            result = self._composed(c, harmonic, below, value.marks, others)
        else:
            result = settled(ring, {harmonic: c} if c else {}, below, value.marks)
        for i, e in value.below:
            if i in changed:
                result = result * self.engine.power(changed[i], -e)
        return result

    def _composed(self, c: Any, harmonic: int, below: Any, marks: int, others: Mapping[int, Element]) -> Scalar:
        groups: dict[tuple[int, ...], dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in c.to_dict().items():
            rest = list(exponents)
            for i in others:
                rest[i] = 0
            groups.setdefault(tuple(int(exponents[i]) for i in others), {})[tuple(rest)] = coefficient
        context = c.context()
        parts = []
        for powers, mapping in groups.items():
            part = settled(self.ring, {harmonic: context.from_dict(mapping)}, below, marks)
            for new, power in zip(others.values(), powers, strict=True):
                if power:
                    part = part * new**power
            parts.append(part)
        return sum_of(self.ring, parts)


def apply(engine: ExactScalars, kind: GeneratorKind, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
    """Return the function of an auxiliary symbol at other arguments."""
    if kind is GeneratorKind.INVERSE:
        return engine.power(arguments[0], -1)
    if function == "pow":
        return engine.power(arguments[0], arguments[1])
    if function in COMPARISONS:
        return engine.compare(function, arguments[0], arguments[1])
    if function in ("and", "or", "not"):
        return engine.logic(function, arguments)
    return engine.call(function, arguments) if function in ARITY else engine.function(function, arguments)


def substitute(value: Scalar, values: Mapping[str, Scalar]) -> Scalar:
    """Return a scalar with symbols replaced by numbers or elements, all at once.

    >>> ring = ExactRing(groups=[["a", "b"]], symbols=["l"])
    >>> a, b, l = (ring.symbol(name) for name in "abl")
    >>> x = l * ExactScalars(ring).call("cos", (a + b,))
    >>> substitute(x, {"b": -a}), substitute(x, {"a": ring.symbol("pi") / 2, "l": 0.5})
    (l, -sin(b)/2)
    """
    return Substitution(value.ring, values)(value) if isinstance(value, Element) else value


def exact_value(value: Scalar, values: Mapping[str, Scalar]) -> Fraction:
    """Return the value at numbers as an exact fraction.

    >>> ring = ExactRing(symbols=["x"])
    >>> exact_value(1 / (ring.symbol("x") + 1), {"x": 0.5})
    Fraction(2, 3)
    """
    number = as_number(substitute(value, values))
    if number is None:
        left = substitute(value, values)
        raise GyrostatError(
            f"{str(left)[:80]} is not a rational number. Give values for all symbols, or use `evaluate` for a float."
        )
    return Fraction(number)
