"""An engine of truncated series: formulas are evaluated on Taylor polynomials.

Where many sines and cosines multiply, this is far shorter than forming the exact formula and expanding it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.branches import branch
from gyrostat.scalar.exact.definitions import Definition, GeneratorKind
from gyrostat.scalar.exact.element import Element, as_element, as_number, sum_of
from gyrostat.scalar.exact.engine import ExactScalars
from gyrostat.scalar.exact.numbers import is_exact_number, plain_number
from gyrostat.scalar.exact.rounding import in_numbers
from gyrostat.scalar.exact.taylor import Expansion, Series
from gyrostat.scalar.operations import Scalar


class Graded:
    """A series by degree, with + − * / among series, elements and numbers; constant results are of the latter two."""

    __slots__ = ("expansion", "parts")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expansion: Expansion, parts: Series) -> None:
        self.expansion = expansion
        self.parts = parts

    def _other(self, other: Scalar) -> Series | None:
        if isinstance(other, Graded):
            return other.parts
        if isinstance(other, Element) or is_exact_number(other):
            return [other, *[0] * self.expansion.order]
        return None

    def __add__(self, other: Scalar) -> Scalar:
        parts = self._other(other)
        if parts is None:
            return NotImplemented
        return graded(self.expansion, [a + b for a, b in zip(self.parts, parts, strict=True)])

    __radd__ = __add__

    def __neg__(self) -> Graded:
        return Graded(self.expansion, [-part for part in self.parts])

    def __sub__(self, other: Scalar) -> Scalar:
        parts = self._other(other)
        if parts is None:
            return NotImplemented
        return graded(self.expansion, [a - b for a, b in zip(self.parts, parts, strict=True)])

    def __rsub__(self, other: Scalar) -> Scalar:
        return (-self) + other

    def __mul__(self, other: Scalar) -> Scalar:
        if isinstance(other, Graded):
            return graded(self.expansion, self.expansion.times(self.parts, other.parts))
        if not isinstance(other, Element) and not is_exact_number(other):
            return NotImplemented
        return graded(self.expansion, [part * other for part in self.parts])

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if isinstance(other, Graded):
            return self * GradedScalars(other.expansion).power(other, -1)
        if not isinstance(other, Element) and not is_exact_number(other):
            return NotImplemented
        return self * (1 / other if isinstance(other, Element) else plain_number(1 / plain_number(other)))

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return GradedScalars(self.expansion).power(self, -1) * other

    def __pow__(self, exponent: int) -> Scalar:
        return GradedScalars(self.expansion).power(self, exponent)

    def __repr__(self) -> str:
        return " + ".join(str(part) for part in self.parts if isinstance(part, Element) or part) or "0"


def graded(expansion: Expansion, parts: Series) -> Scalar:
    """Return a series as a scalar: an element or a number where it is constant."""
    if any(isinstance(part, Element) or part for part in parts[1:]):
        return Graded(expansion, parts)
    return parts[0]


def series_of(expansion: Expansion, value: Scalar) -> Series:
    """Return a scalar of this engine as a series."""
    return value.parts if isinstance(value, Graded) else [value, *[0] * expansion.order]


class GradedScalars:
    """The engine; satisfies `gyrostat.scalar.Scalars`. Symbols have the series that the expansion gives them.

    >>> from gyrostat.scalar.exact import ExactRing
    >>> ring = ExactRing(symbols=["x"])
    >>> scalars = GradedScalars(Expansion(ring, {"x": [0, ring.symbol("x"), 0, 0]}, 3))
    >>> scalars.call("sin", (scalars.symbol("x"),)) / (1 + scalars.symbol("x"))
    x + -x**2 + 5*x**3/6
    """

    def __init__(self, expansion: Expansion) -> None:
        self.expansion = expansion
        self.exact = ExactScalars(expansion.ring)

    def symbol(self, name: str) -> Scalar:
        """Return a symbol by its series."""
        return graded(self.expansion, self.expansion(self.expansion.ring.symbol(name)))

    def constant(self, value: int | float) -> Scalar:
        """Return a literal number."""
        return self.exact.constant(value)

    def pi(self) -> Scalar:
        """Return π."""
        return self._known(self.exact.pi())

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent."""
        if not isinstance(base, Graded) and not isinstance(exponent, Graded):
            return self._known(self.exact.power(base, exponent))
        number = None if isinstance(exponent, Graded) else as_number(exponent)
        if number is not None and number == int(number) and number >= 0:
            result: Scalar = 1
            for _ in range(int(number)):
                result = result * base
            return result
        if number is not None:
            return self._applied("pow", (base,), lambda x: self.exact.power(x, number))
        return self._applied("pow", (base, exponent), self.exact.power)

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        if not any(isinstance(argument, Graded) for argument in arguments):
            return self._known(self.exact.call(function, arguments))
        if function in ("sin", "cos", "tan"):
            cosine, sine = (graded(self.expansion, x) for x in self.expansion.turned(arguments[0].parts))
            return sine if function == "sin" else cosine if function == "cos" else sine / cosine
        return self._applied(function, arguments, lambda *x: self.exact.call(function, x))

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value that holds around the centre."""
        if not isinstance(left, Graded) and not isinstance(right, Graded):
            return self.exact.compare(operator, left, right)
        return self._decided(operator, (left, right))

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        return self.exact.logic(operator, arguments)

    def _decided(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        definition = self._definition(function, arguments)
        try:
            found = branch(definition, [series_of(self.expansion, x) for x in arguments], self.expansion.sign)
        except GyrostatError as error:
            raise GyrostatError(f"There is no Taylor expansion about this point. {error}") from None
        if found is None:
            raise GyrostatError(f"It is not known which branch of {definition} holds. Give values to its parameters.")
        return graded(self.expansion, found)

    def _definition(self, function: str, arguments: tuple[Scalar, ...]) -> Definition:
        """Return a representative definition of a function, with the arguments up to the first degree."""
        ring = self.expansion.ring
        shown = (as_element(ring, sum_of(ring, series_of(self.expansion, x)[:2])) for x in arguments)
        return Definition(GeneratorKind.FUNCTION, function, tuple(shown))

    def _applied(self, function: str, arguments: tuple[Scalar, ...], formed: Callable[..., Any]) -> Scalar:
        series = [series_of(self.expansion, x) for x in arguments]
        return graded(self.expansion, self.expansion.applied(self._definition(function, arguments), formed, series))

    def _known(self, value: Scalar) -> Scalar:
        return in_numbers(value) if self.expansion.rounded else value
