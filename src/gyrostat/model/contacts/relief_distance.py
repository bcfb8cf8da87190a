"""Nearest point of a surface z = f(x, y), over abstract scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from gyrostat.model.contacts.nearest import Nearest, ShapePose
from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract, total
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.spatial import Vector, apply, dot, minus

_ROUNDS = 4
"""Newton steps towards the nearest point, from the point below."""


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


def ball_relief(center: Vector, radius: Scalar, relief: ShapePose, heights: Heights, scalars: Scalars) -> Nearest:
    """Return the nearest points of a ball a and a surface b.

    The foot s = (x, y, f) of the centre p satisfies (s_x − p_x) + (f − p_z) f_x = 0, and likewise for y.
    """
    px, py, pz = relief.seen(center)
    x, y = px, py
    for _ in range(_ROUNDS):
        h = heights(x, y)
        up = subtract(h.z, pz)
        rx, ry = add(subtract(x, px), multiply(up, h.x)), add(subtract(y, py), multiply(up, h.y))
        a = total([1, square(h.x), multiply(up, h.xx)])
        b = add(multiply(h.x, h.y), multiply(up, h.xy))
        d = total([1, square(h.y), multiply(up, h.yy)])
        determinant = subtract(multiply(a, d), square(b))
        x = subtract(x, divide(subtract(multiply(d, rx), multiply(b, ry)), determinant))
        y = subtract(y, divide(subtract(multiply(a, ry), multiply(b, rx)), determinant))
    h = heights(x, y)
    size = scalars.call("sqrt", (total([1, square(h.x), square(h.y)]),))
    normal = apply(relief.R_WS, (divide(multiply(-1, h.x), size), divide(multiply(-1, h.y), size), divide(1, size)))
    foot = relief.point((x, y, h.z))
    return Nearest(dot(minus(center, foot), normal), normal, center, foot).inflated(radius, 0)
