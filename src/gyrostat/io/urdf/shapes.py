"""Drawn geometries of a link as shapes of a body."""

from __future__ import annotations

from gyrostat.io.plain_values import made
from gyrostat.io.urdf.description import LinkDescription, Visual
from gyrostat.model.shapes import Box, Cylinder, Group, Mesh, Shape, Sphere


def shapes_of(link: LinkDescription) -> tuple[Shape, ...]:
    """Return the shapes of a link, each in its pose; a capsule is a cylinder with two spheres."""
    return tuple(_shape(visual) for visual in link.visuals)


def _shape(visual: Visual) -> Shape:
    at, turn = visual.origin.xyz, visual.origin.turn
    if visual.kind == "mesh":
        return made(Mesh, visual.file, visual.dimensions["scale"], at=at, turn=turn)
    if visual.kind == "box":
        return made(Box, visual.dimensions["size"], at=at, turn=turn)
    (radius,) = visual.dimensions["radius"]
    if visual.kind == "sphere":
        return made(Sphere, radius, at=at)
    (length,) = visual.dimensions["length"]
    if visual.kind == "cylinder":
        return made(Cylinder, radius, length, along="z", at=at, turn=turn)
    ends = [made(Sphere, radius, at=(0, 0, side * length / 2)) for side in (-1, 1)]
    return made(Group, [made(Cylinder, radius, length, along="z"), *ends], at=at, turn=turn)
