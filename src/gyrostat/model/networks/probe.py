"""A motion of plain numbers, at which pivots are chosen: known parameters, and arbitrary values for other names."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from gyrostat.errors import GyrostatError
from gyrostat.model.forces import PointMotion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.scalar import FloatScalars

Formed = TypeVar("Formed")


@dataclass(frozen=True)
class Probe:
    """Numbers for all names; those that are no parameters lie between 0.5 and 1.5."""

    parameters: Mapping[str, float]

    @property
    def scalars(self) -> FloatScalars:
        """The engine of floats."""
        return FloatScalars()

    def quantity(self, name: str) -> float:
        """Return the value of a parameter, or an arbitrary number that depends on the name alone."""
        if name in self.parameters:
            return self.parameters[name]
        return 0.5 + zlib.crc32(name.encode()) / 2**32

    def coordinate(self, name: str) -> float:
        """Return an arbitrary number."""
        return self.quantity(name)

    def speed(self, name: str) -> float:
        """Return an arbitrary number."""
        return self.quantity(f"{name}.rate")

    def input(self, name: str) -> float:
        """Return an arbitrary number."""
        return self.quantity(name)

    def end(self, end: End) -> PointMotion:
        """Refuse: laws of networks do not depend on places of bodies."""
        raise GyrostatError(f"The law of an element of a network depends on the place {end}. Use a signal by its name.")

    def once(self, name: str, form: Callable[[], Formed]) -> Formed:
        """Return what a function forms."""
        return form()

    def evaluate(self, formula: Formula, **variables: float) -> float:
        """Return the value of a formula; where it has none, an arbitrary number."""
        try:
            return float(formula.evaluate(self.scalars, lambda name: variables.get(name, self.quantity(name))))
        except (ValueError, ArithmeticError):
            return self.quantity(str(formula))
