"""Tyre laws, one file each: forces in the ground plane from slip and load. A new law is listed here.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.tyres.tyre_law import TYRE_LAWS, Slip, TyreForce, TyreLaw

if TYPE_CHECKING:
    from gyrostat.model.tyres.linear_tyre import LinearTyre
    from gyrostat.model.tyres.magic_formula import MagicCurve, MagicFormula
    from gyrostat.model.tyres.tyre_formula import TyreFormula

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

_KINDS = {
    "linear_tyre": ("LinearTyre",),
    "magic_formula": ("MagicFormula",),
    "tyre_formula": ("TyreFormula",),
}

__getattr__ = names_from(__name__, _KINDS, {"magic_formula": ("MagicCurve",)})
TYRE_LAWS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
