"""Bipolar transistor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.edge import Edge, Expression, Function, Role, Variable, across
from gyrostat.model.elements.element import NODE, NetworkElement
from gyrostat.model.elements.junction import junction_current
from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import ChoiceKind, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, negate, subtract

_ONE = Formula.of(1)


@dataclass(frozen=True)
class BipolarTransistor(NetworkElement):
    """A bipolar transistor (Ebers and Moll), with the edges `name.be` and `name.bc` from the base.

    With i_F = I_ES (exp(v_BE/V_T) − 1) and i_R = I_CS (exp(v_BC/V_T) − 1), I_CS = α_F I_ES/α_R, the edges carry
    i_F − α_R i_R and i_R − α_F i_F. Without a reverse gain there is no i_R: the transistor is never saturated. In a
    pnp transistor all voltages and currents have the opposite sign.
    """

    only_domain: ClassVar[str | None] = "electrical"
    collector: str = value(NODE, doc="node of the collector")
    base: str = value(NODE, doc="node of the base")
    emitter: str = value(NODE, doc="node of the emitter")
    saturation: Quantity = value(QuantityKind(), 1e-14, doc="saturation current I_ES of the emitter junction (A)")
    forward: Quantity = value(QuantityKind(), 0.99, doc="forward gain α_F, collector per emitter current")
    reverse: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="reverse gain α_R")
    thermal: Quantity = value(QuantityKind(), 0.02585, doc="thermal voltage V_T (V)")
    polarity: str = value(ChoiceKind(("npn", "pnp")), "npn", doc="npn or pnp", keyword=True)

    def validate(self, place: Place) -> None:
        """Require positive values."""
        for field in ("saturation", "forward", "thermal"):
            require_positive(place, field, getattr(self, field), "Give a positive number.")
        if self.reverse is not None:
            require_positive(place, "reverse", self.reverse, "Leave it out for a transistor that never saturates.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edges from the base to the emitter and to the collector."""
        be, bc = self.part_name("be"), self.part_name("bc")
        needs: tuple[Variable, ...] = (across(be),) if self.reverse is None else (across(be), across(bc))
        role = Role.THROUGH_DRIVER if self.reverse is None else Role.NONLINEAR
        emitter: Expression = Function(needs, self._emitter_edge)
        collector: Expression = Function(needs, self._collector_edge)
        return (
            Edge(be, self.base, self.emitter, Role.NONLINEAR, through=emitter),
            Edge(bc, self.base, self.collector, role, through=collector),
        )

    def _junctions(self, motion: Motion, voltages: tuple[Scalar, ...]) -> tuple[Scalar, Scalar]:
        """Return i_F and i_R."""
        turned = [negate(v) if self.polarity == "pnp" else v for v in voltages]
        forward = junction_current(motion, turned[0], self.saturation, _ONE, self.thermal)
        if self.reverse is None:
            return forward, 0
        factor = divide(motion.evaluate(self.forward), motion.evaluate(self.reverse))
        return forward, multiply(factor, junction_current(motion, turned[1], self.saturation, _ONE, self.thermal))

    def _emitter_edge(self, motion: Motion, *voltages: Scalar) -> Scalar:
        forward, backward = self._junctions(motion, voltages)
        gain = 0 if self.reverse is None else motion.evaluate(self.reverse)
        return self._signed(subtract(forward, multiply(gain, backward)))

    def _collector_edge(self, motion: Motion, *voltages: Scalar) -> Scalar:
        forward, backward = self._junctions(motion, voltages)
        return self._signed(subtract(backward, multiply(motion.evaluate(self.forward), forward)))

    def _signed(self, current: Scalar) -> Scalar:
        return negate(current) if self.polarity == "pnp" else current
