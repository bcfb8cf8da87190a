"""Normal laws of contacts and the geometry of surfaces, one file each. A new law is added here by one line."""

from gyrostat.model.contacts.adhesion import Adhesion
from gyrostat.model.contacts.hertz import Hertz
from gyrostat.model.contacts.hunt_crossley import HuntCrossley
from gyrostat.model.contacts.kelvin_voigt import KelvinVoigt
from gyrostat.model.contacts.normal_formula import NormalFormula
from gyrostat.model.contacts.normal_law import NORMAL_LAWS, Indentation, NormalForce, NormalLaw
from gyrostat.model.contacts.rolling_resistance import RollingResistance

for _law in (HuntCrossley, Hertz, KelvinVoigt, NormalFormula, Adhesion):
    NORMAL_LAWS.add(_law)

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
