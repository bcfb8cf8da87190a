"""Piston: cylinder, hydraulic pump or motor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements.edge import Edge, Linear, Role
from gyrostat.model.elements.transducer import Transducer
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply


@dataclass(frozen=True)
class Piston(Transducer):
    """A hydraulic cylinder on a slide, q = A ẋ and F = A Δp; on a shaft a pump or motor with its displacement.

    The flow enters at a and leaves at b. Each chamber needs a capacitance, the compressibility of its oil.
    """

    only_domain: ClassVar[str | None] = "hydraulic"
    area: Quantity = value(QuantityKind(LAW), doc="area A (m²); on a shaft the displacement (m³/rad)")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge with the flow."""

        def flow(motion: Motion) -> Scalar:
            return multiply(motion.evaluate(self.area), motion.speed(self.joint))

        return (Edge(self.name, self.a, self.b, Role.THROUGH_DRIVER, through=Linear(constant=flow)),)

    def load(self, motion: Motion) -> Scalar:
        """Return A Δp."""
        return multiply(motion.evaluate(self.area), motion.quantity(f"{self.name}.pressure"))
