"""Plain floating-point numbers as scalars: values of parameters, structural checks, tests."""

from __future__ import annotations

import math
from collections.abc import Callable

from gyrostat.scalar.operations import COMPARISONS

_FUNCTIONS: dict[str, Callable[..., float]] = {
    name: getattr(math, name)
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        *("exp", "log", "sqrt", "hypot"),
    )
} | {
    "abs": abs,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "min": min,
    "max": max,
    "where": lambda condition, yes, no: yes if condition else no,
}


class FloatScalars:
    """The engine of Python's floats. Domain errors are raised as ValueError or ArithmeticError, as `math` does."""

    def constant(self, value: int | float) -> float:
        """Return the number as a float."""
        return float(value)

    def pi(self) -> float:
        """Return π."""
        return math.pi

    def power(self, base: float, exponent: float) -> float:
        """Return base**exponent; a negative base with a fractional exponent raises ValueError."""
        return math.pow(base, exponent)

    def call(self, function: str, arguments: tuple[float, ...]) -> float:
        """Apply an elementary function."""
        return _FUNCTIONS[function](*arguments)

    def compare(self, operator: str, left: float, right: float) -> float:
        """Return 1.0 where the comparison holds, else 0.0."""
        return float(COMPARISONS[operator](left, right))

    def logic(self, operator: str, arguments: tuple[float, ...]) -> float:
        """Combine truth values."""
        if operator == "not":
            return float(not arguments[0])
        return float(all(arguments) if operator == "and" else any(arguments))
