"""Check of contacts of many pairs: shapes that they know, pairs of shapes in closed form, and joined bodies."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.contacts.core import Core, Surface, core_type
from gyrostat.model.contacts.pairs import pair_of
from gyrostat.model.contacts.patches import patch_of
from gyrostat.model.contacts.solid_shapes import contact_shapes, is_known, simple_shapes
from gyrostat.model.forces import Contacts
from gyrostat.model.joints import Free, Translation
from gyrostat.model.shapes import Plane, Shape


def many_contacts_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of bodies without shapes, of shapes that are not known, and of pairs without a closed form."""
    for force in subject.forces.values():
        if isinstance(force, Contacts) and all(name in subject.bodies for name in force.bodies):
            found = list(_shape_faults(subject, force))
            yield from found or _pair_faults(subject, force)
            yield from _joined_faults(subject, force)


def _shape_faults(subject: Subject, force: Contacts) -> Iterator[Fault]:
    for name in force.bodies:
        shapes = tuple(simple_shapes(contact_shapes(subject.bodies[name])))
        unknown = next((shape for shape in shapes if not is_known(shape)), None)
        if not shapes:
            fact = f"body {name!r} has no shape that could touch others."
            yield subject.fault(
                force, (), fact, f"Give it one: Body({name!r}, …, surfaces={{'hull': gs.shapes.Sphere(r)}})."
            )
        elif unknown is not None:
            fact = f"body {name!r} has the shape {unknown.tag!r}, which contacts of many pairs do not know."
            remedy = "Give it surfaces of spheres, capsules, boxes, cylinders, cones, polyhedra, meshes or planes."
            yield subject.fault(force, (), fact, remedy)


def _pair_faults(subject: Subject, force: Contacts) -> Iterator[Fault]:
    """Yield a fault for the first two bodies whose shapes have no closed form."""
    owners = [_owners(subject, side) for side in force.sides]
    first, second = (owners[0], owners[-1])
    for a, body in first.items():
        for b, other in second.items():
            core_a, core_b = core_type(a), core_type(b)
            flat = all(isinstance(one, Plane) or core_type(one) is Surface for one in (a, b))
            single = force.among is not None and a is b and len(_bodies_with(subject, force, a)) == 1
            if flat or single or core_a is None or core_b is None or _is_served(core_a, core_b):
                continue
            fact = f"the shapes of {body!r}, {a.tag!r}, and {other!r}, {b.tag!r}, have no contact here."
            remedy = "Describe one of them by spheres, capsules or a Polyhedron (surfaces={…}), or use between=…."
            yield subject.fault(force, (), fact, remedy)
            return


def _joined_faults(subject: Subject, force: Contacts) -> Iterator[Fault]:
    """Yield a fault where joints connect the bodies of every pair: none of them would ever touch."""
    if force.joined:
        return
    joined = {
        frozenset((joint.parent.body, joint.child.body)): joint.name
        for joint in subject.joints.values()
        if not isinstance(joint, Free | Translation)
    }
    pairs = (frozenset((a, b)) for a in force.sides[0] for b in force.sides[-1] if a != b)
    if all(pair in joined for pair in pairs):  # of many pairs, the first that is free ends the search
        a, b = force.sides[0][0], force.sides[-1][-1]
        fact = (
            f"joint {joined[frozenset((a, b))]!r} connects {a!r} and {b!r}, and joined bodies do not touch each other"
        )
        fact += " here." if len(force.bodies) == 2 else " here; so it is with all its pairs."
        remedy = (
            f"Give joined=True, or use JointLimit or, for shapes that it knows, gs.Contact({force.name!r}, {a!r}, "
            f"{b!r}, …), which acts between joined bodies too."
        )
        yield subject.fault(force, (), fact, remedy)


def _is_served(a: type[Core], b: type[Core]) -> bool:
    """Return whether points of contact of two kinds of shapes are found."""
    return pair_of(a, b) is not None or bool(patch_of(a, b))


def _owners(subject: Subject, side: tuple[str, ...]) -> dict[Shape, str]:
    """Return one shape of each kind with a body that has it."""
    found: dict[type[Shape], tuple[Shape, str]] = {}
    for name in side:
        for shape in simple_shapes(contact_shapes(subject.bodies[name])):
            found.setdefault(type(shape), (shape, name))
    return dict(found.values())


def _bodies_with(subject: Subject, force: Contacts, shape: Shape) -> list[str]:
    """Return the bodies that have a shape of the same kind."""
    return [
        name
        for name in force.bodies
        if any(type(one) is type(shape) for one in simple_shapes(contact_shapes(subject.bodies[name])))
    ]
