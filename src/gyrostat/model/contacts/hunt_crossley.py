"""Hunt–Crossley contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.contacts.normal_law import Indentation
from gyrostat.model.contacts.restoring_law import PowerLaw, RestoringLaw
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value


@dataclass(frozen=True)
class HuntCrossley(RestoringLaw):
    """F = k dⁿ (1 + χ ḋ) at the depth d (Hunt and Crossley 1975): continuous at touch, with the restitution asked for.

    >>> HuntCrossley(1e8, restitution=0.8).remembers
    True
    >>> HuntCrossley(1e8, restitution=0.8, speed=2.0).remembers
    False
    """

    positive: ClassVar[tuple[str, ...]] = ("stiffness", "exponent", "speed", "rest_speed")
    stiffness: Quantity = value(QuantityKind(), doc="stiffness k (N/mⁿ)")
    exponent: Quantity = value(QuantityKind(), 1.5, doc="exponent n of the depth; 3/2 for round bodies")

    def elastic(self, indentation: Indentation) -> PowerLaw:
        """Return k and n."""
        return PowerLaw(indentation.evaluate(self.stiffness), indentation.evaluate(self.exponent))
