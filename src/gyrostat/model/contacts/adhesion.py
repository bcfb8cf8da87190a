"""Adhesion beside another normal law."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts.normal_law import NORMAL_LAWS, Indentation, NormalForce, NormalLaw
from gyrostat.model.kinds import Quantity, QuantityKind, TaggedKind
from gyrostat.model.record import value
from gyrostat.scalar.algebra import add, divide, multiply, subtract


@dataclass(frozen=True)
class Adhesion(NormalLaw):
    """Another normal law with a pull: F₀ where the bodies touch, falling to zero at a distance r of the surfaces.

    Friction has the load of the other law, without the pull.
    """

    positive: ClassVar[tuple[str, ...]] = ("range",)
    not_negative: ClassVar[tuple[str, ...]] = ("force",)
    law: NormalLaw = value(TaggedKind(lambda: NORMAL_LAWS), doc="the law of the pressure")
    force: Quantity = value(QuantityKind(), doc="pull F₀ in contact (N)")
    range: Quantity = value(QuantityKind(), doc="gap r at which the pull ends (m)")

    @property
    def remembers(self) -> bool:
        """Whether the other law does."""
        return self.law.remembers

    def normal(self, indentation: Indentation) -> NormalForce:
        """Return the pressure less the pull, F₀ (1 − gap/r) between r and touch, which stores energy."""
        call, gap = indentation.scalars.call, indentation.gap
        pull, reach = indentation.evaluate(self.force), indentation.evaluate(self.range)
        apart = call("max", (gap, 0))
        near = call("max", (subtract(reach, apart), 0))
        pressed = self.law.normal(indentation)
        share = divide(near, reach)
        energy = add(divide(multiply(share, near), 2), indentation.depth)
        return NormalForce(
            subtract(pressed.force, multiply(pull, share)),
            subtract(pressed.stored, multiply(pull, energy)),
            pressed.dissipation,
            pressed.friction_load,
            pressed.seat,
        )
