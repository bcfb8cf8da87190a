"""Intervals as scalars: rigorous bounds of a formula over many ranges of its arguments at once.

Every operation returns an interval that contains all values for arguments in the given intervals, rounded outwards
(Moore, Interval Analysis, 1966). Outside the domain of a function, an argument is cut to the domain; where nothing is
left of it, the result is unbounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.scalar.operations import Scalar

Bounds = NDArray[np.float64]

_INCREASING: dict[str, tuple[Callable[[Any], Any], float, float]] = {
    "exp": (np.exp, -math.inf, math.inf),
    "sinh": (np.sinh, -math.inf, math.inf),
    "tanh": (np.tanh, -math.inf, math.inf),
    "atan": (np.arctan, -math.inf, math.inf),
    "asinh": (np.arcsinh, -math.inf, math.inf),
    "sign": (np.sign, -math.inf, math.inf),
    "floor": (np.floor, -math.inf, math.inf),
    "ceil": (np.ceil, -math.inf, math.inf),
    "log": (np.log, 0.0, math.inf),
    "sqrt": (np.sqrt, 0.0, math.inf),
    "asin": (np.arcsin, -1.0, 1.0),
    "acosh": (np.arccosh, 1.0, math.inf),
    "atanh": (np.arctanh, -1.0, 1.0),
}
"""Functions that do not decrease, with the ends of their domains."""


@dataclass(frozen=True, eq=False)
class Interval:
    """Closed intervals [low, high], one for each entry of the arrays.

    >>> t = Interval(np.array([-1.0]), np.array([2.0]))
    >>> IntervalScalars().power(t, 2.0).high.round(12)
    array([4.])
    """

    low: Bounds
    high: Bounds

    __array_ufunc__ = None  # NumPy's operators leave the operation to this class

    def __add__(self, other: Scalar) -> Interval:
        b = as_interval(other)
        return _outward(self.low + b.low, self.high + b.high)

    __radd__ = __add__

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Scalar) -> Interval:
        return self + (-as_interval(other))

    def __rsub__(self, other: Scalar) -> Interval:
        return as_interval(other) - self

    def __mul__(self, other: Scalar) -> Interval:
        if other is self:
            return _even(self, lambda x: x * x)
        if isinstance(other, int | float) and other != 0 and math.isfinite(other):
            ends = self.low * other, self.high * other
            return _outward(*(ends if other > 0 else ends[::-1]))
        b = as_interval(other)
        products = [_product(x, y) for x in (self.low, self.high) for y in (b.low, b.high)]
        return _outward(reduce(np.minimum, products), reduce(np.maximum, products))

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Interval:
        return self * _inverse(as_interval(other))

    def __rtruediv__(self, other: Scalar) -> Interval:
        return as_interval(other) / self

    @property
    def magnitude(self) -> Bounds:
        """The largest absolute value."""
        return np.maximum(np.abs(self.low), np.abs(self.high))


def as_interval(value: Scalar) -> Interval:
    """Return a value as an interval; a number is one point."""
    if isinstance(value, Interval):
        return value
    point = np.asarray(value, dtype=float)
    return Interval(point, point)


def _outward(low: Any, high: Any) -> Interval:
    """Return an interval rounded outwards; an end that is not a number is unbounded."""
    low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    return Interval(np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high))


def _product(x: Any, y: Any) -> Any:
    """Return x·y of two ends, zero if one of them is zero and the other infinite."""
    return np.where((x == 0.0) | (y == 0.0), 0.0, x * y)


def _inverse(x: Interval) -> Interval:
    """Return 1/x, unbounded where x contains zero inside."""
    low = np.where(x.high == 0.0, -np.inf, 1.0 / x.high)
    high = np.where(x.low == 0.0, np.inf, 1.0 / x.low)
    inside = (x.low < 0.0) & (x.high > 0.0) | ((x.low == 0.0) & (x.high == 0.0))
    return _outward(np.where(inside, -np.inf, low), np.where(inside, np.inf, high))


def _even(x: Interval, function: Callable[[Any], Any]) -> Interval:
    """Return a function of |x| that increases with it."""
    nearest = np.where((x.low <= 0.0) & (x.high >= 0.0), 0.0, np.minimum(np.abs(x.low), np.abs(x.high)))
    return _outward(function(nearest), function(x.magnitude))


def _increasing(x: Interval, function: Callable[[Any], Any], first: float, last: float) -> Interval:
    empty = (x.high < first) | (x.low > last)
    low, high = function(np.clip(x.low, first, last)), function(np.clip(x.high, first, last))
    return _outward(np.where(empty, -np.inf, low), np.where(empty, np.inf, high))


def _cosine(x: Interval) -> Interval:
    """Return cos x: 1 where x contains a multiple of 2π, −1 where it contains an odd multiple of π."""
    ends = np.cos(x.low), np.cos(x.high)
    slack = 1e-15 * (1.0 + x.magnitude)
    turns_low, turns_high = (x.low - slack) / (2 * math.pi), (x.high + slack) / (2 * math.pi)
    with_top = np.floor(turns_high) >= np.ceil(turns_low)
    with_bottom = np.floor(turns_high - 0.5) >= np.ceil(turns_low - 0.5)
    low = np.where(with_bottom, -1.0, np.minimum(*ends) - slack)
    high = np.where(with_top, 1.0, np.maximum(*ends) + slack)
    return _outward(low, high)


class IntervalScalars:
    """The engine of intervals.

    Truth values are intervals too: [1, 1] certainly true, [0, 0] certainly false, [0, 1] unknown.
    """

    def constant(self, value: int | float) -> float:
        """Return the number as a float."""
        return float(value)

    def pi(self) -> float:
        """Return π."""
        return math.pi

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent; where the exponent is not a whole number, a negative base is outside the domain."""
        if not isinstance(base, Interval) and not isinstance(exponent, Interval):
            return float(base) ** float(exponent)
        x = as_interval(base)
        if isinstance(exponent, Interval) or float(exponent) != math.floor(float(exponent)):
            return self.call("exp", (as_interval(exponent) * self.call("log", (x,)),))
        n = abs(int(exponent))
        power = _even(x, lambda a: a**n) if n % 2 == 0 else _increasing(x, lambda a: a**n, -math.inf, math.inf)
        return power if exponent >= 0 else _inverse(power)

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        given = [as_interval(argument) for argument in arguments]
        x = given[0]
        if function in _INCREASING:
            return _increasing(x, *_INCREASING[function])
        match function:
            case "min":
                return Interval(reduce(np.minimum, [a.low for a in given]), reduce(np.minimum, [a.high for a in given]))
            case "max":
                return Interval(reduce(np.maximum, [a.low for a in given]), reduce(np.maximum, [a.high for a in given]))
            case "abs" | "cosh":
                return _even(x, np.cosh if function == "cosh" else np.abs)
            case "cos":
                return _cosine(x)
            case "sin":
                return _cosine(x - 0.5 * math.pi)
            case "tan":
                return _tangent(x)
            case "acos":
                return 0.5 * math.pi - _increasing(x, *_INCREASING["asin"])
            case "hypot":
                return self.call("sqrt", (x * x + given[1] * given[1],))
            case "atan2":
                return self._angle(x, given[1])
        return _choice(*given)

    def _angle(self, y: Interval, x: Interval) -> Interval:
        """Return the angle of (x, y), all angles where neither component has a definite sign."""
        right: Interval = self.call("atan", (y / x,))
        across: Interval = self.call("atan", (x / y,))
        side = 0.5 * math.pi * np.where(y.low > 0.0, 1.0, -1.0) - across
        definite = (y.low > 0.0) | (y.high < 0.0)
        low = np.where(x.low > 0.0, right.low, np.where(definite, side.low, -math.pi))
        high = np.where(x.low > 0.0, right.high, np.where(definite, side.high, math.pi))
        return _outward(low, high)

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Return the truth value of a comparison."""
        a, b = as_interval(left), as_interval(right)
        match operator:
            case "<":
                return _truth(a.high < b.low, a.low < b.high)
            case "<=":
                return _truth(a.high <= b.low, a.low <= b.high)
            case ">" | ">=":
                return self.compare("<" if operator == ">" else "<=", b, a)
        apart = (a.high < b.low) | (b.high < a.low)
        equal = (a.low == a.high) & (b.low == b.high) & (a.low == b.low)
        return _truth(equal, ~apart) if operator == "==" else _truth(apart, ~equal)

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        given = [as_interval(argument) for argument in arguments]
        certain = [(a.low > 0.0) | (a.high < 0.0) for a in given]
        possible = [(a.low != 0.0) | (a.high != 0.0) for a in given]
        if operator == "not":
            return _truth(~possible[0], ~certain[0])
        combine = np.logical_and if operator == "and" else np.logical_or
        return _truth(reduce(combine, certain), reduce(combine, possible))


def _truth(certain: Any, possible: Any) -> Interval:
    return Interval(np.asarray(certain, dtype=float), np.asarray(possible, dtype=float))


def _choice(condition: Interval, yes: Interval, no: Interval) -> Interval:
    """Return the values of where(condition, yes, no): those of both, if the condition is not certain."""
    true, false = (condition.low > 0.0) | (condition.high < 0.0), (condition.low == 0.0) & (condition.high == 0.0)
    low = np.where(true, yes.low, np.where(false, no.low, np.minimum(yes.low, no.low)))
    high = np.where(true, yes.high, np.where(false, no.high, np.maximum(yes.high, no.high)))
    return Interval(low, high)


def _tangent(x: Interval) -> Interval:
    """Return tan x, unbounded where x contains a pole."""
    half_turns = np.floor(x.low / math.pi + 0.5)
    regular = (np.floor(x.high / math.pi + 0.5) == half_turns) & (x.high - x.low < math.pi)
    low, high = np.tan(x.low), np.tan(x.high)
    slack = 4e-16 * x.magnitude * (1.0 + np.maximum(low * low, high * high))
    return _outward(np.where(regular, low - slack, -np.inf), np.where(regular, high + slack, np.inf))
