"""Sums and products that recognise zeros and ones while a formula is formed, which preserves sparsity."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TypeGuard

from gyrostat.scalar.operations import Scalar


def is_number(a: Scalar) -> TypeGuard[int | float]:
    """Tell whether a is a plain Python number, hence known while the formula is formed."""
    return type(a) is int or type(a) is float


def known_value(a: Scalar) -> float | None:
    """Return the value of a scalar that is known while the formula is formed, on any engine; None for other scalars.

    Choices that depend on values, such as that of an axis, have to be the same on all engines.
    """
    if isinstance(a, (int, float, Fraction)):
        return float(a)
    value: Callable[[], float | None] | None = getattr(a, "known_value", None)
    return None if value is None else value()


def is_zero(a: Scalar) -> bool:
    """Tell whether a is known to be zero."""
    kind = type(a)
    return (kind is int or kind is float) and bool(a == 0)


# Sums and products are the innermost operations of every derivation: they test types inline, without a call.


def add(a: Scalar, b: Scalar) -> Scalar:
    """Return a + b."""
    kind = type(a)
    if (kind is int or kind is float) and a == 0:
        return b
    kind = type(b)
    return a if (kind is int or kind is float) and b == 0 else a + b


def subtract(a: Scalar, b: Scalar) -> Scalar:
    """Return a − b."""
    kind = type(b)
    if (kind is int or kind is float) and b == 0:
        return a
    kind = type(a)
    return negate(b) if (kind is int or kind is float) and a == 0 else a - b


def negate(a: Scalar) -> Scalar:
    """Return −a; minus zero is zero."""
    kind = type(a)
    return 0 if (kind is int or kind is float) and a == 0 else -a


def multiply(a: Scalar, b: Scalar) -> Scalar:
    """Return a·b."""
    kind = type(a)
    if kind is int or kind is float:
        if a == 0:
            return 0
        if a == 1:
            return b
        if a == -1:
            return negate(b)
    kind = type(b)
    if kind is int or kind is float:
        if b == 0:
            return 0
        if b == 1:
            return a
        if b == -1:
            return negate(a)
    return a * b


def divide(a: Scalar, b: Scalar) -> Scalar:
    """Return a/b."""
    kind = type(a)
    if (kind is int or kind is float) and a == 0:
        return 0
    kind = type(b)
    return a if (kind is int or kind is float) and b == 1 else a / b


def square(a: Scalar) -> Scalar:
    """Return a²."""
    return multiply(a, a)


def rotate(cosine: Scalar, sine: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
    """Return cos·x − sin·y and sin·x + cos·y; elements of the exact engine rotate both at once."""
    kind = type(x)
    if (kind is int or kind is float) and x == 0:
        return negate(multiply(sine, y)), multiply(cosine, y)
    kind = type(y)
    if (kind is int or kind is float) and y == 0:
        return multiply(cosine, x), multiply(sine, x)
    at_once: Callable[..., tuple[Scalar, Scalar] | None] | None = getattr(cosine, "rotated", None)
    found = None if at_once is None else at_once(sine, x, y)
    if found is not None:
        return found
    return subtract(multiply(cosine, x), multiply(sine, y)), add(multiply(sine, x), multiply(cosine, y))


def total(terms: Iterable[Scalar]) -> Scalar:
    """Return the sum of the terms; of none, zero."""
    result: Scalar = 0
    for term in terms:
        result = add(result, term)
    return result
