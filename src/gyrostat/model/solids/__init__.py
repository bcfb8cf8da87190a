"""Solids, one file each. A new one is added here by one line, or from outside with `SOLIDS.add`.

In models solids are written by their lower-case names, which read as functions: `rod("m", "l", along="y")`.
"""

from gyrostat.model.solids.box import Box
from gyrostat.model.solids.composite import Composite
from gyrostat.model.solids.cone import Cone
from gyrostat.model.solids.cylinder import Cylinder
from gyrostat.model.solids.disc import Disc
from gyrostat.model.solids.ellipsoid import Ellipsoid
from gyrostat.model.solids.part import Part
from gyrostat.model.solids.point_mass import PointMass
from gyrostat.model.solids.ring import Ring
from gyrostat.model.solids.rod import Rod
from gyrostat.model.solids.shell import Shell
from gyrostat.model.solids.slender_rod import SlenderRod
from gyrostat.model.solids.solid import SOLIDS, Solid
from gyrostat.model.solids.sphere import Sphere
from gyrostat.model.solids.tube import Tube

rod = SOLIDS.add(Rod)
slender_rod = SOLIDS.add(SlenderRod)
box = SOLIDS.add(Box)
cylinder = SOLIDS.add(Cylinder)
tube = SOLIDS.add(Tube)
sphere = SOLIDS.add(Sphere)
shell = SOLIDS.add(Shell)
disc = SOLIDS.add(Disc)
ring = SOLIDS.add(Ring)
ellipsoid = SOLIDS.add(Ellipsoid)
cone = SOLIDS.add(Cone)
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
