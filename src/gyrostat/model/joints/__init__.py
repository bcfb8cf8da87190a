"""Joints, one file each. A new one is added here by one line, or from outside with `JOINTS.add`."""

from gyrostat.model.joints.cylindrical import Cylindrical
from gyrostat.model.joints.free import Free
from gyrostat.model.joints.joint import JOINTS, Coordinate, Joint, Measure
from gyrostat.model.joints.planar import Planar
from gyrostat.model.joints.pose import Mode, Pose
from gyrostat.model.joints.prismatic import Prismatic
from gyrostat.model.joints.revolute import Revolute
from gyrostat.model.joints.screw import Screw
from gyrostat.model.joints.spherical import Spherical
from gyrostat.model.joints.translation import Translation
from gyrostat.model.joints.universal import Universal
from gyrostat.model.joints.weld import Weld

for _joint in (Revolute, Prismatic, Cylindrical, Screw, Universal, Spherical, Planar, Translation, Free, Weld):
    JOINTS.add(_joint)

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
