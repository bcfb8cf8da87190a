"""Check of references: every body, point, joint and coordinate named by a component exists."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.body import Body
from gyrostat.model.checks.finding import Subject
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End, Reference
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.model.record import Component, kinds_of
from gyrostat.model.rotor import Rotor


def reference_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each unresolved reference."""
    joints, bodies = subject.joints, subject.bodies
    for name, component in subject.model.components.items():
        for use in subject.uses[name]:
            if isinstance(use, Reference) and not (use.role in ("end", "body") and _is_place(use.target, bodies)):
                yield from _ends(subject, component, use, joints)


def _is_place(target: str, bodies: dict[str, Body]) -> bool:
    """Return whether the target is a body, or a point or frame on one."""
    first, _, rest = target.partition(".")
    body = bodies.get(first)
    return body is not None and (not rest or rest in body.points or rest in body.frames)


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
    elif use.role == "coordinate" and (wheel := _rotor(subject, first, rest)):
        if not wheel.free:
            fact = f"rotor {rest!r} of body {first!r} has a prescribed motion, so a load on it has no effect."
            yield subject.fault(component, use.path, fact, "Give the rotor free=True, or leave this out.")
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
    elif use.role == "coordinate" and not joints[first].speeds_are_rates:
        fact = f"the speeds of joint {first!r} are not rates of its coordinates, so no load acts on {rest!r} alone."
        remedy = "Put a torque, force or bushing on the body, or use a spherical joint with angles='zxz' or the like."
        yield subject.fault(component, use.path, fact, remedy)


def _rotor(subject: Subject, body: str, name: str) -> Rotor | None:
    """Return the rotor of a body by name, if there is one."""
    rotors = subject.bodies[body].rotors if body in subject.bodies else ()
    return next((rotor for rotor in rotors if rotor.name == name), None)


def _places(body: Body) -> list[str]:
    return [*body.points, *body.frames]


def joint_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of joints that connect a body to itself, and of bodies not connected to the ground."""
    reached = {GROUND, *subject.lost}
    neighbours: dict[str, set[str]] = {}
    for joint in subject.joints.values():
        a, b = joint.parent.body, joint.child.body
        if a == b:
            remedy = "Connect two different bodies."
            yield subject.fault(joint, ("child",), f"it connects body {a!r} to itself.", remedy)
        neighbours.setdefault(a, set()).add(b)
        neighbours.setdefault(b, set()).add(a)
    pending = list(reached)
    while pending:
        for neighbour in neighbours.get(pending.pop(), ()):
            if neighbour not in reached:
                reached.add(neighbour)
                pending.append(neighbour)
    for name, body in subject.model.bodies.items():
        if name not in reached:
            remedy = f"Add a joint; a body that flies freely has Free('{name}_motion', 'ground', '{name}')."
            yield subject.fault(body, (), "no chain of joints connects it to the ground.", remedy)


def force_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of forces and constraints between a point and itself, or on the ground alone."""
    for force in (*subject.forces.values(), *subject.constraints.values()):
        fields = {name: getattr(force, name) for name in kinds_of(type(force)) if name != "axes"}
        ends = [held for held in fields.values() if isinstance(held, End)]
        places = [use for use in subject.uses[force.name] if isinstance(use, Reference) and use.path[0] != "axes"]
        bodies = [use.target.partition(".")[0] for use in places if use.role in ("end", "body")]
        if getattr(force, "reaction", None) is not None and len(set(bodies)) == 1:
            fact = f"body {bodies[0]!r} bears both the load and its reaction, which cancel."
            yield subject.fault(force, ("reaction",), fact, "Let another body bear the reaction.")
        elif len(ends) == 2 and ends[0] == ends[1]:
            yield subject.fault(force, (), f"it acts between {ends[0]} and itself.", "Connect two different places.")
        elif places and all(p.role in ("end", "body") and p.target.partition(".")[0] == GROUND for p in places):
            yield subject.fault(force, (), "it acts on the ground, which does not move.", "Let it act on a body.")
