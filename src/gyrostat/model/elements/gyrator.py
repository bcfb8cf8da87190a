"""Gyrator."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Relation, Role, across, through
from gyrostat.model.elements.ports import TwoPort
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value


@dataclass(frozen=True)
class Gyrator(TwoPort):
    """A gyrator, v₁ = r i₂ and v₂ = −r i₁.

    A motor, v = K ω and τ = K i, is a `Transformer` between networks: velocities are the across variables of mechanics.
    """

    resistance: Quantity = value(QuantityKind(LAW), doc="gyration resistance r (Ω)")

    def edges(self) -> tuple[Edge, ...]:
        """Return the two ports."""
        return (
            Edge(self.first, self.a, self.b, Role.COUPLED),
            Edge(self.second, self.c, self.d, Role.COUPLED),
        )

    def relations(self) -> tuple[Relation, ...]:
        """Return v₁ − r i₂ = 0 and v₂ + r i₁ = 0."""
        r, minus = laws.of(self.resistance), laws.negative(self.resistance)
        one = Linear(((across(self.first), laws.one), (through(self.second), minus)))
        two = Linear(((across(self.second), laws.one), (through(self.first), r)))
        return Relation(self.name, one), Relation(self.name, two)
