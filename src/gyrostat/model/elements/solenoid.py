"""Solenoid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Role, Storage
from gyrostat.model.elements.transducer import Transducer
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, square


@dataclass(frozen=True)
class Solenoid(Transducer):
    """A coil whose inductance depends on a coordinate x: v = d(L i)/dt, and the force ½ L′(x) i².

    >>> Solenoid("magnet", "a", "g", "gap", "L0/(1 + gap/d)").edges()[0].role.name
    'INDUCTOR'
    """

    only_domain: ClassVar[str | None] = "electrical"
    inductance: Quantity = value(QuantityKind(LAW), doc="inductance L, a formula of the coordinate's name (H)")
    initial: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="initial current; 0 unless given (A)")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge, an inductor whose inductance changes by L′ ẋ."""

        def drift(motion: Motion) -> Scalar:
            return multiply(self._slope(motion), motion.speed(self.joint))

        storage = Storage(laws.of(self.inductance), self.initial, drift)
        return (Edge(self.name, self.a, self.b, Role.INDUCTOR, storage=storage),)

    def load(self, motion: Motion) -> Scalar:
        """Return ½ L′ i²."""
        return divide(multiply(self._slope(motion), square(motion.quantity(f"{self.name}.current"))), 2)

    def _slope(self, motion: Motion) -> Scalar:
        """Return L′(x)."""
        return laws.formula_slope(motion, self.inductance, {self.joint: 1})
