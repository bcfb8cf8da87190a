"""Resistor."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Role, across, through
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.record import value


@dataclass(frozen=True)
class Resistor(TwoTerminal):
    """A resistor, v = R i; the resistance may vary with time and with the motion of a mechanism.

    >>> Resistor("R2", "a", "b", 1000).edges()[0].role.name
    'RESISTOR'
    """

    resistance: Quantity = value(QuantityKind(LAW), doc="resistance R, across per through variable (Ω)")

    def validate(self, place: Place) -> None:
        """Require a resistance."""
        if self.resistance.number == 0:
            remedy = "Join the two nodes, or measure the current by an Ammeter."
            place.inside("resistance").report("the resistance is zero.", remedy)

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, whose equation gives either side."""
        name = self.name
        return (
            Edge(
                *(name, self.a, self.b, Role.RESISTOR),
                across=Linear(((through(name), laws.of(self.resistance)),)),
                through=Linear(((across(name), laws.reciprocal(self.resistance)),)),
            ),
        )
