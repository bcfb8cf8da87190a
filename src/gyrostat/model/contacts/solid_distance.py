"""Nearest points of a point and a cone or a convex polyhedron, over abstract scalars."""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.model.contacts.nearest import SQUARE_ROUNDING, Nearest, ShapePose, clamped
from gyrostat.model.shapes.hull import Hull
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, subtract, total
from gyrostat.spatial import Vector, apply, cross, dot, minus, plus, scale


class _Found(NamedTuple):
    """The nearest place so far, and the square of its distance."""

    squared: Scalar
    place: Vector

    def or_nearer(self, other: _Found, scalars: Scalars) -> _Found:
        """Return the nearer of two places."""
        call, nearer = scalars.call, scalars.compare("<", other.squared, self.squared)
        x, y, z = (call("where", (nearer, new, old)) for new, old in zip(other.place, self.place, strict=True))
        return _Found(call("where", (nearer, other.squared, self.squared)), (x, y, z))


_LARGEST_SQUARE = 1e30
"""A squared distance (m²) beyond all others."""


def point_hull(point: Vector, pose: ShapePose, hull: Hull, scalars: Scalars) -> Nearest:
    """Return the nearest points of a point and a convex polyhedron: face, edge or corner; inside, a face."""
    call, compare = scalars.call, scalars.compare
    seen = pose.seen(point)
    above = [subtract(dot(face.normal, seen), face.offset) for face in hull.faces]
    largest = call("max", tuple(above))
    found = _Found(_LARGEST_SQUARE, (0, 0, 0))
    for a, b in hull.edges:
        found = found.or_nearer(_on_edge(seen, hull.corners[a], hull.corners[b], scalars), scalars)
    inner: Vector = hull.faces[0].normal
    for face, height in zip(hull.faces, above, strict=True):
        n = face.normal
        beside = [
            dot(cross(n, minus(hull.corners[b], hull.corners[a])), minus(seen, hull.corners[a]))
            for a, b in zip(face.corners, (*face.corners[1:], face.corners[0]), strict=True)
        ]
        over = scalars.logic("and", (compare(">=", call("min", tuple(beside)), 0), compare(">=", height, 0)))
        squared = call("where", (over, multiply(height, height), _LARGEST_SQUARE))
        found = found.or_nearer(_Found(squared, minus(seen, scale(height, n))), scalars)
        is_nearest = compare(">=", height, largest)
        inner = _chosen(is_nearest, n, inner, scalars)
    distance = call("sqrt", (add(found.squared, SQUARE_ROUNDING),))
    is_out = compare(">", largest, 0)
    away = minus(seen, found.place)
    outer = (divide(away[0], distance), divide(away[1], distance), divide(away[2], distance))
    normal = _chosen(is_out, outer, inner, scalars)
    return Nearest.at(point, call("where", (is_out, distance, largest)), apply(pose.R_WS, normal))


def _on_edge(seen: Vector, a: Vector, b: Vector, scalars: Scalars) -> _Found:
    """Return the place on an edge that is nearest to a point."""
    along = minus(b, a)
    part = divide(dot(minus(seen, a), along), dot(along, along))
    part = scalars.call("max", (scalars.call("min", (part, 1)), 0))
    place = plus(a, scale(part, along))
    away = minus(seen, place)
    return _Found(dot(away, away), place)


def _chosen(condition: Scalar, yes: Vector, no: Vector, scalars: Scalars) -> Vector:
    x, y, z = (scalars.call("where", (condition, a, b)) for a, b in zip(yes, no, strict=True))
    return (x, y, z)


def point_cone(point: Vector, cone: ShapePose, radius: Scalar, height: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of a point and a solid cone along z about its centroid: mantle, base, rim or apex.

    In the half-plane of the point and the axis, with coordinates (r, z), the cone is a triangle between the apex
    (0, 3h/4), the rim (R, −h/4) and the middle of the base.
    """
    call, compare = scalars.call, scalars.compare
    x, y, z = cone.seen(point)
    r = call("sqrt", (total([multiply(x, x), multiply(y, y), SQUARE_ROUNDING]),))
    top, bottom = divide(multiply(3, height), 4), divide(height, -4)
    slant = call("sqrt", (add(multiply(radius, radius), multiply(height, height)),))
    n_r, n_z = divide(height, slant), divide(radius, slant)  # of the mantle
    over_mantle = add(multiply(n_r, r), multiply(n_z, subtract(z, top)))
    below_base = subtract(bottom, z)
    largest = call("max", (over_mantle, below_base))
    along = subtract(multiply(n_z, r), multiply(n_r, subtract(z, top)))  # from the apex towards the rim
    part = add(divide(slant, 2), clamped(subtract(along, divide(slant, 2)), divide(slant, 2), scalars))
    on_mantle = (multiply(n_z, part), subtract(top, multiply(n_r, part)))
    on_base = (call("min", (r, radius)), bottom)
    away = [(subtract(r, a), subtract(z, b)) for a, b in (on_mantle, on_base)]
    squares = [add(multiply(a, a), multiply(b, b)) for a, b in away]
    mantle = compare("<=", squares[0], squares[1])
    distance = call("sqrt", (add(call("min", tuple(squares)), SQUARE_ROUNDING),))
    is_out, by_mantle = compare(">", largest, 0), compare(">=", over_mantle, below_base)
    inner = (call("where", (by_mantle, n_r, 0)), call("where", (by_mantle, n_z, -1)))
    outer = (divide(call("where", (mantle, away[0][k], away[1][k])), distance) for k in range(2))
    out, up = (call("where", (is_out, far, near)) for far, near in zip(outer, inner, strict=True))
    around = divide(out, r)
    return Nearest.at(
        point,
        call("where", (is_out, distance, largest)),
        apply(cone.R_WS, (multiply(around, x), multiply(around, y), up)),
    )
