"""Pairs of shapes whose nearest points have a closed form, each with one or several points of contact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gyrostat.model.contacts import nearest as near
from gyrostat.model.contacts.core import Ball, Block, Bore, Core, Drum, Facets, HalfSpace, Hoop, Peak, Segment, Terrain
from gyrostat.model.contacts.nearest import Nearest, ShapePose
from gyrostat.model.contacts.relief_distance import ball_relief
from gyrostat.model.contacts.solid_distance import point_cone, point_hull
from gyrostat.model.shapes import Polyhedron, Shape
from gyrostat.scalar import Scalars
from gyrostat.scalar.algebra import divide, multiply, negate
from gyrostat.spatial import Vector, dot, minus

Touches = list[Nearest]
"""The points of contact of a pair, always as many."""


class Pair(NamedTuple):
    """A pair of cores: how many points of contact it has, and how they are found from cores and poses."""

    points: int
    touches: Callable[[Any, ShapePose, Any, ShapePose, Scalars], Touches]
    each_corner: bool = False
    """Whether each corner of a polyhedron is a point of contact."""

    def count(self, *shapes: Shape | None) -> int:
        """Return the number of points of contact of two shapes."""
        corners = [len(shape.hull.corners) for shape in shapes if isinstance(shape, Polyhedron)]
        return corners[0] if self.each_corner else self.points


def _ends(segment: Segment, pose: ShapePose) -> tuple[Vector, Vector]:
    return pose.point((0, 0, segment.half)), pose.point((0, 0, negate(segment.half)))


def _ball_plane(a: Ball, at: ShapePose, b: HalfSpace, plane: ShapePose, scalars: Scalars) -> Touches:
    return [near.sphere_plane(at.position, a.radius, plane)]


def _ball_ball(a: Ball, at: ShapePose, b: Ball, other: ShapePose, scalars: Scalars) -> Touches:
    return [near.sphere_sphere(at.position, a.radius, other.position, b.radius, scalars)]


def _ball_segment(a: Ball, at: ShapePose, b: Segment, segment: ShapePose, scalars: Scalars) -> Touches:
    return [near.point_segment(at.position, segment, b.half, scalars).inflated(a.radius, b.radius)]


def _ball_block(a: Ball, at: ShapePose, b: Block, box: ShapePose, scalars: Scalars) -> Touches:
    return [near.point_box(at.position, box, b.half, scalars).inflated(a.radius, 0)]


def _ball_drum(a: Ball, at: ShapePose, b: Drum, drum: ShapePose, scalars: Scalars) -> Touches:
    return [near.point_cylinder(at.position, drum, b.radius, b.half, scalars).inflated(a.radius, 0)]


def _ball_bore(a: Ball, at: ShapePose, b: Bore, bore: ShapePose, scalars: Scalars) -> Touches:
    return [near.point_bore(at.position, bore, b.radius, scalars).inflated(a.radius, 0)]


def _ball_terrain(a: Ball, at: ShapePose, b: Terrain, relief: ShapePose, scalars: Scalars) -> Touches:
    return [ball_relief(at.position, a.radius, relief, b.heights, scalars)]


def _ball_peak(a: Ball, at: ShapePose, b: Peak, cone: ShapePose, scalars: Scalars) -> Touches:
    return [point_cone(at.position, cone, b.radius, b.height, scalars).inflated(a.radius, 0)]


def _ball_facets(a: Ball, at: ShapePose, b: Facets, other: ShapePose, scalars: Scalars) -> Touches:
    return [point_hull(at.position, other, b.hull, scalars).inflated(a.radius, 0)]


def _segment_plane(a: Segment, at: ShapePose, b: HalfSpace, plane: ShapePose, scalars: Scalars) -> Touches:
    return [near.sphere_plane(end, a.radius, plane) for end in _ends(a, at)]


def _segment_segment(a: Segment, at: ShapePose, b: Segment, other: ShapePose, scalars: Scalars) -> Touches:
    return [near.segment_segment(at, a.half, other, b.half, scalars).inflated(a.radius, b.radius)]


def _segment_bore(a: Segment, at: ShapePose, b: Bore, bore: ShapePose, scalars: Scalars) -> Touches:
    return [near.point_bore(end, bore, b.radius, scalars).inflated(a.radius, 0) for end in _ends(a, at)]


def _corners_plane(a: Block | Facets, at: ShapePose, b: HalfSpace, plane: ShapePose, scalars: Scalars) -> Touches:
    return [near.point_plane(corner, plane) for corner in a.corners(at)]


def _corners_terrain(a: Block | Facets, at: ShapePose, b: Terrain, relief: ShapePose, scalars: Scalars) -> Touches:
    return [ball_relief(corner, 0, relief, b.heights, scalars) for corner in a.corners(at)]


def _drum_plane(a: Drum, at: ShapePose, b: HalfSpace, plane: ShapePose, scalars: Scalars) -> Touches:
    rims = (ShapePose(at.point((0, 0, z)), at.R_WS) for z in (a.half, negate(a.half)))
    return [near.rim_plane(rim, a.radius, plane, scalars) for rim in rims]


def _peak_plane(a: Peak, at: ShapePose, b: HalfSpace, plane: ShapePose, scalars: Scalars) -> Touches:
    apex, base = (at.point((0, 0, multiply(divide(a.height, 4), share))) for share in (3, -1))
    return [near.point_plane(apex, plane), near.rim_plane(ShapePose(base, at.R_WS), a.radius, plane, scalars)]


def _hoop_plane(a: Hoop, at: ShapePose, b: HalfSpace, plane: ShapePose, scalars: Scalars) -> Touches:
    return [near.rim_plane(at, a.radius, plane, scalars).inflated(a.wire_radius, 0)]


def _hoop_terrain(a: Hoop, at: ShapePose, b: Terrain, relief: ShapePose, scalars: Scalars) -> Touches:
    """Return the lowest point over the tangent plane at the foot of the centre, as tyres on a road are described."""
    foot = ball_relief(at.position, 0, relief, b.heights, scalars)
    lowest = near.rim_point(at, a.radius, foot.normal, scalars)
    gap = dot(minus(lowest, foot.point_b), foot.normal)
    return [Nearest.at(lowest, gap, foot.normal).inflated(a.wire_radius, 0)]


PAIRS: dict[tuple[type[Core], type[Core]], Pair] = {
    (Ball, HalfSpace): Pair(1, _ball_plane),
    (Ball, Ball): Pair(1, _ball_ball),
    (Ball, Segment): Pair(1, _ball_segment),
    (Ball, Block): Pair(1, _ball_block),
    (Ball, Drum): Pair(1, _ball_drum),
    (Ball, Peak): Pair(1, _ball_peak),
    (Ball, Facets): Pair(1, _ball_facets),
    (Ball, Bore): Pair(1, _ball_bore),
    (Ball, Terrain): Pair(1, _ball_terrain),
    (Segment, HalfSpace): Pair(2, _segment_plane),
    (Segment, Segment): Pair(1, _segment_segment),
    (Segment, Bore): Pair(2, _segment_bore),
    (Block, HalfSpace): Pair(8, _corners_plane),
    (Block, Terrain): Pair(8, _corners_terrain),
    (Facets, HalfSpace): Pair(0, _corners_plane, each_corner=True),
    (Facets, Terrain): Pair(0, _corners_terrain, each_corner=True),
    (Drum, HalfSpace): Pair(2, _drum_plane),
    (Peak, HalfSpace): Pair(2, _peak_plane),
    (Hoop, HalfSpace): Pair(1, _hoop_plane),
    (Hoop, Terrain): Pair(1, _hoop_terrain),
}
"""The pairs (a, b) in closed form; the same pairs exchanged are served as well."""


def pair_of(a: type[Core], b: type[Core]) -> Pair | None:
    """Return the pair of two cores, in either order; None where there is no closed form."""
    if (a, b) in PAIRS:
        return PAIRS[a, b]
    if (b, a) not in PAIRS:
        return None
    points, touches, each_corner = PAIRS[b, a]

    def exchanged(x: Core, at: ShapePose, y: Core, other: ShapePose, scalars: Scalars) -> Touches:
        return [touch.exchanged() for touch in touches(y, other, x, at, scalars)]

    return Pair(points, exchanged, each_corner)


__all__ = ["PAIRS", "Pair", "Touches", "pair_of"]
