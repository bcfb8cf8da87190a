"""Force elements, one file each. A new one is listed here, or added from outside with `FORCES.add`.

The kinds are imported when they are first used.
"""

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from
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

if TYPE_CHECKING:
    from gyrostat.model.forces.actuator import Actuator
    from gyrostat.model.forces.belt import Belt
    from gyrostat.model.forces.bending_spring import BendingSpring
    from gyrostat.model.forces.bond import Bond
    from gyrostat.model.forces.bushing import Bushing
    from gyrostat.model.forces.compliant_joint import CompliantJoint
    from gyrostat.model.forces.contact import Contact
    from gyrostat.model.forces.contacts import Contacts
    from gyrostat.model.forces.dc_motor import DCMotor
    from gyrostat.model.forces.force import Force
    from gyrostat.model.forces.grains import Grains
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
    from gyrostat.model.forces.variable_mass import VariableMass
    from gyrostat.model.forces.winch import Winch

__all__ = [
    "FORCES",
    "Actuator",
    "Belt",
    "BendingSpring",
    "Bond",
    "Bushing",
    "CompliantJoint",
    "Contact",
    "Contacts",
    "CoordinateLoad",
    "DCMotor",
    "Force",
    "ForceElement",
    "ForceOutput",
    "Grains",
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
    "VariableMass",
    "Winch",
    "mass_elements",
    "rigid_elements",
]

_KINDS = {
    "spring_damper": ("SpringDamper",),
    "torsion_spring": ("TorsionSpring",),
    "joint_spring": ("JointSpring",),
    "bending_spring": ("BendingSpring",),
    "bushing": ("Bushing",),
    "compliant_joint": ("CompliantJoint",),
    "force": ("Force",),
    "torque": ("Torque",),
    "contact": ("Contact",),
    "contacts": ("Contacts",),
    "grains": ("Grains",),
    "rigid_contact": ("RigidContact",),
    "tyre": ("Tyre",),
    "reeving": ("Reeving",),
    "belt": ("Belt",),
    "winch": ("Winch",),
    "sheave_contact": ("SheaveContact",),
    "joint_limit": ("JointLimit",),
    "actuator": ("Actuator",),
    "dc_motor": ("DCMotor",),
    "joint_friction": ("JointFriction",),
    "variable_mass": ("VariableMass",),
    "bond": ("Bond",),
}

__getattr__ = names_from(
    __name__,
    _KINDS,
    {
        "mass_element": (
            "MassElement",
            "mass_elements",
        ),
        "rigid_element": (
            "RigidElement",
            "rigid_elements",
        ),
        "rope_element": ("RopeElement",),
    },
)
FORCES.declare(__getattr__, (name for names in _KINDS.values() for name in names))
