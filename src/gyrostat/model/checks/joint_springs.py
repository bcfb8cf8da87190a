"""Check of springs on coordinates: the natural value is of the coordinate's own kind."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.forces import JointSpring


def joint_spring_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each spring with a length on an angle, or an angle on a displacement."""
    measures = {
        joint.full_name(coordinate.label): coordinate.measure
        for joint in subject.joints.values()
        for coordinate in joint.coordinates
    }
    for force in subject.forces.values():
        if not isinstance(force, JointSpring):
            continue
        slides = measures.get(force.joint, "angle") == "length"
        if force.length is not None and not slides and force.joint in measures:
            yield subject.fault(
                force, ("length",), f"the coordinate {force.joint!r} is an angle, which has no length.", "Give angle=…."
            )
        if force.angle is not None and slides:
            fact = f"the coordinate {force.joint!r} is a displacement, which has no angle."
            yield subject.fault(force, ("angle",), fact, "Give length=….")
