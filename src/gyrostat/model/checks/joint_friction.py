"""Check of friction by the joint's own reaction: which joints have one across a single axis."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.forces import JointFriction
from gyrostat.model.joints import Prismatic, Revolute


def joint_friction_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for friction by reaction in other joints than hinges with a radius and slides without one."""
    for force in subject.forces.values():
        if not isinstance(force, JointFriction) or not force.by_reaction or subject.is_lost(force.joint):
            continue
        joint = subject.joints.get(force.joint)
        if not isinstance(joint, Revolute | Prismatic):
            fact = (
                f"{force.joint!r} is no hinge or slide, whose reaction across its axis presses the surfaces together."
            )
            yield subject.fault(force, ("joint",), fact, "Name a Revolute or Prismatic joint, or give the load.")
        elif isinstance(joint, Revolute) and force.radius is None:
            fact = f"{force.joint!r} is a hinge, in which friction acts at the radius of its journal."
            yield subject.fault(force, ("radius",), fact, "Give radius=….")
        elif isinstance(joint, Prismatic) and force.radius is not None:
            fact = f"{force.joint!r} is a slide, which has no journal."
            yield subject.fault(force, ("radius",), fact, "Leave the radius out.")
