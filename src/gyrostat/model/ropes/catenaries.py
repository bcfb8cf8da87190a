"""Spans that hang under their weight: catenaries of a segment of rope between stations that are at rest at an instant.

The strain of a segment is uniform, ε = T̄/EA with the mean T̄ of the tension along it, and its shape has the least
potential energy of elasticity and weight: catenaries with the weight w = ρ g/(1 + ε) per length, tangent to sheaves in
their planes, in which T − w y is the same number C all along, y the height. With λ, half the difference of asinh(V/H)
between both ends of a span of the horizontal and vertical extent h and v,

    s² = v² + h² (sinh λ/λ)²,    τ = (w s/2) coth λ,    H = w h/(2 λ),    V_m = v τ/s,

where s is its length, τ the mean of the tensions τ ∓ w v/2 at its ends, H the horizontal force and V_m ∓ w s/2 the
vertical one. All lengths are found by Newton's method on λ of all spans and C/w; where the rope leaves the sheaves
follows from the directions of the sweep before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.model.ropes.hanging import HangingSegment, HangingSpan, Heavy, arc_moment
from gyrostat.model.ropes.moving_mass import ArcMass
from gyrostat.model.ropes.span import Span, radial
from gyrostat.model.ropes.station import Station
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, negate, square, subtract, total
from gyrostat.scalar.operations import without_switches
from gyrostat.spatial import ZERO, Vector, cross, dot, minus, normalised, plus, scale

SWEEPS = 14
"""Steps of Newton's method; a taut span needs four, a loose one between sheaves all of them."""
_CUBIC_STEPS = 6
_LARGEST_SLACK = 1 - 2.0**-52
_WIDTH_ROUNDING = 1e-12
"""Square of the width, relative to the distance of its ends, with which a vertical loop hangs."""


class _Ends(NamedTuple):
    """Directions of a span at both ends, in the planes of its sheaves."""

    leaving: Vector
    arriving: Vector


class _Shape(NamedTuple):
    """A catenary per unit of w."""

    points: tuple[Vector, Vector]
    way: Vector
    rise: Scalar
    width: Scalar
    """h²."""
    length: Scalar
    by_length: Scalar
    """ds/dλ."""
    level: Scalar
    """τ/w."""
    by_level: Scalar
    """d(τ/w)/dλ."""
    spread: Scalar
    """λ."""
    turned: tuple[Scalar, Scalar]
    on_sheaves: tuple[Vector, Vector]
    """The integrals of the position along the angles by which the arcs are longer."""
    height: Scalar
    """Mean height of both ends."""

    @property
    def mean(self) -> Scalar:
        """The mean tension."""
        vertical = multiply(self.level, add(1, square(divide(self.rise, self.length))))
        return divide(add(vertical, divide(self.width, multiply(multiply(2, self.spread), self.length))), 2)


@dataclass(frozen=True)
class _Hanging:
    """The search for the shape of a segment."""

    spans: Sequence[Span]
    arcs: Sequence[ArcMass]
    heavy: Heavy
    scalars: Scalars
    up: Vector
    weight: Scalar
    """ρ g."""

    def shape(self, i: int, spread: Scalar, ends: _Ends) -> _Shape:
        """Return the catenary of a span."""
        call, span = self.scalars.call, self.spans[i]
        a, b = _point(span.start, ends.leaving, span.a), _point(span.stop, ends.arriving, span.b)
        way = minus(b, a)
        rise = dot(self.up, way)
        across = minus(way, scale(rise, self.up))
        width = add(dot(across, across), multiply(_WIDTH_ROUNDING, dot(way, way)))
        sine, cosine = call("sinh", (spread,)), call("cosh", (spread,))
        longer = divide(sine, spread)
        length = call("sqrt", (add(square(rise), multiply(width, square(longer))),))
        growth = divide(multiply(width, multiply(longer, subtract(cosine, longer))), multiply(length, spread))
        ratio = divide(cosine, sine)
        by_level = divide(subtract(multiply(growth, ratio), divide(length, square(sine))), 2)
        level = divide(multiply(length, ratio), 2)
        turned = (
            self._turn(span.start, span.leaving, ends.leaving),
            self._turn(span.stop, ends.arriving, span.arriving),
        )
        on_sheaves = (
            _arc(span.start, turned[0], span.leaving, ends.leaving),
            _arc(span.stop, turned[1], ends.arriving, span.arriving),
        )
        height = divide(dot(self.up, plus(a, b)), 2)
        return _Shape((a, b), way, rise, width, length, growth, level, by_level, spread, turned, on_sheaves, height)

    def _turn(self, station: Station, first: Vector, last: Vector) -> Scalar:
        """Return the angle on a sheave from one direction to another, in the sense of the rope."""
        if station.is_point:
            return 0
        sine = multiply(station.sense, dot(station.axis, cross(first, last)))
        return self.scalars.call("atan2", (sine, dot(first, last)))

    def forces(self, shape: _Shape) -> tuple[Vector, Vector]:
        """Return the tension at both ends of a catenary per unit of w, in the direction of the path."""
        level = scale(divide(1, multiply(2, shape.spread)), minus(shape.way, scale(shape.rise, self.up)))
        middle, half = divide(multiply(shape.rise, shape.level), shape.length), divide(shape.length, 2)
        first, last = (scale(part, self.up) for part in (subtract(middle, half), add(middle, half)))
        return plus(level, first), plus(level, last)

    def ends(self, i: int, shape: _Shape) -> _Ends:
        """Return the directions of a catenary at its ends in the planes of the sheaves."""
        span = self.spans[i]
        first, last = self.forces(shape)
        return _Ends(
            span.leaving if span.start.is_point else _in_plane(span.start, first, self.scalars),
            span.arriving if span.stop.is_point else _in_plane(span.stop, last, self.scalars),
        )

    def around(self, shapes: Sequence[_Shape]) -> Scalar:
        """Return the length of rope on sheaves."""
        lengths = [multiply(arc.station.radius, arc.wrap) for arc in self.arcs]
        for span, shape in zip(self.spans, shapes, strict=True):
            lengths += [multiply(span.start.radius, shape.turned[0]), multiply(span.stop.radius, shape.turned[1])]
        return total(lengths)

    def mean(self, shapes: Sequence[_Shape], around: Scalar, length: Scalar) -> Scalar:
        """Return T̄/w."""
        C = subtract(shapes[0].level, shapes[0].height)
        moments = [multiply(one.length, one.mean) for one in shapes]
        heights = [dot(self.up, arc_moment(arc)) for arc in self.arcs]
        heights += [dot(self.up, plus(*shape.on_sheaves)) for shape in shapes]
        return divide(add(total(moments), add(multiply(C, around), total(heights))), length)

    def step(self, spreads: Sequence[Scalar], ends: Sequence[_Ends]) -> tuple[list[Scalar], list[_Ends]]:
        """Return λ of all spans after a step of Newton's method, and the directions of the shapes before it.

        Residuals are τ/w − y − C/w of each span, and S (S/P − 1) − ρ g P (T̄/w)/EA with the length S of the segment and
        the unstretched one P. At rest the height integral S (T̄ − C)/w changes by −C/w dS, and T̄/w by dC/w − (T̄/w) dS/S.
        """
        shapes = [self.shape(i, *one) for i, one in enumerate(zip(spreads, ends, strict=True))]
        around = self.around(shapes)
        P, S = self.heavy.unstretched, add(total(one.length for one in shapes), around)
        softness = divide(multiply(self.weight, P), self.heavy.EA)
        C = subtract(shapes[0].level, shapes[0].height)
        off = [subtract(subtract(one.level, one.height), C) for one in shapes]
        mean = self.mean(shapes, around, S)
        slope = add(subtract(divide(multiply(2, S), P), 1), divide(multiply(softness, mean), S))
        rates = [divide(one.by_length, one.by_level) for one in shapes]
        missing = subtract(multiply(S, subtract(divide(S, P), 1)), multiply(softness, mean))
        passed = total(multiply(rate, one) for rate, one in zip(rates, off, strict=True))
        change = divide(subtract(missing, multiply(slope, passed)), subtract(softness, multiply(slope, total(rates))))
        call, found = self.scalars.call, []
        for spread, one, shape in zip(spreads, off, shapes, strict=True):
            new = add(spread, divide(subtract(change, one), shape.by_level))
            found.append(call("max", (multiply(0.6, spread), call("min", (add(1, multiply(2, spread)), new)))))
        return found, [self.ends(i, shape) for i, shape in enumerate(shapes)]

    def first(self) -> list[Scalar]:
        """Return first values of λ, of flat parabolas with one tension, and of loose ropes from their lengths."""
        call, P, w = self.scalars.call, self.heavy.unstretched, self.weight
        ways = [minus(span.b, span.a) for span in self.spans]
        lengths, rises = [span.length for span in self.spans], [dot(self.up, way) for way in ways]
        widths = [
            add(subtract(square(length), square(rise)), multiply(_WIDTH_ROUNDING, square(length)))
            for length, rise in zip(lengths, rises, strict=True)
        ]
        heights = [divide(dot(self.up, plus(span.a, span.b)), 2) for span in self.spans]
        straight = add(total(lengths), total(multiply(arc.station.radius, arc.wrap) for arc in self.arcs))
        shares = [multiply(length, width) for length, width in zip(lengths, widths, strict=True)]
        flat = divide(multiply(square(w), total(shares)), P)
        T = self._tension(subtract(divide(straight, P), 1), divide(flat, 24))
        middle = divide(total(multiply(n, y) for n, y in zip(lengths, heights, strict=True)), total(lengths))
        loose, found = call("max", (subtract(P, straight), 0)), []
        for length, rise, width, height, share in zip(lengths, rises, widths, heights, shares, strict=True):
            level = call("max", (add(T, multiply(w, subtract(height, middle))), multiply(1e-9, multiply(w, length))))
            slack = divide(multiply(w, length), multiply(2, level))  # λ of a level span, tanh λ of a vertical one
            longer = add(length, divide(multiply(loose, share), total(shares)))
            gained = add(subtract(square(longer), square(length)), width)
            deep = call("log", (multiply(2, call("sqrt", (divide(gained, width),))),))
            deep = add(deep, call("log", (add(1, deep),)))
            steep = square(divide(rise, length))
            upright = call("atanh", (call("min", (slack, _LARGEST_SLACK)),))
            near = add(multiply(steep, upright), multiply(subtract(1, steep), slack))
            is_loose = self.scalars.compare(">", loose, 0)
            found.append(call("where", (is_loose, call("min", (near, deep)), near)))
        return found

    def _tension(self, strain: Scalar, flat: Scalar) -> Scalar:
        """Return the root of T = EA (ε₀ + B/T²), by Newton's method from above."""
        call, a, b = self.scalars.call, multiply(self.heavy.EA, strain), multiply(self.heavy.EA, flat)
        tiny = multiply(1e-30, multiply(self.heavy.EA, square(self.heavy.EA)))
        cube = call("exp", (divide(call("log", (add(b, tiny),)), 3),))
        pulled = add(call("max", (a, 0)), cube)
        loose = call("sqrt", (divide(add(b, tiny), call("max", (negate(a), multiply(1e-12, self.heavy.EA)))),))
        T = call("where", (self.scalars.compare("<", a, 0), call("min", (cube, loose)), pulled))
        for _ in range(_CUBIC_STEPS):
            residual = subtract(multiply(square(T), subtract(T, a)), b)
            T = subtract(T, divide(residual, multiply(T, subtract(multiply(3, T), multiply(2, a)))))
        return T


def hanging_shape(spans: Sequence[Span], arcs: Sequence[ArcMass], heavy: Heavy, scalars: Scalars) -> HangingSegment:
    """Return the hanging shape of a segment, from its straight spans and the arcs on sheaves."""
    scalars = without_switches(scalars)
    size = scalars.call("sqrt", (dot(heavy.gravity, heavy.gravity),))
    up = scale(divide(-1, size), heavy.gravity)
    search = _Hanging(spans, arcs, heavy, scalars, up, multiply(heavy.density, size))
    spreads, ends = search.first(), [_Ends(span.leaving, span.arriving) for span in spans]
    before = spreads
    for _ in range(SWEEPS):
        before = spreads
        spreads, ends = search.step(spreads, ends)
    shapes = [search.shape(i, *one) for i, one in enumerate(zip(spreads, ends, strict=True))]
    around = search.around(shapes)
    length = add(total(one.length for one in shapes), around)
    w = divide(multiply(search.weight, heavy.unstretched), length)
    tension = multiply(w, search.mean(shapes, around, length))
    changes = [subtract(divide(new, old), 1) for new, old in zip(spreads, before, strict=True)]
    for i, (one, shape) in enumerate(zip(ends, shapes, strict=True)):
        changes += [x for pair in zip(one, search.ends(i, shape), strict=True) for x in minus(*pair)]
    sizes = [scalars.call("abs", (one,)) for one in changes if not is_zero(one)]
    residual = scalars.call("max", (0, *sizes)) if sizes else 0
    found = tuple(_hung(search, span, shape, w) for span, shape in zip(spans, shapes, strict=True))
    return HangingSegment(heavy, found, tuple(arcs), tension, length, residual)


def _hung(search: _Hanging, span: Span, shape: _Shape, w: Scalar) -> HangingSpan:
    """Return a span from its catenary and its weight per length."""
    call = search.scalars.call
    first, last = (scale(w, one) for one in search.forces(shape))
    half = divide(shape.rise, 2)
    tensions = multiply(w, subtract(shape.level, half)), multiply(w, add(shape.level, half))
    flat = scale(divide(1, multiply(2, shape.spread)), minus(shape.way, scale(shape.rise, search.up)))  # H/w
    middle = add(dot(flat, flat), square(divide(multiply(shape.rise, shape.level), shape.length)))
    sag = subtract(shape.level, call("sqrt", (middle,)))
    # moments about the first end: the weight w s acts at x̄ from it, where s x̄ = (V_b − H v/h) h/w
    upper = add(divide(multiply(shape.rise, shape.level), shape.length), divide(shape.length, 2))
    lever = subtract(upper, divide(shape.rise, multiply(2, shape.spread)))
    across = minus(shape.way, scale(shape.rise, search.up))
    start = shape.points[0]
    level = minus(start, scale(dot(search.up, start), search.up))
    height = add(subtract(shape.mean, shape.level), shape.height)
    own = plus(scale(multiply(shape.length, height), search.up), plus(scale(shape.length, level), scale(lever, across)))
    horizontal = multiply(w, call("sqrt", (dot(flat, flat),)))
    mean = multiply(w, shape.mean)
    return HangingSpan(
        span,
        shape.points,
        (first, last),
        tensions,
        mean,
        horizontal,
        sag,
        shape.length,
        shape.turned,
        shape.on_sheaves,
        own,
    )


def _arc(station: Station, turn: Scalar, begin: Vector, end: Vector) -> Vector:
    """Return the integral of the position along an angle on a sheave, between two directions of the rope."""
    if station.is_point:
        return ZERO
    r = station.radius
    return plus(scale(multiply(r, turn), station.centre), scale(square(r), minus(begin, end)))


def _point(station: Station, along: Vector, straight: Vector) -> Vector:
    """Return where the rope has a direction on a sheave; a point stays where it is."""
    if station.is_point:
        return straight
    return plus(station.centre, scale(station.radius, radial(station, along)))


def _in_plane(station: Station, force: Vector, scalars: Scalars) -> Vector:
    """Return the direction of a force in the plane of a sheave."""
    return normalised(minus(force, scale(dot(force, station.axis), station.axis)), scalars)
