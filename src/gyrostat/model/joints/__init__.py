"""Joints, one file each. A new one is listed here, or added from outside with `JOINTS.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
from gyrostat.model.joints.joint import JOINTS, Coordinate, Joint, Measure
from gyrostat.model.joints.pose import Mode, Pose

if TYPE_CHECKING:
    from gyrostat.model.joints.cylindrical import Cylindrical
    from gyrostat.model.joints.free import Free
    from gyrostat.model.joints.planar import Planar
    from gyrostat.model.joints.prismatic import Prismatic
    from gyrostat.model.joints.revolute import Revolute
    from gyrostat.model.joints.screw import Screw
    from gyrostat.model.joints.spherical import Spherical
    from gyrostat.model.joints.translation import Translation
    from gyrostat.model.joints.universal import Universal
    from gyrostat.model.joints.weld import Weld

__all__ = [
    "JOINTS",
    "Coordinate",
    "Cylindrical",
    "Free",
    "Joint",
    "Measure",
    "Mode",
    "Planar",
    "Pose",
    "Prismatic",
    "Revolute",
    "Screw",
    "Spherical",
    "Translation",
    "Universal",
    "Weld",
]

_KINDS = {
    "revolute": ("Revolute",),
    "prismatic": ("Prismatic",),
    "cylindrical": ("Cylindrical",),
    "screw": ("Screw",),
    "universal": ("Universal",),
    "spherical": ("Spherical",),
    "planar": ("Planar",),
    "translation": ("Translation",),
    "free": ("Free",),
    "weld": ("Weld",),
}

__getattr__ = names_from(__name__, _KINDS)
JOINTS.declare(__getattr__, (name for names in _KINDS.values() for name in names))
