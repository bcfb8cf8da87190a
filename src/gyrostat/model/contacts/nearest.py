"""Nearest points of a point and a surface in closed form, over abstract scalars: shape data and poses in, gaps out.

All vectors are in world axes unless their names say otherwise. The normal leads from the surface of b to a; the gap is
negative where they overlap. Functions know neither bodies nor laws. Round shapes are a core (a point, a segment) with
a radius, which `inflated` adds.
"""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, subtract, total
from gyrostat.spatial import Matrix, Vector, apply, dot, minus, opposite, plus, scale, transpose

SQUARE_ROUNDING = 1e-30
"""Added below square roots (m²), so that derivatives stay finite where a distance is zero."""


class ShapePose(NamedTuple):
    """Origin and axes of a shape's frame S in the world; the columns of R_WS are its axes."""

    position: Vector
    R_WS: Matrix

    def axis(self, k: int) -> Vector:
        """Return axis k of S."""
        return (self.R_WS[0][k], self.R_WS[1][k], self.R_WS[2][k])

    def point(self, r_S: Vector) -> Vector:
        """Return the position of a point given in S."""
        return plus(self.position, apply(self.R_WS, r_S))

    def seen(self, point: Vector) -> Vector:
        """Return a position in S."""
        return apply(transpose(self.R_WS), minus(point, self.position))


class Nearest(NamedTuple):
    """The nearest points of two surfaces."""

    gap: Scalar
    normal: Vector
    """Unit vector from b to a."""
    point_a: Vector
    point_b: Vector

    @staticmethod
    def at(point: Vector, gap: Scalar, normal: Vector) -> Nearest:
        """Return the nearest points of a point a and a surface in the direction of −normal."""
        return Nearest(gap, normal, point, minus(point, scale(gap, normal)))

    @property
    def middle(self) -> Vector:
        """The point between both, where contact forces act."""
        return scale(0.5, plus(self.point_a, self.point_b))

    def inflated(self, radius_a: Scalar, radius_b: Scalar) -> Nearest:
        """Return the nearest points of both shapes with layers of given thickness around them."""
        return Nearest(
            subtract(subtract(self.gap, radius_a), radius_b),
            self.normal,
            minus(self.point_a, scale(radius_a, self.normal)),
            plus(self.point_b, scale(radius_b, self.normal)),
        )

    def exchanged(self) -> Nearest:
        """Return the same with a and b exchanged."""
        return Nearest(self.gap, opposite(self.normal), self.point_b, self.point_a)


def point_plane(point: Vector, plane: ShapePose) -> Nearest:
    """Return the nearest points of a point a and a plane b through the origin of S, with S's z axis outwards."""
    normal = plane.axis(2)
    return Nearest.at(point, dot(minus(point, plane.position), normal), normal)


def point_point(a: Vector, b: Vector, scalars: Scalars) -> Nearest:
    """Return the nearest points of two points."""
    along = minus(a, b)
    gap = _length(along, scalars)
    return Nearest(gap, _divided(along, gap), a, b)


def sphere_plane(center: Vector, radius: Scalar, plane: ShapePose) -> Nearest:
    """Return the nearest points of a sphere a and a plane b."""
    return point_plane(center, plane).inflated(radius, 0)


def sphere_sphere(a: Vector, radius_a: Scalar, b: Vector, radius_b: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of two spheres."""
    return point_point(a, b, scalars).inflated(radius_a, radius_b)


def point_segment(point: Vector, segment: ShapePose, half: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of a point and a segment of given half length along S's z axis."""
    axis = segment.axis(2)
    along = clamped(dot(minus(point, segment.position), axis), half, scalars)
    return point_point(point, plus(segment.position, scale(along, axis)), scalars)


def segment_segment(a: ShapePose, half_a: Scalar, b: ShapePose, half_b: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of two segments along the z axes of their frames (Ericson 2005, section 5.1.9).

    Of parallel segments, whose nearest points are not unique, those nearest to the middle of a.
    """
    u, v, apart = a.axis(2), b.axis(2), minus(a.position, b.position)
    cosine, on_u, on_v = dot(u, v), dot(u, apart), dot(v, apart)
    spread = add(subtract(1, multiply(cosine, cosine)), SQUARE_ROUNDING)
    free = divide(subtract(multiply(cosine, on_v), on_u), spread)
    s = clamped(free, half_a, scalars)
    t = clamped(add(multiply(cosine, s), on_v), half_b, scalars)
    s = clamped(subtract(multiply(cosine, t), on_u), half_a, scalars)
    return point_point(plus(a.position, scale(s, u)), plus(b.position, scale(t, v)), scalars)


def point_box(point: Vector, box: ShapePose, half: Vector, scalars: Scalars) -> Nearest:
    """Return the nearest points of a point and a box: outside on a face, an edge or a corner, inside on a face."""
    call, compare = scalars.call, scalars.compare
    seen = box.seen(point)
    signs = [call("where", (compare(">=", x, 0), 1, -1)) for x in seen]
    beyond = [subtract(multiply(sign, x), h) for sign, x, h in zip(signs, seen, half, strict=True)]
    largest = call("max", tuple(beyond))
    outside = [call("max", (x, 0)) for x in beyond]
    distance = call("sqrt", (add(total([multiply(x, x) for x in outside]), SQUARE_ROUNDING),))
    is_out = compare(">", largest, 0)
    inner = _faces(beyond, largest, scalars)
    gap = call("where", (is_out, distance, largest))
    n = [
        multiply(sign, call("where", (is_out, divide(x, distance), face)))
        for sign, x, face in zip(signs, outside, inner, strict=True)
    ]
    return Nearest.at(point, gap, apply(box.R_WS, (n[0], n[1], n[2])))


def _faces(beyond: list[Scalar], largest: Scalar, scalars: Scalars) -> list[Scalar]:
    """Return 1 for the face that an inner point is nearest to, otherwise 0."""
    call, compare = scalars.call, scalars.compare
    first = call("where", (compare(">=", beyond[0], largest), 1, 0))
    second = call("where", (compare(">=", beyond[1], largest), subtract(1, first), 0))
    return [first, second, subtract(subtract(1, first), second)]


def point_cylinder(point: Vector, cylinder: ShapePose, radius: Scalar, half: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of a point and a solid cylinder along S's z axis: on its mantle, an end, or a rim."""
    call, compare = scalars.call, scalars.compare
    x, y, z = cylinder.seen(point)
    distance = call("sqrt", (total([multiply(x, x), multiply(y, y), SQUARE_ROUNDING]),))
    side = call("where", (compare(">=", z, 0), 1, -1))
    out, up = subtract(distance, radius), subtract(multiply(side, z), half)
    outside = [call("max", (one, 0)) for one in (out, up)]
    corner = call(
        "sqrt", (total([multiply(outside[0], outside[0]), multiply(outside[1], outside[1]), SQUARE_ROUNDING]),)
    )
    largest = call("max", (out, up))
    is_out, radial = compare(">", largest, 0), compare(">=", out, up)
    gap = call("where", (is_out, corner, largest))
    n_out = call("where", (is_out, divide(outside[0], corner), call("where", (radial, 1, 0))))
    n_up = call("where", (is_out, divide(outside[1], corner), call("where", (radial, 0, 1))))
    around = divide(n_out, distance)
    return Nearest.at(
        point, gap, apply(cylinder.R_WS, (multiply(around, x), multiply(around, y), multiply(side, n_up)))
    )


def point_bore(point: Vector, bore: ShapePose, radius: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of a point and the inner surface of a long round hole along S's z axis."""
    x, y, _ = bore.seen(point)
    distance = scalars.call("sqrt", (total([multiply(x, x), multiply(y, y), SQUARE_ROUNDING]),))
    inwards = divide(-1, distance)
    return Nearest.at(
        point, subtract(radius, distance), apply(bore.R_WS, (multiply(inwards, x), multiply(inwards, y), 0))
    )


def rim_plane(rim: ShapePose, radius: Scalar, plane: ShapePose, scalars: Scalars) -> Nearest:
    """Return the lowest point of a circle about S's z axis and its foot on a plane; flat, the centre of the circle."""
    return point_plane(rim_point(rim, radius, plane.axis(2), scalars), plane)


def rim_point(rim: ShapePose, radius: Scalar, up: Vector, scalars: Scalars) -> Vector:
    """Return the point of a circle about S's z axis that is farthest against a direction."""
    axis = rim.axis(2)
    down = minus(scale(dot(axis, up), axis), up)
    return plus(rim.position, scale(divide(radius, _length(down, scalars)), down))


def clamped(x: Scalar, half: Scalar, scalars: Scalars) -> Scalar:
    """Return x, not beyond ± half."""
    return scalars.call("max", (scalars.call("min", (x, half)), multiply(-1, half)))


def _length(a: Vector, scalars: Scalars) -> Scalar:
    return scalars.call("sqrt", (add(dot(a, a), SQUARE_ROUNDING),))


def _divided(a: Vector, by: Scalar) -> Vector:
    return (divide(a[0], by), divide(a[1], by), divide(a[2], by))
