"""A rack and pinion."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import Quantity, QuantityKind, ReferenceKind
from gyrostat.model.record import value
from gyrostat.scalar.algebra import add, multiply, subtract


@dataclass(frozen=True)
class RackPinion(Constraint):
    """A rack and its pinion in mesh: rack = radius·pinion + offset.

    The multiplier is the force on the rack along its coordinate. To change the sense, reverse the axis of one of the
    joints.
    """

    positive: ClassVar[tuple[str, ...]] = ("radius",)
    pinion: str = value(ReferenceKind("coordinate"), doc="the joint, or the coordinate, of the pinion's rotation")
    rack: str = value(ReferenceKind("coordinate"), doc="the joint, or the coordinate, of the rack's translation")
    radius: Quantity = value(QuantityKind(), doc="pitch radius of the pinion (m)")
    offset: Quantity = value(QuantityKind(), 0, doc="displacement of the rack at the pinion's angle zero (m)")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield rack − (radius·pinion + offset)."""
        arc = multiply(motion.evaluate(self.radius), motion.coordinate(self.pinion))
        wanted = add(arc, motion.evaluate(self.offset))
        yield ConstraintRow(self.name, "force on the rack", residual=subtract(motion.coordinate(self.rack), wanted))
