"""Solids, one file each. A new one is listed here, or added from outside with `SOLIDS.add`.

In models solids are written by their lower-case names, which read as functions: `rod("m", "l", along="y")`.
"""

from gyrostat.model.solids.box import SolidBox
from gyrostat.model.solids.composite import Composite
from gyrostat.model.solids.cone import SolidCone
from gyrostat.model.solids.cylinder import SolidCylinder
from gyrostat.model.solids.disc import Disc
from gyrostat.model.solids.ellipsoid import SolidEllipsoid
from gyrostat.model.solids.part import Part
from gyrostat.model.solids.point_mass import PointMass
from gyrostat.model.solids.ring import SolidRing
from gyrostat.model.solids.rod import Rod
from gyrostat.model.solids.shell import Shell
from gyrostat.model.solids.slender_rod import SlenderRod
from gyrostat.model.solids.solid import SOLIDS, Solid
from gyrostat.model.solids.sphere import SolidSphere
from gyrostat.model.solids.tube import SolidTube

rod = SOLIDS.add(Rod)
slender_rod = SOLIDS.add(SlenderRod)
box = SOLIDS.add(SolidBox)
cylinder = SOLIDS.add(SolidCylinder)
tube = SOLIDS.add(SolidTube)
sphere = SOLIDS.add(SolidSphere)
shell = SOLIDS.add(Shell)
disc = SOLIDS.add(Disc)
ring = SOLIDS.add(SolidRing)
ellipsoid = SOLIDS.add(SolidEllipsoid)
cone = SOLIDS.add(SolidCone)
point_mass = SOLIDS.add(PointMass)
composite = SOLIDS.add(Composite)

__all__ = [
    "SOLIDS",
    "Part",
    "Solid",
    "box",
    "composite",
    "cone",
    "cylinder",
    "disc",
    "ellipsoid",
    "point_mass",
    "ring",
    "rod",
    "shell",
    "slender_rod",
    "sphere",
    "tube",
]
