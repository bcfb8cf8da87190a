"""Floating-point coefficients: complex numbers with the interface of the exact field."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from gyrostat.analysis.scales.quotients import Quotient
from gyrostat.errors import Fault, ModelError


class FloatField:
    """Complex numbers; parameters are their values."""

    zero = 0j
    one = 1 + 0j
    imaginary = 1j

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values

    def number(self, value: int | Fraction) -> complex:
        """Return a number."""
        return complex(value)

    def symbol(self, name: str) -> complex:
        """Return a parameter's value."""
        if name not in self.values:
            raise ModelError(
                Fault(f"parameter {name!r}", "has no value.", "Floating-point coefficients need values of all.")
            )
        return complex(self.values[name])

    def moved(self, value: Any) -> complex:
        """Return a coefficient as a complex number."""
        return value.value(self.values) if isinstance(value, Quotient) else complex(value)


def real_part(value: Any) -> Any:
    """Return the real part of a coefficient of either kind."""
    return value.real_part() if isinstance(value, Quotient) else value.real


def imaginary_part(value: Any) -> Any:
    """Return the imaginary part of a coefficient of either kind, which is real."""
    return value.imaginary_part() if isinstance(value, Quotient) else value.imag


def number_of(value: Any, values: Mapping[str, float]) -> complex:
    """Return a coefficient of either kind as a number."""
    return value.value(values) if isinstance(value, Quotient) else complex(value)


def written(value: Any) -> Any:
    """Return a coefficient of either kind as SymPy has it."""
    if isinstance(value, Quotient):
        return value.to_sympy()
    import sympy

    number = complex(value)
    real = sympy.Float(number.real) if number.real else sympy.Integer(0)
    return real + sympy.I * sympy.Float(number.imag) if number.imag else real
