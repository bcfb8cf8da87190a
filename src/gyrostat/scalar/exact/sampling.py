"""Values of elements at random points: in a large finite field where that is possible, else to many digits."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable
from math import lcm
from typing import TYPE_CHECKING, Any

from gyrostat.scalar.exact.definitions import Definition, GeneratorKind
from gyrostat.scalar.exact.harmonics import COSINE
from gyrostat.scalar.operations import Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.exact.element import Element
    from gyrostat.scalar.exact.ring import ExactRing

_PRIME = 2**127 - 1
_POINTS = 3
_TRIES = 30
_DIGITS = 60


def vanishes_at_random_points(element: Element) -> tuple[bool, bool]:
    """Tell whether an element is zero at some random points, and whether its values were exact."""
    exact = not _has_roots(element)
    found = 0
    for seed in range(_TRIES):
        point: _Point = _ModularPoint(element.ring, seed) if exact else _NumericPoint(element.ring, seed)
        try:
            zero = point.is_zero(element)
        except (ZeroDivisionError, ValueError, OverflowError):
            continue
        if not zero:
            return False, exact
        found += 1
        if found == _POINTS:
            return True, exact
    return False, exact


def _has_roots(element: Element) -> bool:
    """Tell whether square roots, or parts of π, occur: these have no consistent values in a finite field."""
    ring = element.ring
    pending, seen = [element], set()
    while pending:
        one = pending.pop()
        for angle in one.used_angles():
            if ("angle", angle) not in seen:
                seen.add(("angle", angle))
                if angle in ring.harmonics.periods:
                    return True
                pending.append(ring.angles[angle].argument)
        for i in one.used():
            if ("symbol", i) in seen:
                continue
            seen.add(("symbol", i))
            definition = ring.generators[i].definition
            if i in ring.squares:
                return True
            if definition is not None:
                pending.extend(definition.arguments)
    return False


class _Point(ABC):
    """Random values of symbols and angles, consistent for everything that depends on them."""

    def __init__(self, ring: ExactRing, seed: int) -> None:
        self.ring = ring
        self.seed = seed
        self.random = random.Random(seed)
        self._symbols: dict[int, Any] = {}
        self._angles: dict[int, tuple[Any, Any]] = {}

    @abstractmethod
    def is_zero(self, element: Element) -> bool:
        """Tell whether the element's value is zero."""

    @abstractmethod
    def number(self, numerator: int, denominator: int) -> Any:
        """Return a rational number in this point's arithmetic."""

    def value(self, scalar: Scalar) -> Any:
        """Return an element's value."""
        element = scalar
        total: Any = self.number(0, 1)
        for h, c in element.terms.items():
            value: Any = self.number(0, 1)
            for exponents, coefficient in c.to_dict().items():
                term = self.number(int(coefficient.p), int(coefficient.q))
                for i, e in enumerate(exponents):
                    if e:
                        term = self.times(term, self.power(self.symbol(i), int(e)))
                value = self.plus(value, term)
            for _, parity, combination in self.ring.harmonics.factors[h]:
                value = self.times(value, self.trig(parity, combination))
            total = self.plus(total, value)
        for i, e in element.below:
            total = self.times(total, self.power(self.symbol(i), -e))
        return total

    def times(self, a: Any, b: Any) -> Any:
        """Return a·b."""
        return a * b

    def plus(self, a: Any, b: Any) -> Any:
        """Return a + b."""
        return a + b

    def power(self, a: Any, exponent: int) -> Any:
        """Return a whole power."""
        return a**exponent

    def symbol(self, index: int) -> Any:
        """Return a symbol's value."""
        found = self._symbols.get(index)
        if found is None:
            definition = self.ring.generators[index].definition
            if definition is None:
                found = self.free(index)
            elif definition.kind is GeneratorKind.INVERSE:
                found = self.power(self.value(definition.arguments[0]), -1)
            else:
                found = self.function(definition)
            self._symbols[index] = found
        return found

    @abstractmethod
    def free(self, index: int) -> Any:
        """Return the value of a free symbol."""

    @abstractmethod
    def function(self, definition: Definition) -> Any:
        """Return the value of a function of elements."""

    def trig(self, parity: int, combination: Any) -> Any:
        """Return cos or sin of a combination of angles."""
        real, imaginary = self.number(1, 1), self.number(0, 1)
        for angle, k in combination:
            c, s = self.turn(angle)
            if k < 0:
                s = self.times(s, self.number(-1, 1))
            for _ in range(abs(k)):
                real, imaginary = (
                    self.plus(self.times(real, c), self.times(self.number(-1, 1), self.times(imaginary, s))),
                    self.plus(self.times(real, s), self.times(imaginary, c)),
                )
        return real if parity == COSINE else imaginary

    def turn(self, angle: int) -> tuple[Any, Any]:
        """Return cos and sin of an angle; angles that are parts of one another are turned consistently."""
        found = self._angles.get(angle)
        if found is None:
            record = self.ring.angles[angle]
            key = record.argument.key()
            family = [a for a in self.ring.angles if a.argument.key() == key]
            divisor = lcm(*(a.divisor for a in family))
            c, s = self.base_turn(record, divisor)
            real, imaginary = self.number(1, 1), self.number(0, 1)
            for _ in range(divisor // record.divisor):
                real, imaginary = (
                    self.plus(self.times(real, c), self.times(self.number(-1, 1), self.times(imaginary, s))),
                    self.plus(self.times(real, s), self.times(imaginary, c)),
                )
            found = self._angles[angle] = (real, imaginary)
        return found

    @abstractmethod
    def base_turn(self, record: Any, divisor: int) -> tuple[Any, Any]:
        """Return cos and sin of argument/divisor."""


class _ModularPoint(_Point):
    """Values modulo a large prime: a value other than zero proves that an element is not zero."""

    def is_zero(self, element: Element) -> bool:
        return bool(self.value(element) == 0)

    def number(self, numerator: int, denominator: int) -> int:
        return numerator * pow(denominator, -1, _PRIME) % _PRIME

    def times(self, a: int, b: int) -> int:
        return a * b % _PRIME

    def plus(self, a: int, b: int) -> int:
        return (a + b) % _PRIME

    def power(self, a: int, exponent: int) -> int:
        return pow(a, exponent, _PRIME)

    def free(self, index: int) -> int:
        return self.random.randrange(1, _PRIME)

    def function(self, definition: Definition) -> int:
        values = tuple(self.value(argument) for argument in definition.arguments)
        return random.Random(f"{self.seed} {definition.function} {values}").randrange(1, _PRIME)

    def base_turn(self, record: Any, divisor: int) -> tuple[int, int]:
        key = f"{self.seed} turn {self.value(record.argument)}"
        t = random.Random(key).randrange(1, _PRIME)
        under = pow(1 + t * t, -1, _PRIME)
        return (1 - t * t) * under % _PRIME, 2 * t * under % _PRIME


class _NumericPoint(_Point):
    """Values to many digits, in the functions' true values."""

    def __init__(self, ring: ExactRing, seed: int) -> None:
        super().__init__(ring, seed)
        import mpmath  # type: ignore[import-untyped]

        self.mp = mpmath.MPContext()
        self.mp.dps = _DIGITS

    def is_zero(self, element: Element) -> bool:
        return bool(abs(self.value(element)) < self.mp.mpf(10) ** (-_DIGITS // 2))

    def number(self, numerator: int, denominator: int) -> Any:
        return self.mp.mpf(numerator) / denominator

    def free(self, index: int) -> Any:
        generator = self.ring.generators[index]
        if generator.name == "pi":
            return self.mp.pi()
        if index in self.ring.squares:
            return self.mp.sqrt(self._real(self.value(self.ring.squares[index])))
        value = self.number(self.random.randrange(1, 4000), 7919)
        return value if generator.name in self.ring.positive or self.random.random() < 0.7 else -value

    def function(self, definition: Definition) -> Any:
        values = [self.value(argument) for argument in definition.arguments]
        if definition.function == "sqrt":
            return self.mp.sqrt(self._real(values[0]))
        known = _FUNCTIONS.get(definition.function)
        if known is None:
            rounded = [self.mp.nstr(value, _DIGITS // 2) for value in values]
            source = random.Random(f"{self.seed} {definition.function} {rounded}")
            return self.number(source.randrange(1, 4000), 7919)
        return known(self.mp, *values)

    def _real(self, value: Any) -> Any:
        if value < 0:
            raise ValueError("the radicand is negative here")
        return value

    def base_turn(self, record: Any, divisor: int) -> tuple[Any, Any]:
        argument = self.value(record.argument) / divisor
        return self.mp.cos(argument), self.mp.sin(argument)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": lambda mp, x: mp.sqrt(x),
    "asin": lambda mp, x: mp.asin(x),
    "acos": lambda mp, x: mp.acos(x),
    "atan": lambda mp, x: mp.atan(x),
    "atan2": lambda mp, y, x: mp.atan2(y, x),
    "sinh": lambda mp, x: mp.sinh(x),
    "cosh": lambda mp, x: mp.cosh(x),
    "tanh": lambda mp, x: mp.tanh(x),
    "asinh": lambda mp, x: mp.asinh(x),
    "acosh": lambda mp, x: mp.acosh(x),
    "atanh": lambda mp, x: mp.atanh(x),
    "exp": lambda mp, x: mp.exp(x),
    "log": lambda mp, x: mp.log(x),
    "abs": lambda mp, x: abs(x),
    "sign": lambda mp, x: mp.sign(x),
    "floor": lambda mp, x: mp.floor(x),
    "ceil": lambda mp, x: mp.ceil(x),
    "pow": lambda mp, x, y: x**y,
    "min": lambda mp, *xs: min(xs),
    "max": lambda mp, *xs: max(xs),
    "where": lambda mp, condition, yes, no: yes if condition else no,
    "<": lambda mp, x, y: int(x < y),
    "<=": lambda mp, x, y: int(x <= y),
    ">": lambda mp, x, y: int(x > y),
    ">=": lambda mp, x, y: int(x >= y),
    "==": lambda mp, x, y: int(x == y),
    "!=": lambda mp, x, y: int(x != y),
    "and": lambda mp, *xs: int(all(xs)),
    "or": lambda mp, *xs: int(any(xs)),
    "not": lambda mp, x: int(not x),
}
"""Numeric values of the functions of auxiliary symbols, by name; the first argument is mpmath's context."""
