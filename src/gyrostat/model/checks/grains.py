"""Check of grains: walls with surfaces that they can touch."""

from __future__ import annotations

from collections.abc import Iterator

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject
from gyrostat.model.contacts.solid_shapes import contact_shapes, is_known, simple_shapes
from gyrostat.model.forces import Grains


def grain_faults(subject: Subject) -> Iterator[Fault]:
    """Yield faults of walls without shapes, and of shapes that grains do not know."""
    for force in subject.forces.values():
        if not isinstance(force, Grains):
            continue
        for name in force.walls:
            if name not in subject.bodies:
                continue
            shapes = tuple(simple_shapes(contact_shapes(subject.bodies[name])))
            unknown = next((shape for shape in shapes if not is_known(shape)), None)
            if not shapes:
                remedy = f"Give it one: Body({name!r}, …, surfaces={{'floor': gs.shapes.Plane()}})."
                yield subject.fault(force, ("walls",), f"body {name!r} has no surface that grains could touch.", remedy)
            elif unknown is not None:
                fact = f"body {name!r} has the shape {unknown.tag!r}, which grains do not know."
                remedy = "Give it surfaces of planes, boxes, meshes, height fields, polyhedra, cylinders or spheres."
                yield subject.fault(force, ("walls",), fact, remedy)
