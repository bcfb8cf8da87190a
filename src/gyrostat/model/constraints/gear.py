"""A gear: two coordinates in a fixed ratio."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import Quantity, QuantityKind, ReferenceKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar.algebra import add, multiply, subtract


@dataclass(frozen=True)
class Gear(Constraint):
    """A linear relation of two coordinates: b = ratio·a + offset. External gears have the negative ratio −r_a/r_b.

    The multiplier is the load of the gear on coordinate b; the load on a is −ratio times the multiplier.

    >>> import gyrostat as gs
    >>> gear = gs.Gear("gear", "a", "b", ratio=-2)
    """

    a: str = value(ReferenceKind("coordinate"), doc="a joint or one of its coordinates, or a free rotor")
    b: str = value(ReferenceKind("coordinate"), doc="the joint or coordinate coupled to a")
    ratio: Quantity = value(QuantityKind(), doc="change of b per unit of a")
    offset: Quantity = value(QuantityKind(), 0, doc="value of b at a = 0")

    def validate(self, place: Place) -> None:
        """Require two different coordinates and a nonzero ratio."""
        if self.a == self.b:
            place.inside("b").report(f"it connects {self.a!r} to itself.", "Connect two different coordinates.")
        if self.ratio.number == 0:
            place.inside("ratio").report("the ratio is zero, so b could not move.", "Give r_a/r_b with its sign.")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield b − (ratio·a + offset)."""
        wanted = add(multiply(motion.evaluate(self.ratio), motion.coordinate(self.a)), motion.evaluate(self.offset))
        yield ConstraintRow(self.name, "load on b", residual=subtract(motion.coordinate(self.b), wanted), unit="N·m")

    @property
    def coordinate(self) -> str:
        """The coordinate b."""
        return self.b
