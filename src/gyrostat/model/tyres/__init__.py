"""Tyre laws, one file each: forces in the ground plane from slip and load. A new law is added here by one line."""

from gyrostat.model.tyres.linear_tyre import LinearTyre
from gyrostat.model.tyres.magic_formula import MagicCurve, MagicFormula
from gyrostat.model.tyres.tyre_formula import TyreFormula
from gyrostat.model.tyres.tyre_law import TYRE_LAWS, Slip, TyreForce, TyreLaw

for _law in (LinearTyre, MagicFormula, TyreFormula):
    TYRE_LAWS.add(_law)

__all__ = [
    "TYRE_LAWS",
    "LinearTyre",
    "MagicCurve",
    "MagicFormula",
    "Slip",
    "TyreForce",
    "TyreFormula",
    "TyreLaw",
]
