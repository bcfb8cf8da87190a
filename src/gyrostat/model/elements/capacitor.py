"""Capacitor."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Role, Storage
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value


@dataclass(frozen=True)
class Capacitor(TwoTerminal):
    """A capacitor, i = C v̇. In other domains: a tank, a heat capacity, a mass (with `b` the datum), an inertia.

    Where it closes a loop of capacitors and voltage sources its voltage follows from theirs and is no state.
    """

    capacitance: Quantity = value(QuantityKind(), doc="capacitance C (F)")
    initial: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="initial voltage; 0 unless given (V)")

    def validate(self, place: Place) -> None:
        """Require a capacitance."""
        require_positive(place, "capacitance", self.capacitance, "Leave the element out, or give its capacitance.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge."""
        storage = Storage(laws.of(self.capacitance), self.initial)
        return (Edge(self.name, self.a, self.b, Role.CAPACITOR, storage=storage),)
