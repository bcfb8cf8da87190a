"""Nearest points of pairs of surfaces in closed form, over abstract scalars: shape data and poses in, gaps out.

All vectors are in world axes. The normal leads from the surface of b to that of a; the gap is negative where the
bodies overlap. Functions know neither bodies nor laws. Round shapes are a core (a point, a segment) with a radius:
functions give the nearest points of cores, and `inflated` adds the radii.
"""

from __future__ import annotations

from typing import NamedTuple

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, subtract
from gyrostat.spatial import Matrix, Vector, apply, dot, minus, opposite, plus, scale

TINY = 1e-30
"""Added below square roots (m²), so that derivatives stay finite where a distance is zero."""


class Pose(NamedTuple):
    """Origin and axes of a shape's frame S in the world; the columns of R_WS are its axes."""

    position: Vector
    R_WS: Matrix

    def axis(self, k: int) -> Vector:
        """Return axis k of S."""
        return (self.R_WS[0][k], self.R_WS[1][k], self.R_WS[2][k])

    def point(self, r_S: Vector) -> Vector:
        """Return the position of a point given in S."""
        return plus(self.position, apply(self.R_WS, r_S))


class Nearest(NamedTuple):
    """The nearest points of two surfaces."""

    gap: Scalar
    normal: Vector
    """Unit vector from b to a."""
    point_a: Vector
    point_b: Vector

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


def point_plane(point: Vector, plane: Pose) -> Nearest:
    """Return the nearest points of a point a and a plane b through the origin of S, with S's z axis outwards."""
    normal = plane.axis(2)
    gap = dot(minus(point, plane.position), normal)
    return Nearest(gap, normal, point, minus(point, scale(gap, normal)))


def point_point(a: Vector, b: Vector, scalars: Scalars) -> Nearest:
    """Return the nearest points of two points."""
    along = minus(a, b)
    gap = scalars.call("sqrt", (add(dot(along, along), TINY),))
    normal: Vector = (divide(along[0], gap), divide(along[1], gap), divide(along[2], gap))
    return Nearest(gap, normal, a, b)


def sphere_plane(center: Vector, radius: Scalar, plane: Pose) -> Nearest:
    """Return the nearest points of a sphere a and a plane b."""
    return point_plane(center, plane).inflated(radius, 0)


def sphere_sphere(a: Vector, radius_a: Scalar, b: Vector, radius_b: Scalar, scalars: Scalars) -> Nearest:
    """Return the nearest points of two spheres."""
    return point_point(a, b, scalars).inflated(radius_a, radius_b)
