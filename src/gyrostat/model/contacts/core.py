"""Cores of shapes for contacts: what is left of a shape when its rounding is taken off, with numbers of an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gyrostat.model.contacts.nearest import ShapePose
from gyrostat.model.contacts.relief_distance import Heights, heights_of
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.shapes import (
    Box,
    Capsule,
    Cone,
    Cylinder,
    HeightField,
    Plane,
    Polyhedron,
    Relief,
    Ring,
    Shape,
    Sphere,
    TriangleMesh,
    Tube,
)
from gyrostat.model.shapes.hull import Hull
from gyrostat.model.shapes.triangles import Triangles
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply
from gyrostat.spatial import Vector


@dataclass(frozen=True)
class Ball:
    """A point with a radius, which may be zero."""

    radius: Scalar


@dataclass(frozen=True)
class Segment:
    """A segment along z with a radius: a capsule."""

    half: Scalar
    radius: Scalar


@dataclass(frozen=True)
class Block:
    """A box with half its edges."""

    half: Vector

    def corners(self, pose: ShapePose) -> list[Vector]:
        """Return the positions of the eight corners."""
        x, y, z = self.half
        signs = [(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
        return [pose.point((multiply(i, x), multiply(j, y), multiply(k, z))) for i, j, k in signs]


@dataclass(frozen=True)
class Drum:
    """A solid cylinder along z."""

    radius: Scalar
    half: Scalar


@dataclass(frozen=True)
class Peak:
    """A cone along z about its centroid: apex at 3/4 of its height, base at −1/4 of it."""

    radius: Scalar
    height: Scalar


@dataclass(frozen=True)
class Hoop:
    """A circle about z with round wire around it: a torus, or the rim of a disc."""

    radius: Scalar
    wire_radius: Scalar


@dataclass(frozen=True)
class Facets:
    """A convex polyhedron."""

    hull: Hull

    def corners(self, pose: ShapePose) -> list[Vector]:
        """Return the positions of the corners."""
        return [pose.point(corner) for corner in self.hull.corners]


@dataclass(frozen=True)
class HalfSpace:
    """The material below z = 0."""


@dataclass(frozen=True)
class Bore:
    """The inner surface of a tube along z."""

    radius: Scalar


@dataclass(frozen=True)
class Terrain:
    """The material below z = f(x, y)."""

    heights: Heights


@dataclass(frozen=True)
class Surface:
    """A surface of triangles."""

    triangles: Triangles


Core = Ball | Segment | Block | Drum | Peak | Hoop | Facets | HalfSpace | Bore | Terrain | Surface


def core_of(shape: Shape, value: Evaluator) -> Core:
    """Return the core of a shape that contacts know."""
    return _CORES[type(shape)][1](shape, value)


def core_type(shape: Shape) -> type[Core] | None:
    """Return the type of a shape's core, None for shapes that contacts do not know."""
    known = _CORES.get(type(shape))
    return None if known is None else known[0]


_CORES: dict[type[Shape], tuple[type[Core], Callable[..., Core]]] = {
    Sphere: (Ball, lambda shape, value: Ball(value(shape.radius))),
    Capsule: (Segment, lambda shape, value: Segment(divide(value(shape.length), 2), value(shape.radius))),
    Box: (Block, lambda shape, value: Block(tuple(divide(x, 2) for x in value.vector(shape.size)))),
    Cylinder: (Drum, lambda shape, value: Drum(value(shape.radius), divide(value(shape.length), 2))),
    Cone: (Peak, lambda shape, value: Peak(value(shape.radius), value(shape.length))),
    Ring: (Hoop, lambda shape, value: Hoop(value(shape.radius), value(shape.wire_radius))),
    Polyhedron: (Facets, lambda shape, value: Facets(shape.hull)),
    Plane: (HalfSpace, lambda shape, value: HalfSpace()),
    Tube: (Bore, lambda shape, value: Bore(value(shape.inner_radius))),
    Relief: (Terrain, lambda shape, value: Terrain(heights_of(shape.height, value, value.scalars))),
    TriangleMesh: (Surface, lambda shape, value: Surface(shape.surface)),
    HeightField: (Surface, lambda shape, value: Surface(shape.surface)),
}
"""Cores by the class of the shape, and how they are formed."""

CONTACT_SHAPES = tuple(cls.__name__ for cls in _CORES)
"""The names of shapes that contacts know."""


def shape_name(core: type[Core] | None) -> str:
    """Return the name of the shapes that have a core; a sphere stands for points too."""
    return next((cls.__name__ for cls, (kind, _) in _CORES.items() if kind is core), "an unknown shape")
