"""A massless rod between two points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import distance
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import IN_TIME, End, EndKind, Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.scalar.algebra import subtract


@dataclass(frozen=True)
class Distance(Constraint):
    """A given distance between two points: a massless rod with ball joints. Its multiplier is the tension."""

    positive: ClassVar[tuple[str, ...]] = ("length",)
    a: End = value(EndKind(), doc="one end")
    b: End = value(EndKind(), doc="the other end")
    length: Quantity = value(QuantityKind(IN_TIME), doc="distance between the ends (m), which may be a formula of t")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield the difference between distance and length."""
        length = motion.evaluate(self.length)
        yield ConstraintRow(self.name, "tension", residual=subtract(length, distance(motion, self.a, self.b)))
