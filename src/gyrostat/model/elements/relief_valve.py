"""Relief valve or check valve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.edge import Edge, Function, Role, across
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, subtract


@dataclass(frozen=True)
class ReliefValve(TwoTerminal):
    """A valve that opens by itself, q = K max(Δp − p_0, 0); without an opening pressure p_0 a check valve.

    Steps end where it opens and closes.
    """

    only_domain: ClassVar[str | None] = "hydraulic"
    conductance: Quantity = value(QuantityKind(), doc="flow K per pressure beyond that of opening (m³/s/Pa)")
    pressure: Quantity = value(QuantityKind(), 0, doc="pressure p_0 at which it opens (Pa)")

    def validate(self, place: Place) -> None:
        """Require a conductance."""
        require_positive(place, "conductance", self.conductance, "Give a positive number.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, whose equation gives the flow."""
        law = Function((across(self.name),), self._flow)
        return (Edge(self.name, self.a, self.b, Role.NONLINEAR, through=law, switches=True),)

    def _flow(self, motion: Motion, p: Scalar) -> Scalar:
        excess = subtract(p, motion.evaluate(self.pressure))
        open_by = motion.scalars.call("max", (excess, motion.scalars.constant(0)))
        return multiply(motion.evaluate(self.conductance), open_by)
