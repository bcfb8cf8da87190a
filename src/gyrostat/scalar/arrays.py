"""NumPy arrays as scalars: values of one formula at many instants at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from gyrostat.scalar.operations import COMPARISONS

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in (
        *("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "hypot", "abs", "sign", "floor", "ceil"),
        "where",
    )
} | {
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
}


class ArrayScalars:
    """The engine of NumPy arrays. Outside the domain of a function values are not-a-number; nothing is raised.

    >>> ArrayScalars().call("max", (np.array([1.0, -1.0]), 0.0))
    array([1., 0.])
    """

    def constant(self, value: int | float) -> float:
        """Return the number as a float."""
        return float(value)

    def pi(self) -> float:
        """Return π."""
        return math.pi

    def power(self, base: Any, exponent: Any) -> Any:
        """Return base**exponent."""
        return np.power(np.asarray(base, dtype=float), exponent)

    def call(self, function: str, arguments: tuple[Any, ...]) -> Any:
        """Apply an elementary function element by element."""
        if function in ("min", "max"):
            return reduce(np.minimum if function == "min" else np.maximum, arguments)
        return _FUNCTIONS[function](*arguments)

    def compare(self, operator: str, left: Any, right: Any) -> Any:
        """Return 1.0 where the comparison holds, else 0.0."""
        return np.asarray(COMPARISONS[operator](left, right), dtype=float)

    def logic(self, operator: str, arguments: tuple[Any, ...]) -> Any:
        """Combine truth values."""
        truths = [np.asarray(argument) != 0 for argument in arguments]
        if operator == "not":
            return np.asarray(~truths[0], dtype=float)
        return np.asarray(reduce(np.logical_and if operator == "and" else np.logical_or, truths), dtype=float)
