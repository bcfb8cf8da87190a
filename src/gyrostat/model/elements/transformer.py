"""Ideal transformer."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Relation, Role, across, through
from gyrostat.model.elements.ports import TwoPort
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value


@dataclass(frozen=True)
class Transformer(TwoPort):
    """An ideal transformer, v₁ = n v₂ and i₂ = −n i₁; between domains a lever, a piston, a rack and pinion."""

    ratio: Quantity = value(QuantityKind(LAW), doc="ratio n")

    def edges(self) -> tuple[Edge, ...]:
        """Return the two ports."""
        return (
            Edge(self.first, self.a, self.b, Role.COUPLED),
            Edge(self.second, self.c, self.d, Role.COUPLED),
        )

    def relations(self) -> tuple[Relation, ...]:
        """Return v₁ − n v₂ = 0 and i₂ + n i₁ = 0."""
        ratio = laws.of(self.ratio)
        voltages = Linear(((across(self.first), laws.one), (across(self.second), laws.negative(self.ratio))))
        currents = Linear(((through(self.second), laws.one), (through(self.first), ratio)))
        return Relation(self.name, voltages), Relation(self.name, currents)
