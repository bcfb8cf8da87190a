"""Normal laws of contacts and the geometry of surfaces, one file each. A new law is added here by one line."""

from gyrostat.model.contacts.hunt_crossley import HuntCrossley
from gyrostat.model.contacts.kelvin_voigt import KelvinVoigt
from gyrostat.model.contacts.normal_law import NORMAL_LAWS, Indentation, NormalForce, NormalLaw

for _law in (HuntCrossley, KelvinVoigt):
    NORMAL_LAWS.add(_law)

__all__ = ["NORMAL_LAWS", "HuntCrossley", "Indentation", "KelvinVoigt", "NormalForce", "NormalLaw"]
