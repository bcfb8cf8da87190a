"""Inductor."""

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
class Inductor(TwoTerminal):
    """An inductor, v = L i̇. In other domains: the inertance of a pipe, a spring of stiffness 1/L.

    Where it is in a cutset of inductors and current sources its current follows from theirs and is no state.
    """

    inductance: Quantity = value(QuantityKind(), doc="inductance L (H)")
    initial: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="initial current; 0 unless given (A)")

    def validate(self, place: Place) -> None:
        """Require an inductance."""
        require_positive(place, "inductance", self.inductance, "Leave the element out, or give its inductance.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge."""
        storage = Storage(laws.of(self.inductance), self.initial)
        return (Edge(self.name, self.a, self.b, Role.INDUCTOR, storage=storage),)
