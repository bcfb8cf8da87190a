"""A motion whose quantities carry their rates, at which terminal equations are differentiated with respect to time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from gyrostat.errors import GyrostatError
from gyrostat.model.elements.edge import Coefficient
from gyrostat.model.forces import Motion, PointMotion
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar
from gyrostat.scalar.tangents import Tangent, TangentScalars

Formed = TypeVar("Formed")


@dataclass(frozen=True)
class KnownRates:
    """The names whose rates a network can form: inputs by inputs of their own, coordinates by speeds, and the time."""

    constants: frozenset[str] = frozenset()
    inputs: frozenset[str] = frozenset()
    coordinates: frozenset[str] = frozenset()

    def __contains__(self, name: str) -> bool:
        return name == TIME or name in self.constants or name in self.inputs or name in self.coordinates

    def of(self, name: str, motion: Motion) -> Scalar:
        """Return the rate of a quantity at an instant; that of a parameter is zero."""
        if name == TIME:
            return 1
        if name in self.inputs:
            return motion.input(f"{name}.rate")
        return motion.speed(name) if name in self.coordinates else 0


@dataclass(frozen=True)
class VaryingMotion:
    """A motion over tangents: every quantity with its rate."""

    motion: Motion
    rates: KnownRates

    @property
    def scalars(self) -> TangentScalars:
        """The engine of tangents."""
        return TangentScalars(self.motion.scalars)

    def quantity(self, name: str) -> Tangent:
        """Return a quantity with its rate."""
        return Tangent(self.motion.evaluate(Formula.of(name)), self.rates.of(name, self.motion))

    coordinate = input = quantity

    def speed(self, name: str) -> Scalar:
        """Refuse: the rate of a speed depends on the network."""
        raise GyrostatError(f"The rate of the speed of {name!r} is not known where a network is differentiated.")

    def end(self, end: End) -> PointMotion:
        """Refuse: laws of networks do not depend on places of bodies."""
        raise GyrostatError(f"The law of an element of a network depends on the place {end}. Use a signal by its name.")

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms."""
        return form()

    def evaluate(self, formula: Formula, **variables: Scalar) -> Scalar:
        """Return the value of a formula with its rate."""
        return formula.evaluate(
            self.scalars, lambda name: variables[name] if name in variables else self.quantity(name)
        )


def slope(value: Scalar) -> Scalar:
    """Return the rate that a value carries; numbers are constant."""
    return value.slope if isinstance(value, Tangent) else 0


@dataclass(frozen=True)
class Slope:
    """The rate of a coefficient."""

    coefficient: Coefficient
    rates: KnownRates

    def __call__(self, motion: Motion) -> Scalar:
        """Return the rate at an instant."""
        return slope(self.coefficient(VaryingMotion(motion, self.rates)))


@dataclass(frozen=True)
class FunctionSlope:
    """The rate of a nonlinear function of network variables: of their values, then of their rates."""

    form: Callable[..., Scalar]
    rates: KnownRates

    def __call__(self, motion: Motion, *given: Scalar) -> Scalar:
        """Return the rate at an instant."""
        half = len(given) // 2
        values = (Tangent(value, rate) for value, rate in zip(given[:half], given[half:], strict=True))
        return slope(self.form(VaryingMotion(motion, self.rates), *values))
