"""Contact of features of two shapes: planes, edges and corners, whose nearest points have closed forms.

A kernel finds which features of two shapes touch; the formulas here give gap, normal and place from the features alone,
so that derivatives are exact as long as the features stay the same.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

from gyrostat.model.contacts.nearest import SQUARE_ROUNDING, Nearest, ShapePose
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply
from gyrostat.spatial import Vector, apply, cross, dot, minus, plus, scale


class FeatureMode(IntEnum):
    """Features that touch: modes on b have the plane on b, those on a exchange both shapes."""

    PLANE_B = 1
    """A corner of a and a plane of b."""
    PLANE_A = 2
    CROSSING_B = 3
    """A plane of b, and the point of an edge of a in a side plane of b."""
    CROSSING_A = 4
    CORNER_B = 5
    """A plane of b at one of its corners, and the plane of a over it."""
    CORNER_A = 6
    EDGES = 7
    """Two edges."""
    CORNER_EDGE = 8
    """A corner of a and an edge of b."""
    EDGE_CORNER = 9
    CORNERS = 10
    """Two corners."""


class Feature(NamedTuple):
    """Features that touch, each in the axes of its shape."""

    sign: Scalar
    """The sign of a normal that the features do not determine."""
    point_a: Vector
    line_a: Vector
    """Direction of an edge of a, or the normal of its plane."""
    point_b: Vector
    line_b: Vector
    side: Vector
    """Normal of a side plane through `point_a` or `point_b`."""
    rounding_a: Scalar
    rounding_b: Scalar

    @staticmethod
    def of(entries: list[Scalar]) -> Feature:
        """Return a feature from its numbers in order."""
        p, d, q, e, m = ((entries[k], entries[k + 1], entries[k + 2]) for k in range(1, 16, 3))
        return Feature(entries[0], p, d, q, e, m, entries[16], entries[17])

    def exchanged(self) -> Feature:
        """Return the same with a and b exchanged."""
        return Feature(
            self.sign, self.point_b, self.line_b, self.point_a, self.line_a, self.side, self.rounding_b, self.rounding_a
        )


def feature_touch(mode: FeatureMode, feature: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    """Return the nearest points of two features."""
    if mode in _EXCHANGED_MODES:
        return feature_touch(_EXCHANGED_MODES[mode], feature.exchanged(), b, a, scalars).exchanged()
    return _FORMS[mode](feature, a, b, scalars).inflated(feature.rounding_a, feature.rounding_b)


def _plane(f: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    return _over_plane(a.point(f.point_a), f, b)


def _over_plane(x: Vector, f: Feature, b: ShapePose) -> Nearest:
    normal = apply(b.R_WS, f.line_b)
    return Nearest.at(x, dot(normal, minus(x, b.point(f.point_b))), normal)


def _crossing(f: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    start, along, side = a.point(f.point_a), apply(a.R_WS, f.line_a), apply(b.R_WS, f.side)
    part = divide(dot(side, minus(b.point(f.point_b), start)), dot(side, along))
    return _over_plane(plus(start, scale(part, along)), f, b)


def _corner(f: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    corner, normal, plane = b.point(f.point_b), apply(b.R_WS, f.line_b), apply(a.R_WS, f.line_a)
    gap = divide(dot(plane, minus(a.point(f.point_a), corner)), dot(plane, normal))
    return Nearest(gap, normal, plus(corner, scale(gap, normal)), corner)


def _edges(f: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    x, y, u, v = a.point(f.point_a), b.point(f.point_b), apply(a.R_WS, f.line_a), apply(b.R_WS, f.line_b)
    across, apart = cross(u, v), minus(y, x)
    square = add(dot(across, across), SQUARE_ROUNDING)
    normal = scale(divide(f.sign, scalars.call("sqrt", (square,))), across)
    on_a = plus(x, scale(divide(dot(cross(apart, v), across), square), u))
    on_b = plus(y, scale(divide(dot(cross(apart, u), across), square), v))
    return Nearest(dot(normal, minus(x, y)), normal, on_a, on_b)


def _corner_edge(f: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    x, y, v = a.point(f.point_a), b.point(f.point_b), apply(b.R_WS, f.line_b)
    foot = plus(y, scale(divide(dot(minus(x, y), v), dot(v, v)), v))
    return _between(x, foot, f.sign, scalars)


def _corners(f: Feature, a: ShapePose, b: ShapePose, scalars: Scalars) -> Nearest:
    return _between(a.point(f.point_a), b.point(f.point_b), f.sign, scalars)


def _between(x: Vector, y: Vector, sign: Scalar, scalars: Scalars) -> Nearest:
    along = minus(x, y)
    distance = scalars.call("sqrt", (add(dot(along, along), SQUARE_ROUNDING),))
    return Nearest(multiply(sign, distance), scale(divide(sign, distance), along), x, y)


_FORMS: dict[FeatureMode, Callable[[Feature, ShapePose, ShapePose, Scalars], Nearest]] = {
    FeatureMode.PLANE_B: _plane,
    FeatureMode.CROSSING_B: _crossing,
    FeatureMode.CORNER_B: _corner,
    FeatureMode.EDGES: _edges,
    FeatureMode.CORNER_EDGE: _corner_edge,
    FeatureMode.CORNERS: _corners,
}
_EXCHANGED_MODES = {
    FeatureMode.PLANE_A: FeatureMode.PLANE_B,
    FeatureMode.CROSSING_A: FeatureMode.CROSSING_B,
    FeatureMode.CORNER_A: FeatureMode.CORNER_B,
    FeatureMode.EDGE_CORNER: FeatureMode.CORNER_EDGE,
}
