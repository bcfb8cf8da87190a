"""The exact engine: the elementary functions on trigonometric polynomials."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from gyrostat.errors import GyrostatError
from gyrostat.scalar.exact.definitions import PI, Definition, GeneratorKind
from gyrostat.scalar.exact.element import Element, as_element, as_number
from gyrostat.scalar.exact.functions import comparison_of_numbers, value_at_numbers
from gyrostat.scalar.exact.numbers import plain_number
from gyrostat.scalar.exact.ring import ExactRing
from gyrostat.scalar.exact.roots import absolute, square_root
from gyrostat.scalar.exact.trigonometry import cosine_and_sine, single_terms
from gyrostat.scalar.operations import Scalar

_LARGEST_POWER = 1000
_MIRRORED_COMPARISONS = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_ODD_FUNCTIONS = ("sinh", "tanh", "asin", "atan", "asinh", "atanh", "sign")
_EVEN_FUNCTIONS = ("cosh",)

_constant = lru_cache(maxsize=1000, typed=True)(plain_number)
"""Numbers of formulas, cached: there are few different ones."""


class ExactScalars:
    """The engine of one ring; satisfies `gyrostat.scalar.Scalars`.

    >>> ring = ExactRing(groups=[["a", "b"]], symbols=["l"])
    >>> x = ExactScalars(ring)
    >>> x.call("sin", (ring.symbol("a"),)) ** 2
    1/2 - cos(2*a)/2
    >>> x.power(x.constant(0.25) * ring.symbol("l"), -2)
    16/(l**2)
    """

    def __init__(self, ring: ExactRing) -> None:
        self.ring = ring

    def constant(self, value: int | float | Fraction) -> int | Fraction:
        """Return a number exactly: −1, 0 and 1 as int, others as Fraction; a float is read as its shortest decimal."""
        return _constant(value)

    def pi(self) -> Element:
        """Return the symbol π."""
        return self.ring.symbol(PI)

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; integer and half-integer exponents are expanded, others are auxiliary symbols."""
        number = as_number(exponent)
        if number is None:
            return self._opaque("pow", (base, exponent))
        exact = Fraction(number)
        if abs(exact) > _LARGEST_POWER:
            raise GyrostatError(f"The power {exact} is too large to be written out. Use powers up to {_LARGEST_POWER}.")
        if exact.denominator == 1:
            return self._whole_power(base, int(exact))
        if exact.denominator == 2:
            return self._whole_power(square_root(self.ring, base), exact.numerator)
        if as_number(base) in (0, 1) and exact > 0:
            return as_number(base)
        return self._opaque("pow", (base, exact))

    def _whole_power(self, base: Scalar, exponent: int) -> Scalar:
        number = as_number(base)
        if number is None:
            return base**exponent
        if number == 0 and exponent < 0:
            raise GyrostatError("Zero is raised to a negative power. Check the formulas for a base that vanishes.")
        return plain_number(Fraction(number) ** exponent)

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        first = arguments[0]
        match function:
            case "sin" | "cos":
                cosine, sine = cosine_and_sine(self.ring, first)
                return sine if function == "sin" else cosine
            case "tan":
                cosine, sine = cosine_and_sine(self.ring, first)
                return sine * self.power(cosine, -1)
            case "sqrt":
                return square_root(self.ring, first)
            case "hypot":
                return square_root(self.ring, first * first + arguments[1] * arguments[1])
            case "abs":
                return absolute(self.ring, first)
            case "exp":
                return self._exponential(first)
            case "where":
                return self._where(*arguments)
            case "min" | "max":
                return self._extreme(function, arguments)
        return self._ordinary(function, arguments)

    def _ordinary(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply a function that is an auxiliary symbol but for a few known values and its symmetry."""
        numbers = [as_number(argument) for argument in arguments]
        known = value_at_numbers(function, tuple(n for n in numbers if n is not None)) if None not in numbers else None
        if known is not None:
            value, in_pi = known
            return value + in_pi * self.pi() if in_pi else value
        if function in _ODD_FUNCTIONS or function in _EVEN_FUNCTIONS:
            argument = as_element(self.ring, arguments[0]).lifted()
            if argument.terms[min(argument.terms)].leading_coefficient() < 0:
                result = self._opaque(function, (-argument,))
                return -result if function in _ODD_FUNCTIONS else result
        return self._opaque(function, arguments)

    def _exponential(self, argument: Scalar) -> Scalar:
        """Return exp of a sum as a product, so that exponentials multiply by adding exponents."""
        result: Scalar = 1
        for coefficient, term in single_terms(as_element(self.ring, argument)):
            base = term * Fraction(1, coefficient.denominator)
            result = result * self._opaque("exp", (base,)) ** coefficient.numerator
        return result

    def _where(self, condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
        known = as_number(condition)
        if known is not None:
            return yes if known else no
        if _same(yes, no):
            return yes
        return self._opaque("where", (condition, yes, no))

    def _extreme(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        numbers = [Fraction(n) for a in arguments if (n := as_number(a)) is not None]
        others: dict[object, Scalar] = {a.key(): a for a in arguments if as_number(a) is None}
        best = [plain_number(min(numbers) if function == "min" else max(numbers))] if numbers else []
        rest = [*best, *others.values()]
        return rest[0] if len(rest) == 1 else self._opaque(function, tuple(rest))

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return 1 or 0 where the difference is a number, else an auxiliary symbol."""
        difference = as_number(left - right)
        if difference is not None:
            return comparison_of_numbers(operator, Fraction(difference))
        if as_number(left) is not None:
            operator, left, right = _MIRRORED_COMPARISONS[operator], right, left
        return self._opaque(operator, (left, right))

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        known = [as_number(argument) for argument in arguments]
        unknown = tuple(a for a, n in zip(arguments, known, strict=True) if n is None)
        if operator == "not":
            return int(not known[0]) if not unknown else self._opaque("not", unknown)
        deciding = operator == "or"
        if any(n is not None and bool(n) is deciding for n in known):
            return int(deciding)
        if not unknown:
            return int(not deciding)
        return unknown[0] if len(unknown) == 1 else self._opaque(operator, unknown)

    def _opaque(self, function: str, arguments: tuple[Scalar, ...]) -> Element:
        """Return the auxiliary symbol of a function of arguments."""
        exact = tuple(as_element(self.ring, argument) for argument in arguments)
        generator = self.ring.auxiliary("function", Definition(GeneratorKind.FUNCTION, function, exact))
        if function == "cosh" and generator.index not in self.ring.squares:
            sine = self._opaque("sinh", arguments)
            self.ring.set_square(generator, as_element(self.ring, 1 + sine * sine))
        return self.ring.variable(generator)

    def function(self, name: str, arguments: tuple[Scalar, ...]) -> Element:
        """Return an unknown function of arguments, such as one that a user gives by name."""
        return self._opaque(name, arguments)


def _same(a: Scalar, b: Scalar) -> bool:
    if isinstance(a, Element) and isinstance(b, Element):
        return a.key() == b.key()
    return not isinstance(a, Element) and not isinstance(b, Element) and a == b
