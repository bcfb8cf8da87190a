"""Check of contacts: both sides have shapes whose nearest points are known."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.contacts.core import CONTACT_SHAPES, shape_name
from gyrostat.model.contacts.pairs import PAIRS, pair_of
from gyrostat.model.contacts.patches import patch_of
from gyrostat.model.contacts.side import Side
from gyrostat.model.forces import Contact, RigidContact, Tyre
from gyrostat.model.joints import Free, Translation


def contact_faults(subject: Subject) -> Iterator[Fault]:
    """Yield the faults of all contacts."""
    for contact in subject.forces.values():
        if isinstance(contact, Contact | RigidContact) and not any(
            subject.is_lost(end.body) for end in (contact.a, contact.b)
        ):
            sides = {"a": Side(contact.a, contact.shape_a), "b": Side(contact.b, contact.shape_b)}
            faults = [fault for name, side in sides.items() for fault in _side_faults(subject, contact, name, side)]
            yield from faults or _pair_faults(subject, contact)
        elif isinstance(contact, Tyre) and not subject.is_lost(contact.ground.body):
            yield from _ground_faults(subject, contact)


def _side_faults(subject: Subject, contact: Contact | RigidContact, name: str, side: Side) -> Iterator[Fault]:
    """Yield the fault of a side without a shape, or with one that contacts do not know."""
    body = side.end.body
    if side.shape is None and side.end.name is None and side.end.at is None:
        surfaces = subject.bodies[body].surfaces if body in subject.bodies else {}
        fact = f"body {body!r} has {'several surfaces' if surfaces else 'no shape to touch with'}."
        remedy = f"Name one: {', '.join(f'{body}.{one}' for one in surfaces)}."
        if not surfaces:
            remedy = f"Give the body surfaces={{'floor': gs.shapes.Plane()}}, say, or the contact shape_{name}=…."
        yield subject.fault(contact, (name,), fact, remedy)
    elif None in side.cores:
        unknown = side.shapes[side.cores.index(None)]
        fact = f"contacts do not know the shape {type(unknown).__name__} of body {body!r}."
        yield subject.fault(contact, (name,), fact, f"Known shapes: {', '.join(CONTACT_SHAPES)}.")


def _pair_faults(subject: Subject, contact: Contact | RigidContact) -> Iterator[Fault]:
    """Yield the fault of a pair of shapes without closed form, and of two points."""
    if contact.shape_a is None and contact.shape_b is None:
        fact = f"both sides are points, {contact.a} and {contact.b}, which never touch."
        yield subject.fault(contact, (), fact, "Give one of them a shape, as in shape_a=gs.shapes.Sphere(0.01).")
    elif contact.geometry is None:
        a, b = (side.cores for side in contact.sides)
        pairs = ((x, y) for x in a for y in b if x is not None and y is not None)
        x, y = next(pair for pair in pairs if pair_of(*pair) is None)
        fact = f"the nearest points of {shape_name(x)} and {shape_name(y)} have no closed form here."
        remedy = f"Known pairs: {', '.join(f'{shape_name(one)} and {shape_name(other)}' for one, other in PAIRS)}."
        if patch_of(x, y):
            one, other = (side.end.body for side in contact.sides)
            rigid = " and integrator=gs.Moreau(step=…)" if isinstance(contact, RigidContact) else ""
            joined = ", joined=True" if _are_joined(subject, one, other) else ""
            serving = f"gs.Contacts({contact.name!r}, between=([{one!r}], [{other!r}]){joined}, …){rigid}"
            remedy = f"Use {serving}, which finds the points of these shapes. {remedy}"
        yield subject.fault(contact, (), fact, remedy)


def _are_joined(subject: Subject, one: str, other: str) -> bool:
    """Return whether a joint connects two bodies, so that contacts of many pairs leave them out."""
    return any(
        {joint.parent.body, joint.child.body} == {one, other} and not isinstance(joint, Free | Translation)
        for joint in subject.joints.values()
    )


def _ground_faults(subject: Subject, tyre: Tyre) -> Iterator[Fault]:
    """Yield the fault of a ground that is neither a plane nor a relief."""
    shape = tyre.surface
    if tyre.geometry is None or shape is None:
        what = f"the shape {type(shape).__name__}" if shape is not None else "no single surface"
        fact = f"body {tyre.ground.body!r} has {what}, on which tyres do not roll."
        remedy = "Give it surfaces={'road': gs.shapes.Plane()} or a Relief and name it, or give surface=… here."
        yield subject.fault(tyre, ("ground",), fact, remedy)
