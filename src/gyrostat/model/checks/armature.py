"""Check of armatures: inertias of rotors are not negative."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject


def armature_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each negative armature."""
    for joint in subject.joints.values():
        if joint.name in subject.indefinite:
            continue
        for label, inertia in joint.armature.items():
            size = subject.number(inertia)
            if size is not None and size < 0:
                fact = f"its armature {joint.full_name(label)!r} is {size:g}."
                yield subject.fault(joint, ("armature", label), fact, "An inertia cannot be negative.")
