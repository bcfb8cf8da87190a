"""Motor, generator or voice coil."""

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
class Motor(Transducer):
    """An ideal motor or generator on a coordinate, v = K ω and τ = K i; on a slide a voice coil.

    Resistance, inductance and inertia are elements and bodies of their own. The constant may vary with the position, as
    that of a voice coil does.
    """

    only_domain: ClassVar[str | None] = "electrical"
    constant: Quantity = value(QuantityKind(LAW), doc="constant K (N·m/A = V·s/rad; on a slide N/A = V·s/m)")

    def edges(self) -> tuple[Edge, ...]:
        """Return the edge with the back-EMF."""

        def back_emf(motion: Motion) -> Scalar:
            return multiply(motion.evaluate(self.constant), motion.speed(self.joint))

        return (Edge(self.name, self.a, self.b, Role.ACROSS_DRIVER, across=Linear(constant=back_emf)),)

    def load(self, motion: Motion) -> Scalar:
        """Return K i."""
        return multiply(motion.evaluate(self.constant), motion.quantity(f"{self.name}.current"))
