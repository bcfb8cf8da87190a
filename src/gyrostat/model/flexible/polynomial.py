"""Polynomials with rational coefficients, lowest power first, and their values on any engine."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, is_number, multiply

Polynomial: TypeAlias = tuple[Fraction, ...]

ONE: Polynomial = (Fraction(1),)


def product(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return a·b."""
    result = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            result[i + j] += x * y
    return tuple(result)


def combination(parts: Sequence[tuple[Fraction | int, Polynomial]]) -> Polynomial:
    """Return a sum of multiples of polynomials."""
    result = [Fraction(0)] * max(len(part) for _, part in parts)
    for factor, part in parts:
        for i, x in enumerate(part):
            result[i] += factor * x
    return tuple(result)


def derivative(a: Polynomial) -> Polynomial:
    """Return da/dξ."""
    return tuple(k * x for k, x in enumerate(a))[1:] or (Fraction(0),)


def integral(a: Polynomial) -> Polynomial:
    """Return the integral of a from zero."""
    return (Fraction(0), *(x / (k + 1) for k, x in enumerate(a)))


def exact_value(a: Polynomial, xi: Fraction) -> Fraction:
    """Return the value at a rational ξ."""
    found = Fraction(0)
    for coefficient in reversed(a):
        found = found * xi + coefficient
    return found


def value_at(a: Polynomial, xi: Scalar, value: Evaluator) -> Scalar:
    """Return the value at ξ; that at a known number is exact before it is rounded."""
    if is_number(xi) or isinstance(xi, Fraction):
        return rational(exact_value(a, Fraction(xi)), value)
    result: Scalar = 0
    for coefficient in reversed(a):
        result = add(multiply(result, xi), rational(coefficient, value))
    return result


def rational(x: Fraction, value: Evaluator) -> Scalar:
    """Return a rational number as a constant of the engine: exactly, or rounded."""
    if x.denominator == 1:
        return int(x)
    return x if is_exact(value) else float(x)


def is_exact(value: Evaluator) -> bool:
    """Tell whether the engine has rational numbers."""
    return isinstance(value.scalars.constant(0.5), Fraction)
