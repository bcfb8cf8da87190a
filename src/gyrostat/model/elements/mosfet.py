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
        """Return the channel and the gate.

        The law is continuously differentiable, so that steps need not end where its conditions change.
        """
        ds, gs = self.part_name("ds"), self.part_name("gs")
        law = Function((across(ds), across(gs)), self._channel)
        return (
            Edge(ds, self.drain, self.source, Role.NONLINEAR, through=law),
            Edge(gs, self.gate, self.source, Role.THROUGH_DRIVER, through=Linear()),
        )

    def _channel(self, motion: Motion, v_ds: Scalar, v_gs: Scalar) -> Scalar:
        """Return ½ K (max(v_GS − V_t, 0)² − max(v_GD − V_t, 0)²) (1 + λ |v_DS|): all cases, in both directions."""
        scalars = motion.scalars
        if self.channel == "p":
            v_ds, v_gs = negate(v_ds), negate(v_gs)
        threshold, zero = motion.evaluate(self.threshold), scalars.constant(0)
        at_source, at_drain = (
            scalars.call("max", (subtract(gate, threshold), zero)) for gate in (v_gs, subtract(v_gs, v_ds))
        )
        channel = divide(subtract(square(at_source), square(at_drain)), 2)
        current = multiply(motion.evaluate(self.transconductance), channel)
        if self.modulation.number != 0:
            longer = multiply(motion.evaluate(self.modulation), scalars.call("abs", (v_ds,)))
            current = multiply(current, add(1, longer))
        return negate(current) if self.channel == "p" else current
