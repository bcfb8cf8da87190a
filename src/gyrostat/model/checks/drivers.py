"""Check of drivers: no coordinate is prescribed twice."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model import forces
from gyrostat.model.checks.finding import Subject
from gyrostat.model.formula import TIME, Formula


def driver_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each actuator on a driven coordinate, and for conflicting drivers in a closed chain."""
    driven = {joint.full_name(label): joint.name for joint in subject.joints.values() for label in joint.driven}
    for force in subject.forces.values():
        if isinstance(force, forces.Actuator) and force.joint in driven:
            fact = f"{force.joint!r} is driven as a function of time, so an actuator on it has no effect."
            yield subject.fault(
                force, ("joint",), fact, f"Remove the actuator, or driven=… of joint {driven[force.joint]!r}."
            )
    yield from _rough_tables(subject)
    yield from _closed_chains(subject)


def _rough_tables(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each table that drives a coordinate, or an input that does, and whose rate jumps."""
    for joint in subject.joints.values():
        for label, law in joint.driven.items():
            if not isinstance(law, Formula) and not law.smooth:
                fact = f"{joint.full_name(label)!r} is driven by a table whose rate jumps at the given times."
                yield subject.fault(joint, ("driven",), fact, _REMEDY)
    inputs = subject.model.given_inputs
    for name in subject.model.driving_inputs:
        law = inputs[name].law if name in inputs else None
        moves = name in subject.model.coordinate_drivers
        reason = "it drives a coordinate" if moves else "its rate enters a network"
        if law is not None and not isinstance(law, Formula):
            if moves and not law.smooth:
                fact = f"{reason}, and the rate of its table jumps at the given times."
                yield subject.fault(inputs[name], ("law",), fact, _REMEDY)
            elif not law.continuous:
                fact = f"{reason}, and its table jumps at the given times."
                yield subject.fault(inputs[name], ("law",), fact, "Use interpolation='linear' or 'cubic'.")
        elif isinstance(law, Formula) and (strange := sorted(law.names - subject.parameters - {TIME})):
            fact = f"{reason}, so that its law is one of time and parameters; it uses {strange[0]!r}."
            remedy = "Use an actuator for feedback." if moves else "Put a resistance between source and capacitor."
            yield subject.fault(inputs[name], ("law",), fact, remedy)


_REMEDY = "Use interpolation='cubic' or 'quintic'."


def _closed_chains(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each joint that closes a chain in which every motion is prescribed."""
    leader: dict[str, str] = {}

    def find(body: str) -> str:
        while leader.setdefault(body, body) != body:
            leader[body] = leader[leader[body]]
            body = leader[body]
        return body

    given = [
        j for j in subject.joints.values() if len(j.driven) == len(j.coordinates) and j.parent.body != j.child.body
    ]
    for joint in sorted(given, key=lambda j: bool(j.driven)):  # welds first, so that the fault names a driver
        a, b = find(joint.parent.body), find(joint.child.body)
        if a == b and joint.driven:
            fact = "its motion is driven, but other drivers and welds between the same bodies already prescribe it."
            yield subject.fault(joint, ("driven",), fact, "Remove one of the drivers of this closed chain.")
        leader[a] = b
