"""Check of references: every body, point, joint and coordinate named by a component exists."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model import forces
from gyrostat.model.body import Body
from gyrostat.model.checks.finding import Subject
from gyrostat.model.joints import Joint
from gyrostat.model.kinds import End, Reference
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.model.record import Component, kinds_of


def reference_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each unresolved reference."""
    for component in subject.model.components.values():
        yield from reference_faults_of(component, subject)


def reference_faults_of(component: Component, subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each unresolved reference of one component."""
    for use in component.all_uses:
        if not isinstance(use, Reference) or use.role == "node":
            continue  # nodes exist because elements name them
        if use.role == "rope":
            yield from _rope_faults(subject, component, use)
            continue
        if use.role not in ("end", "body"):
            yield from _coordinate_faults(subject, component, use)
            continue
        end = subject.directory.end(use.target)
        if end is None:
            yield from _place_faults(subject, component, use)
        elif use.role == "body" and end.name is not None:
            fact = f"refers to {use.target!r}, which is a place on body {end.body!r}."
            yield subject.fault(component, use.path, fact, f"Write {end.body!r}.")


def _place_faults(subject: Subject, component: Component, use: Reference) -> Iterator[Fault]:
    """Yield the fault of a reference to a place that does not exist."""
    if subject.is_lost(use.target):
        return
    body, rest = subject.directory.split(use.target)
    if not isinstance(body, Body):
        first = use.target.rpartition(".")[0] or use.target
        fact = f"refers to body {first!r}, which is not in the model."
        yield subject.fault(component, use.path, fact, did_you_mean(first, subject.bodies))
    else:
        kinds = "point, frame or surface" if body.surfaces else "point or frame"
        fact = f"refers to {use.target!r}, but body {body.name!r} has no {kinds} {rest!r}."
        yield subject.fault(component, use.path, fact, did_you_mean(rest, _places(body)))


def _rope_faults(subject: Subject, component: Component, use: Reference) -> Iterator[Fault]:
    """Yield the fault of a reference to a rope that does not exist."""
    if not isinstance(subject.forces.get(use.target), forces.Reeving) and not subject.is_lost(use.target):
        ropes = [name for name, force in subject.forces.items() if isinstance(force, forces.Reeving)]
        fact = f"refers to rope {use.target!r}, which is no Reeving of the model."
        yield subject.fault(component, use.path, fact, did_you_mean(use.target, ropes))


def _coordinate_faults(subject: Subject, component: Component, use: Reference) -> Iterator[Fault]:
    """Yield the fault of a reference to a joint or a coordinate, if it has one."""
    directory = subject.directory
    if use.role == "coordinate" and (wheel := directory.rotor(use.target)):
        if not wheel.free:
            body, _ = directory.split(use.target)
            named = "" if body is None else body.name
            fact = f"rotor {wheel.name!r} of body {named!r} has a prescribed motion, so a load on it has no effect."
            yield subject.fault(component, use.path, fact, "Give the rotor free=True, or leave this out.")
        return
    joint, rest = directory.split(use.target)
    if not isinstance(joint, Joint) or (rest and use.role == "joint"):
        if not subject.is_lost(use.target):
            first = use.target if use.role == "joint" else use.target.rpartition(".")[0] or use.target
            fact = f"refers to joint {first!r}, which is not in the model."
            yield subject.fault(component, use.path, fact, did_you_mean(first, subject.joints))
    elif use.role == "coordinate" and use.target not in (names := joint.coordinate_names):
        if not names:
            fact, remedy = f"joint {joint.name!r} has no coordinate.", "Use a joint that can move."
        elif rest:
            fact, remedy = f"joint {joint.name!r} has no coordinate {rest!r}.", did_you_mean(use.target, names)
        else:
            fact, remedy = f"joint {joint.name!r} has several coordinates.", f"Choose one: {', '.join(names)}."
        yield subject.fault(component, use.path, fact, remedy)
    elif use.role == "coordinate" and not joint.speeds_are_rates:
        alone = f"so no load acts on {rest or joint.name!r} alone."
        fact = f"the speeds of joint {joint.name!r} are not rates of its coordinates, {alone}"
        remedy = "Put a torque, force or bushing on the body, or use a spherical joint with angles='zxz' or the like."
        yield subject.fault(component, use.path, fact, remedy)


def _places(body: Body) -> list[str]:
    return [*body.points, *body.frames, *body.surfaces]


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
    reached |= {name for name in neighbours if subject.is_lost(name)}
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
        owners = [subject.directory.split(use.target)[0] for use in places if use.role in ("end", "body")]
        bodies = {"" if owner is None else owner.name for owner in owners}
        if getattr(force, "reaction", None) is not None and len(bodies) == 1:
            fact = f"body {bodies.pop()!r} bears both the load and its reaction, which cancel."
            yield subject.fault(force, ("reaction",), fact, "Let another body bear the reaction.")
        elif len(ends) == 2 and ends[0] == ends[1]:
            yield subject.fault(force, (), f"it acts between {ends[0]} and itself.", "Connect two different places.")
        elif (
            places
            and all(p.role in ("end", "body") and _on_ground(p.target) for p in places)
            and not isinstance(force, forces.Grains)
        ):
            yield subject.fault(force, (), "it acts on the ground, which does not move.", "Let it act on a body.")


def _on_ground(place: str) -> bool:
    return place == GROUND or place.startswith(f"{GROUND}.")
