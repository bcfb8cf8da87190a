"""Tyre forces proportional to slip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.tyres.tyre_law import Slip, TyreForce, TyreLaw
from gyrostat.scalar.algebra import multiply, negate


@dataclass(frozen=True)
class LinearTyre(TyreLaw):
    """F_x = C_κ κ and F_y = C_α tan α, M_z = −t F_y; no limit by friction.

    >>> LinearTyre(1.6e5).longitudinal.number
    0
    """

    not_negative: ClassVar[tuple[str, ...]] = ("cornering", "longitudinal")
    cornering: Quantity = value(QuantityKind(), doc="cornering stiffness C_α (N/rad)")
    longitudinal: Quantity = value(QuantityKind(), 0, doc="stiffness of longitudinal slip C_κ (N)")
    trail: Quantity = value(QuantityKind(), 0, doc="pneumatic trail t by which the side force lags (m)")

    def force(self, slip: Slip) -> TyreForce:
        """Return the forces."""
        across = multiply(slip.evaluate(self.cornering), slip.across)
        along = multiply(slip.evaluate(self.longitudinal), slip.along)
        return TyreForce(along, across, negate(multiply(slip.evaluate(self.trail), across)))
