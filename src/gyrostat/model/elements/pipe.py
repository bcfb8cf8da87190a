"""Pipe or valve."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.elements.edge import Edge, Function, Role, across, through
from gyrostat.model.elements.element import TwoTerminal
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract


@dataclass(frozen=True)
class Pipe(TwoTerminal):
    """A pipe, orifice or valve, Δp = k |q|ⁿ sign q; the coefficient may vary, as that of a valve does.

    Where flow reverses, the flow that a pressure causes has an infinite slope, which takes many steps. With a
    transition pressure p_t, q = Δp (Δp² + p_t²)^((1/n − 1)/2) / k^(1/n) is laminar below it.
    """

    coefficient: Quantity = value(QuantityKind(LAW), doc="coefficient k (Pa per (m³/s)ⁿ)")
    exponent: Quantity = value(QuantityKind(), 2, doc="exponent n: 1 for laminar, 2 for turbulent flow")

    transition: Quantity = value(QuantityKind(), 0, doc="pressure p_t below which flow is laminar (Pa); 0 for none")

    def validate(self, place: Place) -> None:
        """Require positive values."""
        for field in ("coefficient", "exponent"):
            require_positive(place, field, getattr(self, field), "Give a positive number.")
        if self.transition.number != 0:
            require_positive(place, "transition", self.transition, "Give a positive pressure, or 0 for none.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, whose equation gives either side; with a transition, the flow."""
        if self.transition.number != 0:
            law = Function((across(self.name),), self._smooth_flow)
            return (Edge(self.name, self.a, self.b, Role.NONLINEAR, through=law),)
        return (
            Edge(
                *(self.name, self.a, self.b, Role.NONLINEAR),
                across=Function((through(self.name),), self._pressure),
                through=Function((across(self.name),), self._flow),
                switches=True,
            ),
        )

    def _pressure(self, motion: Motion, q: Scalar) -> Scalar:
        call = motion.scalars.call
        size = motion.scalars.power(call("abs", (q,)), motion.evaluate(self.exponent))
        return multiply(multiply(motion.evaluate(self.coefficient), size), call("sign", (q,)))

    def _flow(self, motion: Motion, p: Scalar) -> Scalar:
        call = motion.scalars.call
        part = divide(call("abs", (p,)), motion.evaluate(self.coefficient))
        if self.exponent.number == 2:
            size = call("sqrt", (part,))
        else:
            size = motion.scalars.power(part, divide(1, motion.evaluate(self.exponent)))
        return multiply(size, call("sign", (p,)))

    def _smooth_flow(self, motion: Motion, p: Scalar) -> Scalar:
        """Return Δp (Δp² + p_t²)^((1/n − 1)/2) / k^(1/n)."""
        power, inverse = motion.scalars.power, divide(1, motion.evaluate(self.exponent))
        size = power(add(square(p), square(motion.evaluate(self.transition))), divide(subtract(inverse, 1), 2))
        return divide(multiply(p, size), power(motion.evaluate(self.coefficient), inverse))
