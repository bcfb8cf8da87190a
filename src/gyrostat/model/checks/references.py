"""References: every body, point, joint and coordinate that a component names exists."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.body import Body
from gyrostat.model.checks.finding import Subject
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import Reference
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.model.record import Component


def reference_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each name that refers to nothing."""
    joints = subject.model.joints
    for name, component in subject.model.components.items():
        for use in subject.uses[name]:
            if isinstance(use, Reference):
                yield from _ends(subject, component, use, joints)


def _ends(subject: Subject, component: Component, use: Reference, joints: dict[str, Joint]) -> Iterator[Fault]:
    first, _, rest = use.target.partition(".")
    if use.role in ("end", "body"):
        bodies = subject.bodies
        if first not in bodies:
            if first not in subject.lost:
                yield subject.fault(
                    component,
                    use.path,
                    f"refers to body {first!r}, which is not in the model.",
                    did_you_mean(first, bodies),
                )
        elif rest and rest not in (places := _places(bodies[first])):
            fact = f"refers to {use.target!r}, but body {first!r} has no point or frame {rest!r}."
            yield subject.fault(component, use.path, fact, did_you_mean(rest, places))
    elif first not in joints:
        if first not in subject.lost:
            fact = f"refers to joint {first!r}, which is not in the model."
            yield subject.fault(component, use.path, fact, did_you_mean(first, joints))
    elif use.role == "coordinate" and use.target not in (names := joints[first].coordinate_names):
        if not names:
            fact, remedy = f"joint {first!r} has no coordinate.", "Use a joint that can move."
        elif rest:
            fact, remedy = f"joint {first!r} has no coordinate {rest!r}.", did_you_mean(use.target, names)
        else:
            fact, remedy = f"joint {first!r} has several coordinates.", f"Choose one: {', '.join(names)}."
        yield subject.fault(component, use.path, fact, remedy)


def _places(body: Body) -> list[str]:
    return [*body.points, *body.frames]


def joint_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of joints that lead from a body to itself, and of bodies that no joint connects to the ground."""
    reached = {GROUND}
    neighbours: dict[str, set[str]] = {}
    for joint in subject.model.joints.values():
        a, b = joint.parent.body, joint.child.body
        if a == b:
            remedy = "Connect two different bodies."
            yield subject.fault(joint, ("child",), f"it leads from body {a!r} to itself.", remedy)
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    pending = [GROUND, *subject.lost]
    while pending:
        for neighbour in neighbours.get(pending.pop(), ()):
            if neighbour not in reached:
                reached.add(neighbour)
                pending.append(neighbour)
    for name, body in subject.model.bodies.items():
        if name not in reached:
            remedy = f"Add a joint; a body that flies freely has Free('{name}_motion', 'ground', '{name}')."
            yield subject.fault(body, (), "no chain of joints connects it to the ground.", remedy)
