"""Normal laws of contacts and the geometry of surfaces, one file each. A new law is listed here.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.contacts.normal_law import NORMAL_LAWS, Indentation, NormalForce, NormalLaw

if TYPE_CHECKING:
    from gyrostat.model.contacts.adhesion import Adhesion
    from gyrostat.model.contacts.hertz import Hertz
    from gyrostat.model.contacts.hunt_crossley import HuntCrossley
    from gyrostat.model.contacts.kelvin_voigt import KelvinVoigt
    from gyrostat.model.contacts.normal_formula import NormalFormula
    from gyrostat.model.contacts.rolling_resistance import RollingResistance

__all__ = [
    "NORMAL_LAWS",
    "Adhesion",
    "Hertz",
    "HuntCrossley",
    "Indentation",
    "KelvinVoigt",
    "NormalForce",
    "NormalFormula",
    "NormalLaw",
    "RollingResistance",
]

_KINDS = {
    "hunt_crossley": ("HuntCrossley",),
    "hertz": ("Hertz",),
    "kelvin_voigt": ("KelvinVoigt",),
    "normal_formula": ("NormalFormula",),
    "adhesion": ("Adhesion",),
}

__getattr__ = names_from(__name__, _KINDS, {"rolling_resistance": ("RollingResistance",)})
NORMAL_LAWS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
