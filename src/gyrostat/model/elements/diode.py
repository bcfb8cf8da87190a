"""Diode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.edge import Edge, Function, Role, across
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.elements.junction import junction_current
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Diode(TwoTerminal):
    """A diode from anode a to cathode b, i = I_s (exp(v/(n V_T)) − 1) (Shockley)."""

    only_domain: ClassVar[str | None] = "electrical"
    saturation: Quantity = value(QuantityKind(), 1e-14, doc="saturation current I_s (A)")
    emission: Quantity = value(QuantityKind(), 1, doc="emission coefficient n")
    thermal: Quantity = value(QuantityKind(), 0.02585, doc="thermal voltage V_T (V)")

    def validate(self, place: Place) -> None:
        """Require positive values."""
        for field in ("saturation", "emission", "thermal"):
            require_positive(place, field, getattr(self, field), "Give a positive number.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, whose equation gives the current."""

        def current(motion: Motion, v: Scalar) -> Scalar:
            return junction_current(motion, v, self.saturation, self.emission, self.thermal)

        return (Edge(self.name, self.a, self.b, Role.NONLINEAR, through=Function((across(self.name),), current)),)
