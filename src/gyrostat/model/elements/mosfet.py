"""MOSFET."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.edge import Edge, Function, Linear, Role, across
from gyrostat.model.elements.element import NODE, NetworkElement
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import ChoiceKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract


@dataclass(frozen=True)
class MOSFET(NetworkElement):
    """A MOSFET (Shichman and Hodges, SPICE level 1), bulk at the source, with the edges `name.ds` and `name.gs`.

    With v = v_GS − V_t > 0 the drain current is K (v v_DS − ½ v_DS²) (1 + λ v_DS) where v_DS < v, beyond that
    ½ K v² (1 + λ v_DS), and otherwise zero. Where v_DS is negative, drain and source change their parts. The gate
    carries no current.
    """

    only_domain: ClassVar[str | None] = "electrical"
    drain: str = value(NODE, doc="node of the drain")
    gate: str = value(NODE, doc="node of the gate")
    source: str = value(NODE, doc="node of the source")
    transconductance: Quantity = value(QuantityKind(), doc="transconductance parameter K (A/V²)")
    threshold: Quantity = value(QuantityKind(), doc="threshold voltage V_t (V)")
    modulation: Quantity = value(QuantityKind(), 0, doc="channel-length modulation λ (1/V)")
    channel: str = value(ChoiceKind(("n", "p")), "n", doc="n or p; of a p channel all signs are reversed", keyword=True)

    def validate(self, place: Place) -> None:
        """Require a transconductance."""
        require_positive(place, "transconductance", self.transconductance, "Give a positive number.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the channel and the gate."""
        ds, gs = self.part_name("ds"), self.part_name("gs")
        law = Function((across(ds), across(gs)), self._channel)
        return (
            Edge(ds, self.drain, self.source, Role.NONLINEAR, through=law, switches=True),
            Edge(gs, self.gate, self.source, Role.THROUGH_DRIVER, through=Linear()),
        )

    def _channel(self, motion: Motion, v_ds: Scalar, v_gs: Scalar) -> Scalar:
        """Return the current from drain to source; the part of the source is taken by the lower end."""
        scalars = motion.scalars
        if self.channel == "p":
            v_ds, v_gs = negate(v_ds), negate(v_gs)
        size = scalars.call("abs", (v_ds,))
        gate = add(v_gs, scalars.call("max", (negate(v_ds), scalars.constant(0))))
        excess = scalars.call("max", (subtract(gate, motion.evaluate(self.threshold)), scalars.constant(0)))
        used = scalars.call("min", (size, excess))
        channel = subtract(multiply(excess, used), divide(square(used), 2))
        rising = add(1, multiply(motion.evaluate(self.modulation), size))
        current = multiply(multiply(motion.evaluate(self.transconductance), channel), rising)
        current = multiply(scalars.call("sign", (v_ds,)), current)
        return negate(current) if self.channel == "p" else current
