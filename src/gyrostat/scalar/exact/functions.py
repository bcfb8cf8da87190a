"""Functions outside the ring: known values and derivatives."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from gyrostat.scalar.operations import COMPARISONS, Scalar

if TYPE_CHECKING:
    from gyrostat.scalar.exact.engine import ExactScalars

_HALF = Fraction(1, 2)
_KNOWN_VALUES: dict[tuple[str, int], tuple[int, Fraction]] = {
    ("asin", 0): (0, Fraction(0)),
    ("asin", 1): (0, _HALF),
    ("asin", -1): (0, -_HALF),
    ("acos", 1): (0, Fraction(0)),
    ("acos", 0): (0, _HALF),
    ("acos", -1): (0, Fraction(1)),
    ("atan", 0): (0, Fraction(0)),
    ("atan", 1): (0, _HALF / 2),
    ("atan", -1): (0, -_HALF / 2),
    ("sinh", 0): (0, Fraction(0)),
    ("cosh", 0): (1, Fraction(0)),
    ("tanh", 0): (0, Fraction(0)),
    ("asinh", 0): (0, Fraction(0)),
    ("acosh", 1): (0, Fraction(0)),
    ("atanh", 0): (0, Fraction(0)),
    ("log", 1): (0, Fraction(0)),
}
"""Values at integer arguments: a rational number, and a multiple of π."""


def comparison_of_numbers(symbol: str, difference: Fraction) -> int:
    """Return the truth value of a comparison from left − right."""
    return int(COMPARISONS[symbol](difference, 0))


def value_at_numbers(function: str, arguments: tuple[Any, ...]) -> tuple[int, Fraction] | None:
    """Return a function's value at numbers as (number, multiple of π) where that is known exactly."""
    x = Fraction(arguments[0])
    if function == "sign":
        return (x > 0) - (x < 0), Fraction(0)
    if function in ("floor", "ceil"):
        return (math.floor(x) if function == "floor" else math.ceil(x)), Fraction(0)
    if function == "atan2":
        return _direction(x, Fraction(arguments[1]))
    return _KNOWN_VALUES.get((function, int(x))) if x.denominator == 1 else None


def _direction(y: Fraction, x: Fraction) -> tuple[int, Fraction] | None:
    """Return atan2 along the axes and the diagonals."""
    if x == y == 0:
        return 0, Fraction(0)
    if y == 0:
        return 0, Fraction(0 if x > 0 else 1)
    side = 1 if y > 0 else -1
    if x == 0:
        return 0, side * _HALF
    if abs(x) == abs(y):
        return 0, side * (_HALF / 2 if x > 0 else 3 * _HALF / 2)
    return None


def partial_derivatives(
    engine: ExactScalars, function: str, arguments: tuple[Scalar, ...], value: Scalar
) -> list[Scalar]:
    """Return the partial derivatives of a function, away from its jumps."""
    x = arguments[0]

    def root(y: Scalar) -> Scalar:
        return engine.call("sqrt", (y,))

    match function:
        case "exp":
            return [value]
        case "log":
            return [engine.power(x, -1)]
        case "sqrt":
            return [engine.power(2 * value, -1)]
        case "sinh" | "cosh":
            return [engine.call("cosh" if function == "sinh" else "sinh", (x,))]
        case "tanh":
            return [1 - value * value]
        case "asin" | "acos":
            slope = engine.power(root(1 - x * x), -1)
            return [slope if function == "asin" else -slope]
        case "atan":
            return [engine.power(1 + x * x, -1)]
        case "asinh":
            return [engine.power(root(x * x + 1), -1)]
        case "acosh":
            return [engine.power(root(x * x - 1), -1)]
        case "atanh":
            return [engine.power(1 - x * x, -1)]
        case "abs":
            return [engine.call("sign", (x,))]
        case "atan2":
            y, x = arguments
            under = engine.power(x * x + y * y, -1)
            return [x * under, -y * under]
        case "pow":
            base, exponent = arguments
            return [exponent * engine.power(base, exponent - 1), value * engine.call("log", (base,))]
        case "where":
            return [0, engine.call("where", (x, 1, 0)), engine.call("where", (x, 0, 1))]
        case "min" | "max":
            return _of_extreme(engine, function, arguments)
        case "sign" | "floor" | "ceil" | "and" | "or" | "not":
            return [0] * len(arguments)
    if function in COMPARISONS:
        return [0] * len(arguments)
    return [engine.function(f"{function}.{i + 1}", arguments) for i in range(len(arguments))]


def _of_extreme(engine: ExactScalars, function: str, arguments: tuple[Scalar, ...]) -> list[Scalar]:
    """Return 1 for the selected argument and 0 for the others."""
    found: list[Scalar] = []
    symbol = "<=" if function == "min" else ">="
    for argument in arguments:
        others = [other for other in arguments if other is not argument]
        taken = engine.logic("and", tuple(engine.compare(symbol, argument, other) for other in others))
        found.append(engine.call("where", (taken, 1, 0)))
    return found
