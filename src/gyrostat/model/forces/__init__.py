"""Force elements, one file each. A new one is added here by one line, or from outside with `FORCES.add`."""

from gyrostat.model.forces.actuator import Actuator
from gyrostat.model.forces.applied_force import AppliedForce
from gyrostat.model.forces.applied_torque import AppliedTorque
from gyrostat.model.forces.bushing import Bushing
from gyrostat.model.forces.force import FORCES, CoordinateLoad, Force, Load, Motion, PointLoad, PointMotion
from gyrostat.model.forces.spring_damper import SpringDamper
from gyrostat.model.forces.torsion_spring import TorsionSpring

for _force in (SpringDamper, TorsionSpring, Bushing, AppliedForce, AppliedTorque, Actuator):
    FORCES.add(_force)

__all__ = [
    "FORCES",
    "Actuator",
    "AppliedForce",
    "AppliedTorque",
    "Bushing",
    "CoordinateLoad",
    "Force",
    "Load",
    "Motion",
    "PointLoad",
    "PointMotion",
    "SpringDamper",
    "TorsionSpring",
]
