"""Operational amplifier."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Expression, Function, Linear, Role, across
from gyrostat.model.elements.element import NODE, NetworkElement
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply


@dataclass(frozen=True)
class OperationalAmplifier(NetworkElement):
    """An operational amplifier, with the edges `name.input` from plus to minus and `name.output` to the common node.

    Without a gain it is ideal (a nullor): voltage and current of the input are zero. With a gain A the output is A v,
    or with a limit V of saturation V tanh(A v/V), and the input carries no current.
    """

    only_domain: ClassVar[str | None] = "electrical"
    plus: str = value(NODE, doc="node of the non-inverting input")
    minus: str = value(NODE, doc="node of the inverting input")
    output: str = value(NODE, doc="node of the output")
    common: str = value(NODE, doc="node to which the output voltage refers, mostly the datum")
    gain: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="gain A; ideal without")
    limit: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="largest output voltage (V)")

    def validate(self, place: Place) -> None:
        """Require a gain where there is a limit."""
        if self.limit is not None:
            require_positive(place, "limit", self.limit, "Give the largest output voltage.")
            if self.gain is None:
                place.inside("limit").report("an ideal amplifier has no limit.", "Give a gain, such as 1e5.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the input and the output."""
        entry, exit = self.part_name("input"), self.part_name("output")
        if self.gain is None:
            return (
                Edge(entry, self.plus, self.minus, Role.NULLATOR),
                Edge(exit, self.output, self.common, Role.NORATOR, supplies=True),
            )
        law: Expression = Linear(((across(entry), laws.of(self.gain)),))
        if self.limit is not None:
            law = Function((across(entry),), self._saturated)
        return (
            Edge(entry, self.plus, self.minus, Role.THROUGH_DRIVER, through=Linear()),
            Edge(exit, self.output, self.common, Role.ACROSS_DRIVER, across=law, supplies=True),
        )

    def _saturated(self, motion: Motion, v: Scalar) -> Scalar:
        assert self.gain is not None, "an ideal amplifier has no limit"
        assert self.limit is not None, "without a limit the edge is linear"
        limit = motion.evaluate(self.limit)
        part = divide(multiply(motion.evaluate(self.gain), v), limit)
        return multiply(limit, motion.scalars.call("tanh", (part,)))
