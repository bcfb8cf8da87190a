"""Intervals as scalars: rigorous bounds of a formula over ranges of its arguments.

The ends of intervals are scalars of another engine: arrays for many ranges at once, or traced values for a program.
Every operation returns an interval that contains all values for arguments in the given intervals, rounded outwards
(Moore, Interval Analysis, 1966). Outside the domain of a function, an argument is cut to the domain; where nothing is
left of it, the result is unbounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from gyrostat.scalar.algebra import is_number, square
from gyrostat.scalar.operations import Scalar, Scalars

_ROUNDING = 4.5e-16
"""Bound of the relative rounding error of two operations."""
_ABSOLUTE_ROUNDING = 5e-324
"""The same near zero."""
_INCREASING_FUNCTIONS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("exp", "sinh", "tanh", "atan", "asinh", "sign", "floor", "ceil"), (-math.inf, math.inf)),
    "log": (0.0, math.inf),
    "sqrt": (0.0, math.inf),
    "asin": (-1.0, 1.0),
    "acosh": (1.0, math.inf),
    "atanh": (-1.0, 1.0),
}
"""Functions that do not decrease, with the ends of their domains."""


@dataclass(frozen=True, eq=False)
class Interval:
    """A closed interval [low, high] over an engine; arrays are many intervals.

    >>> from gyrostat.scalar.floats import FloatScalars
    >>> t = Interval(-1.0, 2.0, FloatScalars())
    >>> round((t * t).high, 12)
    4.0
    """

    low: Scalar
    high: Scalar
    ends: Scalars
    """The engine of both ends."""

    __array_ufunc__ = None  # NumPy's operators leave the operation to this class

    def __add__(self, other: Scalar) -> Interval:
        b = as_interval(other, self.ends)
        return self._outward(self.low + b.low, self.high + b.high)

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low, self.ends)

    def __sub__(self, other: Scalar) -> Interval:
        return self + (-as_interval(other, self.ends))

    def __rsub__(self, other: Scalar) -> Interval:
        return as_interval(other, self.ends) - self

    def __mul__(self, other: Scalar) -> Interval:
        if id(other) == id(self):
            return self.even(square)
        if is_number(other) and other != 0 and math.isfinite(other):
            low, high = self.low * other, self.high * other
            return self._outward(low, high) if other > 0 else self._outward(high, low)
        b = as_interval(other, self.ends)
        products = tuple(self._product(x, y) for x in (self.low, self.high) for y in (b.low, b.high))
        return self._outward(self.ends.call("min", products), self.ends.call("max", products))

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Interval:
        if is_number(other):
            return self * (1 / other) if other != 0 else self.of(-math.inf, math.inf)
        return self * as_interval(other, self.ends).inverse()

    def __rtruediv__(self, other: Scalar) -> Interval:
        return as_interval(other, self.ends) / self

    @property
    def magnitude(self) -> Scalar:
        """The largest absolute value."""
        return self.ends.call("max", (self.ends.call("abs", (self.low,)), self.ends.call("abs", (self.high,))))

    def inverse(self) -> Interval:
        """Return 1/x, unbounded where x contains zero inside, or is zero."""
        below, above = self._is("<", self.low, 0.0), self._is(">", self.high, 0.0)
        zero = self._both(self._is("==", self.low, 0.0), self._is("==", self.high, 0.0))
        inside = self.ends.logic("or", (self._both(below, above), zero))
        low = self._where(self._is("==", self.high, 0.0), -math.inf, 1 / self.high)
        high = self._where(self._is("==", self.low, 0.0), math.inf, 1 / self.low)
        return self._outward(self._where(inside, -math.inf, low), self._where(inside, math.inf, high))

    def even(self, function: Callable[[Scalar], Scalar]) -> Interval:
        """Return a function of |x| that increases with it."""
        sizes = self.ends.call("abs", (self.low,)), self.ends.call("abs", (self.high,))
        with_zero = self._both(self._is("<=", self.low, 0.0), self._is(">=", self.high, 0.0))
        nearest = self._where(with_zero, 0.0, self.ends.call("min", sizes))
        return self._outward(function(nearest), function(self.ends.call("max", sizes)))

    def increasing(self, function: Callable[[Scalar], Scalar], first: float, last: float) -> Interval:
        """Return a function that does not decrease between the ends of its domain."""
        low, high, empty = self.low, self.high, None
        if first > -math.inf:
            low, high = self.ends.call("max", (low, first)), self.ends.call("max", (high, first))
            empty = self._is("<", self.high, first)
        if last < math.inf:
            low, high = self.ends.call("min", (low, last)), self.ends.call("min", (high, last))
            beyond = self._is(">", self.low, last)
            empty = beyond if empty is None else self.ends.logic("or", (empty, beyond))
        found = self._outward(function(low), function(high))
        if empty is None:
            return found
        return self.of(self._where(empty, -math.inf, found.low), self._where(empty, math.inf, found.high))

    def raised(self, exponent: Interval) -> Interval:
        """Return x**e for x ≥ 0, which is monotonic in x and in e, so that its extremes are at the corners."""
        ends, empty = self.ends, self._is("<", self.high, 0.0)
        bases = (ends.call("max", (end, 0.0)) for end in (self.low, self.high))
        corners = tuple(ends.power(base, e) for base in bases for e in (exponent.low, exponent.high))
        found = self._outward(ends.call("min", corners), ends.call("max", corners))
        return self.of(self._where(empty, -math.inf, found.low), self._where(empty, math.inf, found.high))

    def cosine(self) -> Interval:
        """Return cos x: 1 where x contains a multiple of 2π, −1 where it contains an odd multiple of π."""
        values = self.ends.call("cos", (self.low,)), self.ends.call("cos", (self.high,))
        slack = 1e-15 * (1.0 + self.magnitude)
        first, last = (self.low - slack) / (2 * math.pi), (self.high + slack) / (2 * math.pi)
        with_top, with_bottom = self._has_whole(first, last), self._has_whole(first - 0.5, last - 0.5)
        low = self._where(with_bottom, -1.0, self.ends.call("min", values) - slack)
        high = self._where(with_top, 1.0, self.ends.call("max", values) + slack)
        return self._outward(low, high)

    def tangent(self) -> Interval:
        """Return tan x, unbounded where x contains a pole."""
        half_turns = (self.ends.call("floor", (end / math.pi + 0.5,)) for end in (self.low, self.high))
        regular = self._both(self._is("==", *half_turns), self._is("<", self.high - self.low, math.pi))
        low, high = self.ends.call("tan", (self.low,)), self.ends.call("tan", (self.high,))
        slack = 4e-16 * self.magnitude * (1.0 + self.ends.call("max", (low * low, high * high)))
        return self._outward(self._where(regular, low - slack, -math.inf), self._where(regular, high + slack, math.inf))

    def of(self, low: Scalar, high: Scalar) -> Interval:
        """Return another interval over the same engine."""
        return Interval(low, high, self.ends)

    def _outward(self, low: Scalar, high: Scalar) -> Interval:
        """Return an interval rounded outwards; an end that is not a number is unbounded."""
        low = low - (_ROUNDING * self.ends.call("abs", (low,)) + _ABSOLUTE_ROUNDING)
        high = high + (_ROUNDING * self.ends.call("abs", (high,)) + _ABSOLUTE_ROUNDING)
        return self.of(
            self._where(self._is("==", low, low), low, -math.inf),
            self._where(self._is("==", high, high), high, math.inf),
        )

    def _product(self, x: Scalar, y: Scalar) -> Scalar:
        """Return x·y of two ends, zero if one of them is zero and the other infinite."""
        zero = self.ends.logic("or", (self._is("==", x, 0.0), self._is("==", y, 0.0)))
        return self._where(zero, 0.0, x * y)

    def _has_whole(self, first: Scalar, last: Scalar) -> Scalar:
        """Return whether there is a whole number between two others."""
        return self._is(">=", self.ends.call("floor", (last,)), self.ends.call("ceil", (first,)))

    def _is(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        return self.ends.compare(operator, left, right)

    def _both(self, one: Scalar, other: Scalar) -> Scalar:
        return self.ends.logic("and", (one, other))

    def _where(self, condition: Scalar, yes: Scalar, no: Scalar) -> Scalar:
        return self.ends.call("where", (condition, yes, no))


def as_interval(value: Scalar, ends: Scalars) -> Interval:
    """Return a value as an interval; a scalar of the engine of ends is one point."""
    return value if isinstance(value, Interval) else Interval(value, value, ends)


class IntervalScalars:
    """An engine of intervals over another engine, that of their ends.

    Truth values are intervals too: [1, 1] certainly true, [0, 0] certainly false, [0, 1] unknown.
    """

    def __init__(self, ends: Scalars) -> None:
        self.ends = ends

    def constant(self, value: int | float) -> Scalar:
        """Return the number, one point."""
        return self.ends.constant(value)

    def pi(self) -> Scalar:
        """Return π."""
        return self.ends.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; a negative base is in the domain if the exponent is known to be a whole number."""
        if not isinstance(base, Interval) and not isinstance(exponent, Interval):
            return self.ends.power(base, exponent)
        x = as_interval(base, self.ends)
        if not isinstance(exponent, int | float) or float(exponent) != math.floor(exponent):
            return x.raised(as_interval(exponent, self.ends))
        n, ends = abs(int(exponent)), self.ends
        power = (
            x.even(lambda a: ends.power(a, n))
            if n % 2 == 0
            else x.increasing(lambda a: ends.power(a, n), -math.inf, math.inf)
        )
        return power if exponent >= 0 else power.inverse()

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        if not any(isinstance(argument, Interval) for argument in arguments):
            return self.ends.call(function, arguments)
        given = [as_interval(argument, self.ends) for argument in arguments]
        x = given[0]
        if function in _INCREASING_FUNCTIONS:
            return x.increasing(lambda a: self.ends.call(function, (a,)), *_INCREASING_FUNCTIONS[function])
        match function:
            case "min" | "max":
                low, high = tuple(a.low for a in given), tuple(a.high for a in given)
                return x.of(self.ends.call(function, low), self.ends.call(function, high))
            case "abs" | "cosh":
                return x.even(lambda a: self.ends.call(function, (a,)))
            case "cos":
                return x.cosine()
            case "sin":
                return (x - 0.5 * math.pi).cosine()
            case "tan":
                return x.tangent()
            case "acos":
                return 0.5 * math.pi - self.call("asin", (x,))
            case "hypot":
                return self.call("sqrt", (x * x + given[1] * given[1],))
            case "atan2":
                return self._angle(x, given[1])
        return self._choice(*given)

    def _angle(self, y: Interval, x: Interval) -> Interval:
        """Return the angle of (x, y), all angles where neither component has a definite sign."""
        where, compare = partial(self._end, "where"), self.ends.compare
        right: Interval = self.call("atan", (y / x,))
        across: Interval = self.call("atan", (x / y,))
        above = compare(">", y.low, 0.0)
        quarter = where(above, 0.5 * math.pi, -0.5 * math.pi)
        side = y.of(quarter, quarter) - across
        definite, ahead = self.ends.logic("or", (above, compare("<", y.high, 0.0))), compare(">", x.low, 0.0)
        low = where(ahead, right.low, where(definite, side.low, -math.pi))
        high = where(ahead, right.high, where(definite, side.high, math.pi))
        return x.of(low, high) + 0.0

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value of a comparison."""
        if not isinstance(left, Interval) and not isinstance(right, Interval):
            return self.ends.compare(operator, left, right)
        a, b = as_interval(left, self.ends), as_interval(right, self.ends)
        is_, logic = self.ends.compare, self.ends.logic
        match operator:
            case "<" | "<=":
                return a.of(is_(operator, a.high, b.low), is_(operator, a.low, b.high))
            case ">" | ">=":
                return self.compare("<" if operator == ">" else "<=", b, a)
        apart = logic("or", (is_("<", a.high, b.low), is_("<", b.high, a.low)))
        points = logic("and", (is_("==", a.low, a.high), is_("==", b.low, b.high)))
        equal = logic("and", (points, is_("==", a.low, b.low)))
        if operator == "==":
            return a.of(equal, logic("not", (apart,)))
        return a.of(apart, logic("not", (equal,)))

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        given = [as_interval(argument, self.ends) for argument in arguments]
        certain = tuple(self._is_certain(a) for a in given)
        possible = tuple(self._is_possible(a) for a in given)
        if operator == "not":
            return given[0].of(self.ends.logic("not", possible), self.ends.logic("not", certain))
        return given[0].of(self.ends.logic(operator, certain), self.ends.logic(operator, possible))

    def _is_certain(self, truth: Interval) -> Scalar:
        compare = self.ends.compare
        return self.ends.logic("or", (compare(">", truth.low, 0.0), compare("<", truth.high, 0.0)))

    def _is_possible(self, truth: Interval) -> Scalar:
        compare = self.ends.compare
        return self.ends.logic("or", (compare("!=", truth.low, 0.0), compare("!=", truth.high, 0.0)))

    def _choice(self, condition: Interval, yes: Interval, no: Interval) -> Interval:
        """Return the values of where(condition, yes, no): those of both, if the condition is not certain."""
        true, possible = self._is_certain(condition), self._is_possible(condition)
        least = self._end("min", yes.low, no.low), self._end("max", yes.high, no.high)
        low, high = (
            self._end("where", true, own, self._end("where", possible, both, other))
            for own, both, other in zip((yes.low, yes.high), least, (no.low, no.high), strict=True)
        )
        return yes.of(low, high)

    def _end(self, function: str, *arguments: Scalar) -> Scalar:
        return self.ends.call(function, arguments)
