"""Exact numbers: how Python's numbers enter and leave the ring."""

from __future__ import annotations

import math
import numbers
from fractions import Fraction
from typing import Any, TypeGuard

import flint

from gyrostat.errors import GyrostatError


def is_exact_number(value: object) -> TypeGuard[int | float | Fraction]:
    """Tell whether this is a number that is known while a formula is formed."""
    return isinstance(value, (int, float, Fraction, flint.fmpq, numbers.Rational))


def as_fraction(value: Any) -> Fraction:
    """Return a number exactly; a float is read as its shortest decimal.

    >>> as_fraction(0.1)
    Fraction(1, 10)
    """
    if type(value) is Fraction:
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise GyrostatError(f"The number {value} has no exact value. Give a finite number.")
        return Fraction(repr(float(value)))  # NumPy's floats print their type
    if isinstance(value, flint.fmpq):
        return Fraction(int(value.p), int(value.q))
    return Fraction(value)


def as_rational(value: Any) -> Any:
    """Return a number as flint's fmpq."""
    if isinstance(value, flint.fmpq):
        return value
    if type(value) is int:
        return flint.fmpq(value)
    fraction = as_fraction(value)
    return flint.fmpq(fraction.numerator, fraction.denominator)


def plain_number(value: Any) -> int | Fraction:
    """Return a number as formulas see it: −1, 0 and 1 as int, which `scalar.algebra` recognises, others as Fraction.

    Other integers are fractions too, so that a quotient of two of them stays exact.
    """
    if type(value) is int and -1 <= value <= 1:
        return value
    fraction = as_fraction(value)
    return int(fraction) if fraction.denominator == 1 and -1 <= fraction.numerator <= 1 else fraction
