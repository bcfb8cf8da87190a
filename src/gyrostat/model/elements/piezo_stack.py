"""Piezo stack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.elements import laws
from gyrostat.model.elements.edge import Edge, Linear, Role, Storage
from gyrostat.model.elements.transducer import Transducer
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply


@dataclass(frozen=True)
class PiezoStack(Transducer):
    """A piezo stack on a slide, i = C v̇ + α ẋ and F = α v, with the edges `name.charge` and `name.motion`.

    C is the capacitance of the clamped stack. Its stiffness is a spring of its own.
    """

    only_domain: ClassVar[str | None] = "electrical"
    capacitance: Quantity = value(QuantityKind(), doc="capacitance C of the clamped stack (F)")
    coupling: Quantity = value(QuantityKind(), doc="coupling α (N/V = A·s/m)")
    initial: Quantity | None = value(OptionalKind(QuantityKind()), None, doc="initial voltage; 0 unless given (V)")

    def validate(self, place: Place) -> None:
        """Require a capacitance."""
        require_positive(place, "capacitance", self.capacitance, "Give the capacitance of the clamped stack.")

    def edges(self) -> tuple[Edge, ...]:
        """Return the capacitor and the current by motion."""

        def current(motion: Motion) -> Scalar:
            return multiply(motion.evaluate(self.coupling), motion.speed(self.joint))

        charge, by_motion = self.part_name("charge"), self.part_name("motion")
        storage = Storage(laws.of(self.capacitance), self.initial)
        return (
            Edge(charge, self.a, self.b, Role.CAPACITOR, storage=storage),
            Edge(by_motion, self.a, self.b, Role.THROUGH_DRIVER, through=Linear(constant=current)),
        )

    def load(self, motion: Motion) -> Scalar:
        """Return α v."""
        return multiply(motion.evaluate(self.coupling), motion.quantity(f"{self.part_name('charge')}.voltage"))
