"""Switch."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.edge import Edge, Linear, Role, across, through
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide


@dataclass(frozen=True)
class Switch(TwoTerminal):
    """A switch: a small resistance while a condition holds, otherwise a large one; steps end where it changes.

    >>> Switch("S", "a", "b", closed="sin(2000*pi*t) > 0.2").edges()[0].switches
    True
    """

    closed: Quantity = value(QuantityKind(LAW), doc="condition: a comparison of signals, or a number that is not zero")
    on: Quantity = value(QuantityKind(), 1e-3, doc="resistance of the closed switch (Ω)")
    off: Quantity = value(QuantityKind(), 1e6, doc="resistance of the open switch (Ω)")

    def validate(self, place: Place) -> None:
        """Require resistances."""
        for field in ("on", "off"):
            require_positive(place, field, getattr(self, field), "Give a positive resistance.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, whose equation gives either side."""

        def resistance(motion: Motion) -> Scalar:
            given = (motion.evaluate(each) for each in (self.closed, self.on, self.off))
            return motion.scalars.call("where", tuple(given))

        def conductance(motion: Motion) -> Scalar:
            return divide(1, resistance(motion))

        return (
            Edge(
                *(self.name, self.a, self.b, Role.RESISTOR),
                across=Linear(((through(self.name), resistance),)),
                through=Linear(((across(self.name), conductance),)),
                switches=True,
            ),
        )
