"""Tangents: values with their differentials (forward differentiation), over any engine.

Unlike jets they have no second derivative, so that changes that are sums over many symbols stay sums.
"""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.scalar.algebra import add, divide, known_value, multiply, negate, square, subtract
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.scalar.operations import Scalar, Scalars


@dataclass(frozen=True, eq=False)
class Tangent:
    """x and dx."""

    value: Scalar
    slope: Scalar = 0

    def known_value(self) -> float | None:
        """Return x, where that is known while the formula is formed."""
        return known_value(self.value)

    def __add__(self, other: Scalar) -> Tangent:
        if isinstance(other, Jet):
            return NotImplemented
        b = as_tangent(other)
        return Tangent(add(self.value, b.value), add(self.slope, b.slope))

    __radd__ = __add__

    def __neg__(self) -> Tangent:
        return Tangent(negate(self.value), negate(self.slope))

    def __sub__(self, other: Scalar) -> Tangent:
        if isinstance(other, Jet):
            return NotImplemented
        b = as_tangent(other)
        return Tangent(subtract(self.value, b.value), subtract(self.slope, b.slope))

    def __rsub__(self, other: Scalar) -> Tangent:
        return as_tangent(other) - self

    def __mul__(self, other: Scalar) -> Tangent:
        if isinstance(other, Jet):
            return NotImplemented
        if not isinstance(other, Tangent):
            return Tangent(multiply(self.value, other), multiply(self.slope, other))
        return Tangent(
            multiply(self.value, other.value),
            add(multiply(self.slope, other.value), multiply(self.value, other.slope)),
        )

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Tangent:
        if isinstance(other, Jet):
            return NotImplemented
        b = as_tangent(other)
        quotient = divide(self.value, b.value)
        return Tangent(quotient, divide(subtract(self.slope, multiply(quotient, b.slope)), b.value))

    def __rtruediv__(self, other: Scalar) -> Tangent:
        return as_tangent(other) / self


def as_tangent(value: Scalar) -> Tangent:
    """Return a tangent; anything else does not change."""
    return value if isinstance(value, Tangent) else Tangent(value)


class TangentScalars:
    """An engine of tangents over another engine; functions use the chain rule of jets."""

    def __init__(self, base: Scalars) -> None:
        self.base = base
        self._jets = JetScalars(base)

    def constant(self, value: int | float) -> Scalar:
        """Return a number."""
        return self.base.constant(value)

    def pi(self) -> Scalar:
        """Return π."""
        return self.base.pi()

    def power(self, base: Scalar, exponent: Scalar) -> Scalar:
        """Return base**exponent."""
        if exponent == 2 and isinstance(base, Tangent):
            return square(base)
        return _tangent(self._jets.power(_jet(base), _jet(exponent)))

    def call(self, function: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Apply an elementary function."""
        return _tangent(self._jets.call(function, tuple(_jet(argument) for argument in arguments)))

    def compare(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        """Compare values."""
        return self.base.compare(operator, as_tangent(left).value, as_tangent(right).value)

    def logic(self, operator: str, arguments: tuple[Scalar, ...]) -> Scalar:
        """Combine truth values."""
        return self.base.logic(operator, tuple(as_tangent(argument).value for argument in arguments))


def _jet(value: Scalar) -> Scalar:
    return Jet(value.value, value.slope) if isinstance(value, Tangent) else value


def _tangent(value: Scalar) -> Scalar:
    if not isinstance(value, Jet):
        return value
    jet = as_jet(value)
    return Tangent(jet.value, jet.rate)
