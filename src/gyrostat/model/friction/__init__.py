"""Friction laws, one file each: joints, contacts and ropes use them. A new one is added here by one line."""

from gyrostat.model.friction.bristle import Bristle
from gyrostat.model.friction.coulomb import Coulomb
from gyrostat.model.friction.fixed_bristle import FixedBristle
from gyrostat.model.friction.friction_law import FRICTION_LAWS, Friction, FrictionLaw, Sliding
from gyrostat.model.friction.limited_viscous import LimitedViscous
from gyrostat.model.friction.lugre import LuGre
from gyrostat.model.friction.stribeck import Stribeck

for _law in (Coulomb, LimitedViscous, Stribeck, LuGre, Bristle, FixedBristle):
    FRICTION_LAWS.add(_law)

__all__ = [
    "FRICTION_LAWS",
    "Bristle",
    "Coulomb",
    "FixedBristle",
    "Friction",
    "FrictionLaw",
    "LimitedViscous",
    "LuGre",
    "Sliding",
    "Stribeck",
]
