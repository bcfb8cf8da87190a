"""Coefficients that are formed of others."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Coefficient
from gyrostat.model.forces import Motion
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, negate


@dataclass(frozen=True)
class Ratio:
    """sign·a/b, times a further factor."""

    a: Coefficient
    b: Coefficient
    sign: int
    factor: Coefficient = laws.one

    def __call__(self, motion: Motion) -> Scalar:
        """Return the value at an instant."""
        value = multiply(divide(self.a(motion), self.b(motion)), self.factor(motion))
        return value if self.sign > 0 else negate(value)


@dataclass(frozen=True)
class Signed:
    """sign·a."""

    a: Coefficient
    sign: int

    def __call__(self, motion: Motion) -> Scalar:
        """Return the value at an instant."""
        value = self.a(motion)
        return value if self.sign > 0 else negate(value)
