"""Friction laws, one file each: joints, contacts and ropes use them. A new one is listed here.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.friction.friction_law import FRICTION_LAWS, Friction, FrictionLaw, Sliding

if TYPE_CHECKING:
    from gyrostat.model.friction.bristle import Bristle
    from gyrostat.model.friction.coulomb import Coulomb
    from gyrostat.model.friction.fixed_bristle import FixedBristle
    from gyrostat.model.friction.limited_viscous import LimitedViscous
    from gyrostat.model.friction.lugre import LuGre
    from gyrostat.model.friction.stribeck import Stribeck

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

_KINDS = {
    "coulomb": ("Coulomb",),
    "limited_viscous": ("LimitedViscous",),
    "stribeck": ("Stribeck",),
    "lugre": ("LuGre",),
    "bristle": ("Bristle",),
    "fixed_bristle": ("FixedBristle",),
}

__getattr__ = names_from(__name__, _KINDS)
FRICTION_LAWS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
