"""Valve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.edge import Edge, Function, Role, across
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.switches import switches_of
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, square


@dataclass(frozen=True)
class Valve(TwoTerminal):
    """A valve or orifice with a variable opening, q = K u Δp/(Δp² + p_t²)^(1/4); closed where the opening is zero.

    Beyond the transition pressure p_t this is turbulent flow, q = K u √|Δp| sign Δp, below it laminar flow.

    >>> Valve("v", "a", "b", 1e-7, "max(lever, 0)").edges()[0].role.name
    'NONLINEAR'
    """

    only_domain: ClassVar[str | None] = "hydraulic"
    conductance: Quantity = value(QuantityKind(), doc="flow K of the open valve per root of pressure (m³/s/√Pa)")
    opening: Quantity = value(QuantityKind(LAW), 1, doc="opening u, from 0 to 1")
    transition: Quantity = value(QuantityKind(), 1e4, doc="pressure p_t between laminar and turbulent flow (Pa)")

    def validate(self, place: Place) -> None:
        """Require positive values."""
        for field in ("conductance", "transition"):
            require_positive(place, field, getattr(self, field), "Give a positive number.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, whose equation gives the flow."""
        law = Function((across(self.name),), self._flow)
        switches = any(True for _ in switches_of(self.opening))
        return (Edge(self.name, self.a, self.b, Role.NONLINEAR, through=law, switches=switches),)

    def _flow(self, motion: Motion, p: Scalar) -> Scalar:
        size = add(square(p), square(motion.evaluate(self.transition)))
        root = motion.scalars.call("sqrt", (motion.scalars.call("sqrt", (size,)),))
        factor = multiply(motion.evaluate(self.conductance), motion.evaluate(self.opening))
        return divide(multiply(factor, p), root)
