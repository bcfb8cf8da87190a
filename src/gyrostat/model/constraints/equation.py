"""A constraint given as an equation between coordinates and positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import POSITIONS, Constraint, ConstraintRow
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value


@dataclass(frozen=True)
class Equation(Constraint):
    """A formula of coordinates, components of positions and time is zero: "a1 + 2*a2 − 0.3*t", "bar.tip.y − h".

    Names are those of coordinates, and of points with their components x, y, z in world axes. Speeds are not allowed.
    The multiplier is the load on the quantity given by the formula, in the direction of its increase.

    >>> import gyrostat as gs
    >>> tie = gs.Equation("tie", "a1 - 2*a2")
    """

    residual: Quantity = value(QuantityKind(POSITIONS), doc="a formula of coordinates, positions and t that is zero")

    def validate(self, place: Place) -> None:
        """Require a formula that contains a name."""
        if not self.residual.names:
            place.inside("residual").report(
                f"{self.residual} contains no coordinate or position.", "Write a formula such as 'a1 - 2*a2'."
            )

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the value of the formula."""
        yield ConstraintRow(self.name, "load towards growth", residual=motion.evaluate(self.residual), unit="")
