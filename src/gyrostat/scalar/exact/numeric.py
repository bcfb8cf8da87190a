"""Numeric values of the functions that auxiliary symbols may stand for, over an arithmetic such as mpmath's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FUNCTIONS: dict[str, Callable[..., Any]] = {
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
"""By name; the first argument is the arithmetic."""
