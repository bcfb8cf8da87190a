"""Force elements, one file each. A new one is added here by one line, or from outside with `FORCES.add`."""

from gyrostat.model.forces.actuator import Actuator
from gyrostat.model.forces.belt import Belt
from gyrostat.model.forces.bending_spring import BendingSpring
from gyrostat.model.forces.bushing import Bushing
from gyrostat.model.forces.compliant_joint import CompliantJoint
from gyrostat.model.forces.contact import Contact
from gyrostat.model.forces.contacts import Contacts
from gyrostat.model.forces.dc_motor import DCMotor
from gyrostat.model.forces.force import Force
from gyrostat.model.forces.force_element import (
    FORCES,
    CoordinateLoad,
    ForceElement,
    ForceOutput,
    Load,
    Motion,
    PointLoad,
    PointMotion,
)
from gyrostat.model.forces.joint_friction import JointFriction
from gyrostat.model.forces.joint_limit import JointLimit
from gyrostat.model.forces.joint_spring import JointSpring
from gyrostat.model.forces.mass_element import MassElement, mass_elements
from gyrostat.model.forces.reeving import Reeving
from gyrostat.model.forces.rigid_contact import RigidContact
from gyrostat.model.forces.rigid_element import RigidElement, rigid_elements
from gyrostat.model.forces.rope_element import RopeElement
from gyrostat.model.forces.sheave_contact import SheaveContact
from gyrostat.model.forces.spring_damper import SpringDamper
from gyrostat.model.forces.torque import Torque
from gyrostat.model.forces.torsion_spring import TorsionSpring
from gyrostat.model.forces.tyre import Tyre
from gyrostat.model.forces.winch import Winch

for _force in (
    SpringDamper,
    TorsionSpring,
    JointSpring,
    BendingSpring,
    Bushing,
    CompliantJoint,
    Force,
    Torque,
    Contact,
    Contacts,
    RigidContact,
    Tyre,
    Reeving,
    Belt,
    Winch,
    SheaveContact,
    JointLimit,
    Actuator,
    DCMotor,
    JointFriction,
):
    FORCES.add(_force)

__all__ = [
    "FORCES",
    "Actuator",
    "Belt",
    "BendingSpring",
    "Bushing",
    "CompliantJoint",
    "Contact",
    "Contacts",
    "CoordinateLoad",
    "DCMotor",
    "Force",
    "ForceElement",
    "ForceOutput",
    "JointFriction",
    "JointLimit",
    "JointSpring",
    "Load",
    "MassElement",
    "Motion",
    "PointLoad",
    "PointMotion",
    "Reeving",
    "RigidContact",
    "RigidElement",
    "RopeElement",
    "SheaveContact",
    "SpringDamper",
    "Torque",
    "TorsionSpring",
    "Tyre",
    "Winch",
    "mass_elements",
    "rigid_elements",
]
