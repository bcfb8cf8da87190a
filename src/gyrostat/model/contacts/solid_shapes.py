"""The shapes of a body that touch others, with numbers: cores, placements and bounding spheres."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from gyrostat.model.body import Body
from gyrostat.model.contacts.core import (
    Ball,
    Block,
    Core,
    Drum,
    Facets,
    HalfSpace,
    Peak,
    Segment,
    Surface,
    core_of,
    core_type,
)
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.shapes import Group, Placement, Shape

KNOWN_CORES = (Ball, Segment, Block, Drum, Peak, Facets, Surface, HalfSpace)
"""The cores of shapes that contacts of many pairs know."""


class PlacedCore(NamedTuple):
    """A shape on a body."""

    core: Core
    placement: Placement
    radius: float
    """Radius of the bounding sphere about the origin of the shape; 0 for a plane, which has none."""


def contact_shapes(body: Body) -> tuple[Shape, ...]:
    """Return the shapes of a body that touch others: its surfaces, or without any those of its solid."""
    return tuple(body.surfaces.values()) or body.solid_shapes()


def simple_shapes(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    """Yield all shapes that are no groups, those in groups included."""
    for shape in shapes:
        if isinstance(shape, Group):
            yield from simple_shapes(shape.shapes)
        else:
            yield shape


def is_known(shape: Shape) -> bool:
    """Return whether contacts of many pairs know a shape."""
    return core_type(shape) in KNOWN_CORES


def placed_cores(body: Body, value: Evaluator) -> Iterator[PlacedCore]:
    """Yield the shapes of a body that touch others, with numbers."""
    yield from _placed(contact_shapes(body), Placement(), value)


def _placed(shapes: tuple[Shape, ...], on: Placement, value: Evaluator) -> Iterator[PlacedCore]:
    for shape in shapes:
        placement = on.then(shape.placement(value))
        if isinstance(shape, Group):
            yield from _placed(shape.shapes, placement, value)
        elif is_known(shape):
            core = core_of(shape, value)
            yield PlacedCore(core, placement, _bounding_radius(core))


def _bounding_radius(core: Core) -> float:
    """Return the radius of the sphere about the origin that holds a shape."""
    match core:
        case Ball(radius):
            return float(radius)
        case Segment(half, radius):
            return float(half + radius)
        case Block(half):
            return math.hypot(*half)
        case Drum(radius, half):
            return math.hypot(radius, half)
        case Peak(radius, height):
            return max(0.75 * float(height), math.hypot(radius, 0.25 * height))
        case Facets(hull):
            return max(math.hypot(*corner) for corner in hull.corners)
        case Surface(triangles):
            return triangles.radius
    return 0.0
