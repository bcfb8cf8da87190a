"""A taut cable through points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import distance
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import IN_TIME, End, EndKind, ListKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar.algebra import subtract, total


@dataclass(frozen=True)
class Cable(Constraint):
    """A massless cable of given length, straight between successive points, which slides through the inner ones.

    Its multiplier is the tension, which is uniform. The constraint is bilateral: a negative tension means that a real
    cable would be slack.

    >>> import gyrostat as gs
    >>> cable = gs.Cable("cable", ["a", "ground", "b"], length=2)
    """

    positive: ClassVar[tuple[str, ...]] = ("length",)
    points: tuple[End, ...] = value(ListKind(EndKind()), doc="the points through which the cable runs, in order")
    length: Quantity = value(QuantityKind(IN_TIME), doc="length of the whole cable (m), which may be a formula of t")

    def validate(self, place: Place) -> None:
        """Require at least two points, and a positive length."""
        super().validate(place)
        if len(self.points) < 2:
            place.inside("points").report(
                "a cable needs two points or more.", "Give both ends and the points between them."
            )
        for i, (a, b) in enumerate(pairwise(self.points), 1):
            if a == b:
                place.inside("points").inside(i).report(f"{a} comes twice in a row.", "Leave one of them out.")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the difference between the sum of all distances and the length."""
        run = total([distance(motion, a, b) for a, b in pairwise(self.points)])
        yield ConstraintRow(self.name, "tension", residual=subtract(motion.evaluate(self.length), run))
