"""Small motions about rest on rigid contacts: contacts that stick are constraints."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gyrostat.analysis.kernels.problem import OPEN_CONTACT, SLIPPING
from gyrostat.analysis.simulation.contact_points import contact_points, friction_of
from gyrostat.analysis.simulation.contact_settling import ContactsAtRest, contacts_at_rest
from gyrostat.analysis.variations.operating_point import OperatingPoint, operating_point
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.constraints import PointOnPlane
from gyrostat.model.contacts.core import Block, Facets
from gyrostat.model.forces import RigidContact
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, Triple
from gyrostat.model.names import GROUND
from gyrostat.system import choice_to_plain, formulate_as


def held_by_contacts(point: OperatingPoint) -> OperatingPoint:
    """Return the operating point of the system with constraints in the places of closed contacts, without open ones.

    Points and corners that stick on planes are held in all directions, those without friction along the normal. Others
    are refused: sliding with friction, and spheres, which roll.
    """
    system = point.system
    if point.u.any():
        raise StateError(
            "Linear models of systems with rigid contacts are those about rest; this point moves. Put constraints that "
            "hold in the motion in the places of the contacts."
        )
    known = system.model.values(point.parameters)
    given = {name: value for name, value in point.inputs.items() if name not in system.model.solved_inputs}
    found = contacts_at_rest(system, point.parts, point.t, known, given)
    model = system.model.copy()
    for contact in system.rigid_contacts:
        if not isinstance(contact, RigidContact):
            raise StateError(
                f"Rope {contact.name!r} is inextensible, and linear models know constraints in both directions only. "
                "Give it an EA, or put a Cable in its place where it stays taut."
            )
        model.remove(contact.name)
    for constraint in _constraints(point, found):
        model.add(constraint)
    held = formulate_as(model, choice_to_plain(system))
    names = (*system.coordinate_names, *system.state_names)
    at = {name: point[name] for name in names}
    return operating_point(held, at, t=point.t, parameters=point.parameters, inputs=given)


def _constraints(point: OperatingPoint, found: ContactsAtRest) -> Iterator[PointOnPlane]:
    """Yield the constraints of closed contacts."""
    friction = friction_of(point.system, point.system.model.values(point.parameters))
    for i, one in enumerate(contact_points(point.system)):
        if found.modes.modes[i] == OPEN_CONTACT:
            continue
        assert isinstance(one.contact, RigidContact), "ropes are refused before"
        a, b = one.contact.sides
        plane, other = (b, a) if b.is_plane else (a, b)
        if not plane.is_plane or not (other.shape is None or set(other.cores) <= {Block, Facets}):
            raise StateError(
                f"Contact {one.name!r} is closed between shapes of which one rolls on the other. For a linear model "
                "put a RollingSphere, PointOnPlane or another constraint in its place."
            )
        if found.modes.modes[i] == SLIPPING and friction[i, 1] > 0.0:
            raise StateError(
                f"Contact {one.name!r} slides with friction at this point, which is no equilibrium. Find one at which "
                "it sticks."
            )
        normal = found.terms.normals[i]
        first = np.linalg.svd(normal[None, :])[2]
        directions = [normal] if found.modes.modes[i] == SLIPPING else [normal, first[1], first[2]]
        place = found.terms.points[i]
        for number, direction in enumerate(directions):
            yield PointOnPlane(
                f"{one.name.replace('.', '_')}_held_{number}",
                _end(point, other.end.body, place),
                _end(point, plane.end.body, place),
                _triple(_frame(point, plane.end.body)[1].T @ direction),
            )


def _end(point: OperatingPoint, body: str, place: Floats) -> End:
    """Return the material point of a body at a place in the world."""
    origin, R_WB = _frame(point, body)
    return End(body, None, _triple(R_WB.T @ (place - origin)))


def _frame(point: OperatingPoint, body: str) -> tuple[Floats, Floats]:
    """Return position and rotation of a body's frame in the world."""
    if body == GROUND:
        return np.zeros(3), np.eye(3)
    pose = point.system.poses(point.q, t=point.t, parameters=point.parameters)[body]
    return np.asarray(pose.position), np.asarray(pose.rotation)


def _triple(vector: Floats) -> Triple:
    x, y, z = (Formula.of(float(one)) for one in vector)
    return x, y, z
