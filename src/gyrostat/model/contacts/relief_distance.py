"""Nearest point of a surface z = f(x, y), over abstract scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gyrostat.model.contacts.nearest import SQUARE_ROUNDING, Nearest, ShapePose
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract, total
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import Vector, apply, dot, minus

_ROUNDS = 4
"""Newton steps towards the nearest point, from the point below."""
_SMALLEST_DETERMINANT = 0.25
"""The least determinant of Newton's equations, in terms of that without curvature."""
_FOOT_TOLERANCE = 1e-8
"""How far a foot may be from the point along the tangents, squared, in terms of its distance squared."""


class Height(NamedTuple):
    """The height of a surface at a place, with its first and second derivatives."""

    z: Scalar
    x: Scalar
    y: Scalar
    xx: Scalar
    xy: Scalar
    yy: Scalar


Heights = Callable[[Scalar, Scalar], Height]


def heights_of(formula: Formula, evaluate: Callable[[Formula], Scalar], scalars: Scalars) -> Heights:
    """Return the function that gives the height and its derivatives, by jets in three directions."""

    def height(x: Scalar, y: Scalar) -> Height:
        def along(dx: int, dy: int) -> Jet:
            variables = {"x": Jet(x, dx), "y": Jet(y, dy)}

            def lookup(name: str) -> Scalar:
                return variables[name] if name in variables else Jet(evaluate(Formula.of(name)))

            return as_jet(formula.evaluate(JetScalars(scalars), lookup))

        in_x, in_y, across = along(1, 0), along(0, 1), along(1, 1)
        xx, yy = in_x.acceleration, in_y.acceleration
        xy = divide(subtract(subtract(across.acceleration, xx), yy), 2)
        return Height(in_x.value, in_x.rate, in_y.rate, xx, xy, yy)

    return height


class _Foot(NamedTuple):
    """A point s of the surface over (x, y), as an approximation of the foot of a point p."""

    x: Scalar
    y: Scalar
    height: Height
    way: Vector
    """From p to s."""
    along: tuple[Scalar, Scalar]
    """The way along the tangents (1, 0, f_x) and (0, 1, f_y): zero at the foot."""

    @staticmethod
    def over(x: Scalar, y: Scalar, p: Vector, heights: Heights) -> _Foot:
        """Return the point of the surface over (x, y)."""
        h = heights(x, y)
        dx, dy, up = way = minus((x, y, h.z), p)
        return _Foot(x, y, h, way, (add(dx, multiply(up, h.x)), add(dy, multiply(up, h.y))))

    def normal(self, scalars: Scalars) -> Vector:
        """Return the upward unit normal of the surface."""
        h = self.height
        size = scalars.call("sqrt", (total([1, square(h.x), square(h.y)]),))
        return (divide(negate(h.x), size), divide(negate(h.y), size), divide(1, size))

    def next(self, p: Vector, heights: Heights, scalars: Scalars) -> _Foot:
        """Return a better approximation.

        It is Newton's, or where the curvature of the surface would make that no descent, the foot on the tangent plane.
        """
        h, (along_x, along_y) = self.height, self.along
        flat = add(1, square(h.x)), multiply(h.x, h.y), add(1, square(h.y))
        bent = tuple(
            add(one, multiply(self.way[2], second)) for one, second in zip(flat, (h.xx, h.xy, h.yy), strict=True)
        )
        regular = scalars.compare(">", _determinant(*bent), multiply(_SMALLEST_DETERMINANT, _determinant(*flat)))
        descends = scalars.logic("and", (regular, scalars.compare(">", bent[0], 0)))
        a, b, d = (scalars.call("where", (descends, one, other)) for one, other in zip(bent, flat, strict=True))
        determinant = _determinant(a, b, d)
        change_x = divide(subtract(multiply(d, along_x), multiply(b, along_y)), determinant)
        change_y = divide(subtract(multiply(a, along_y), multiply(b, along_x)), determinant)
        return _Foot.over(subtract(self.x, change_x), subtract(self.y, change_y), p, heights)


def _determinant(a: Scalar, b: Scalar, d: Scalar) -> Scalar:
    return subtract(multiply(a, d), square(b))


def ball_relief(center: Vector, radius: Scalar, relief: ShapePose, heights: Heights, scalars: Scalars) -> Nearest:
    """Return the nearest points of a ball a and a surface b.

    The foot s = (x, y, f) of the centre p satisfies (s_x − p_x) + (f − p_z) f_x = 0, and likewise for y. Where the
    search ends elsewhere, on the other side of the surface than p, or farther than the surface below p, the tangent
    plane there takes its place: what is above the surface is never below it.
    """
    guards, p = without_switches(scalars), relief.seen(center)
    below = foot = _Foot.over(p[0], p[1], p, heights)
    for _ in range(_ROUNDS):
        foot = foot.next(p, heights, guards)
    gaps, normals = [], []
    for one in (foot, below):
        normals.append(one.normal(scalars))
        gaps.append(negate(dot(one.way, normals[-1])))
    valid = _is_valid(foot, gaps[0], below.way[2], guards)
    gap = guards.call("where", (valid, *gaps))
    x, y, z = (guards.call("where", (valid, one, other)) for one, other in zip(*normals, strict=True))
    return Nearest.at(center, gap, apply(relief.R_WS, (x, y, z))).inflated(radius, 0)


def _is_valid(foot: _Foot, gap: Scalar, up: Scalar, scalars: Scalars) -> Scalar:
    """Return whether a search has ended at a foot on the side of p, no farther than `up`, the surface below p."""
    along, distance = add(square(foot.along[0]), square(foot.along[1])), square(gap)
    ended = scalars.compare("<=", along, add(multiply(_FOOT_TOLERANCE, distance), SQUARE_ROUNDING))
    same_side = scalars.compare("<=", multiply(gap, up), 0)
    near = scalars.compare("<=", distance, add(multiply(1 + _FOOT_TOLERANCE, square(up)), SQUARE_ROUNDING))
    return scalars.logic("and", (ended, same_side, near))
