"""A straight span of a rope between two stations.

A span leaves the sheave A at the point T_A in the direction t_A and arrives at the sheave B at T_B in the direction
t_B, both in the planes of the sheaves. Its own direction u is tangent in the projection on either plane: e·u = 0 with
the radial directions e. In one plane u = t_A = t_B, and the tangent has a closed form: with signed radii ρ (positive
where the sheave is on the left of the rope), D from centre to centre and Δ = ρ_B − ρ_A,

    length = √(D·D − Δ²),   u = (length D − Δ k × D)/(D·D),   T = C − ρ k × u.

Of two sheaves in different planes each tangent point follows from the other one by the same formula, for a point and
a circle; `SWEEPS` alternations from a close beginning converge with the factor (r_A r_B/length²) sin² of the angle
between the planes, `mismatch` is what is left.

Lengths, forces and rates agree: the forces per unit tension are the gradient of the length of spans and arcs. Where the
rope leaves a sheave at a fleet angle φ, a small force along e of r (1 − cos φ)/length belongs to it, since the tangent
point moves on the sheave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from gyrostat.model.ropes.station import Station
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, known_value, multiply, negate, square, subtract, total
from gyrostat.spatial import Vector, cross, dot, minus, normalised, opposite, scale

SWEEPS = 4
"""Alternations between the tangent points of two sheaves in different planes."""


class Unit(NamedTuple):
    """A force per unit of tension on the body of a station, at a point in world axes."""

    station: Station
    point: Vector
    force: Vector

    @property
    def power(self) -> Scalar:
        """The power per unit of tension."""
        return dot(self.force, self.station.motion.velocity_at(self.point))


@dataclass(frozen=True)
class Span:
    """A straight span from one station to the next, in world axes."""

    start: Station
    stop: Station
    a: Vector
    """The point T_A where it leaves the first station."""
    b: Vector
    """The point T_B where it arrives at the second."""
    unit: Vector
    length: Scalar
    leaving: Vector
    """The direction t_A of the rope on the first sheave, in its plane; of a point that of the span."""
    arriving: Vector
    """The direction t_B of the rope on the second sheave, in its plane."""
    mismatch: Scalar = 0
    """How far the span is from tangent at the first sheave, e_A·u; zero where a closed form gives it."""

    def between(self, moved: Callable[[Station], Station]) -> Span:
        """Return the span in the same position between stations that have other velocities."""
        return replace(self, start=moved(self.start), stop=moved(self.stop))

    @property
    def flat(self) -> bool:
        """Whether it is known to lie in the planes of its sheaves."""
        return self.leaving is self.unit and self.arriving is self.unit

    @cached_property
    def forces(self) -> tuple[Unit, ...]:
        """The forces per unit tension: minus the gradient of the length, arcs on the sheaves included."""
        A, B, u = self.start, self.stop, self.unit
        if self.flat:
            return (Unit(A, self.a, u), Unit(B, self.b, opposite(u)))
        by_a, by_b = (scale(share, e) for share, e in zip(self._shares, self._radial, strict=True))
        return (
            Unit(A, self.a, minus(u, by_b)),
            Unit(B, self.b, minus(by_a, u)),
            Unit(A, self.b, opposite(by_a)),
            Unit(B, self.a, by_b),
        )

    @cached_property
    def rate(self) -> Scalar:
        """The rate of stretching of rope that sticks to both rims (m/s): minus the power per unit tension."""
        return negate(total([one.power for one in self.forces]))

    @property
    def _radial(self) -> tuple[Vector, Vector]:
        """The directions e from the centres to the tangent points; zero for points."""
        return radial(self.start, self.leaving), radial(self.stop, self.arriving)

    @property
    def _cosines(self) -> tuple[Scalar, Scalar]:
        """The cosines of the fleet angles."""
        return (
            1 if self.start.is_point else dot(self.leaving, self.unit),
            1 if self.stop.is_point else dot(self.arriving, self.unit),
        )

    @property
    def _couplings(self) -> tuple[Scalar, Scalar]:
        """r_B e_A·t_B and −r_A e_B·t_A: how the tangent points move each other."""
        (e_a, e_b), A, B = self._radial, self.start, self.stop
        if A.is_point or B.is_point:
            return 0, 0
        return multiply(B.radius, dot(e_a, self.arriving)), negate(multiply(A.radius, dot(e_b, self.leaving)))

    @property
    def _shares(self) -> tuple[Scalar, Scalar]:
        """The forces along e_A and e_B by which moving tangent points enter the gradient of the length."""
        c_a, c_b = self._cosines
        p = multiply(self.start.radius, subtract(1, c_a))
        q = negate(multiply(self.stop.radius, subtract(1, c_b)))
        return self._transposed(p, q)

    def _transposed(self, p: Scalar, q: Scalar) -> tuple[Scalar, Scalar]:
        """Return the solution of the transposed equations of `turning`."""
        (c_a, c_b), (x, y), length = self._cosines, self._couplings, self.length
        return _solved((multiply(length, c_a), y), (x, multiply(length, c_b)), (p, q))

    def turning_forces(self, on_a: Scalar, on_b: Scalar) -> tuple[Unit, ...]:
        """Return the forces on the stations' bodies of loads on both angles of `turning`."""
        A, B = self.start, self.stop
        by_a, by_b = (scale(one, e) for one, e in zip(self._transposed(on_a, on_b), self._radial, strict=True))
        return (
            Unit(A, self.b, by_a),
            Unit(B, self.b, opposite(by_a)),
            Unit(A, self.a, by_b),
            Unit(B, self.a, opposite(by_b)),
        )

    @cached_property
    def turning(self) -> tuple[Scalar, Scalar]:
        """The angular speeds in the direction of the rope at which tangent points move on the sheaves' bodies.

        ȧ l c_A + ḃ r_B e_A·t_B = −e_A·W_A and −ȧ r_A e_B·t_A + ḃ l c_B = −e_B·W_B with the length l, where W_A is the
        velocity of B at T_B and W_B that of B at T_A, both relative to A.
        """
        (e_a, e_b), (c_a, c_b), (x, y), length = self._radial, self._cosines, self._couplings, self.length
        A, B = self.start.motion, self.stop.motion
        by_a = 0 if self.start.is_point else dot(e_a, minus(A.velocity_at(self.b), B.velocity_at(self.b)))
        by_b = 0 if self.stop.is_point else dot(e_b, minus(A.velocity_at(self.a), B.velocity_at(self.a)))
        return _solved((multiply(length, c_a), x), (y, multiply(length, c_b)), (by_a, by_b))


def radial(station: Station, along: Vector) -> Vector:
    """Return the direction from the centre of a sheave to where the rope has a direction; zero for a point."""
    return scale(negate(station.sense), cross(station.axis, along)) if station.sense else (0, 0, 0)


def span_between(start: Station, stop: Station, scalars: Scalars) -> Span:
    """Return the span from one station to the next."""
    if start.is_point and stop.is_point:
        along = minus(stop.centre, start.centre)
        length = scalars.call("sqrt", (dot(along, along),))
        u = scale(divide(1, length), along)
        return Span(start, stop, start.centre, stop.centre, u, length, u, u)
    if _in_one_plane(start, stop):
        return _flat_span(start, stop, scalars)
    a, b = start.centre, stop.centre
    if start.is_point:
        b = _tangent_point(stop, a, 1, scalars)
    elif stop.is_point:
        a = _tangent_point(start, b, -1, scalars)
    else:
        b = _first_guess(start, stop, scalars)
        for _ in range(SWEEPS):
            a = _tangent_point(start, b, -1, scalars)
            b = _tangent_point(stop, a, 1, scalars)
    along = minus(b, a)
    length = scalars.call("sqrt", (dot(along, along),))
    u = scale(divide(1, length), along)
    leaving = u if start.is_point else _in_plane(start, u, scalars)
    arriving = u if stop.is_point else _in_plane(stop, u, scalars)
    off = 0 if start.is_point or stop.is_point else dot(_outward(start, a), u)
    return Span(start, stop, a, b, u, length, leaving, arriving, off)


def _outward(station: Station, place: Vector) -> Vector:
    return scale(divide(1, station.radius), minus(place, station.centre))


def _in_one_plane(start: Station, stop: Station) -> bool:
    """Tell whether both stations are known to lie in one plane across the axes of their sheaves."""
    axes = [[known_value(x) for x in one.axis] for one in (start, stop) if not one.is_point]
    if any(x is None for axis in axes for x in axis):
        return False
    first = axes[0]
    if any(axis != first and axis != [-x for x in first if x is not None] for axis in axes[1:]):
        return False
    k = (start if stop.is_point else stop).axis
    return known_value(dot(k, minus(stop.centre, start.centre))) == 0.0


def _flat_span(start: Station, stop: Station, scalars: Scalars) -> Span:
    k = (start if stop.is_point else stop).axis
    same = 1 if start.is_point or stop.is_point else known_value(dot(start.axis, stop.axis))
    first, last = multiply(-1 if same == -1.0 else 1, start.signed_radius), stop.signed_radius
    u, length = _common_tangent(minus(stop.centre, start.centre), subtract(last, first), k, scalars)
    across = cross(k, u)
    a, b = minus(start.centre, scale(first, across)), minus(stop.centre, scale(last, across))
    return Span(start, stop, a, b, u, length, u, u)


def _common_tangent(D: Vector, difference: Scalar, k: Vector, scalars: Scalars) -> tuple[Vector, Scalar]:
    """Return the direction and length of the tangent of two circles with a difference of signed radii."""
    size = dot(D, D)
    length = scalars.call("sqrt", (subtract(size, square(difference)),))
    along = minus(scale(length, D), scale(difference, cross(k, D)))
    return scale(divide(1, size), along), length


def _tangent_point(sheave: Station, place: Vector, arriving: int, scalars: Scalars) -> Vector:
    """Return the point of a circle whose tangent, in the projection on its plane, passes a place.

    The rope arrives at the sheave from there (1), or leaves it for there (−1).
    """
    k = sheave.axis
    way = minus(sheave.centre, place) if arriving == 1 else minus(place, sheave.centre)
    flat = minus(way, scale(dot(way, k), k))
    u, _ = _common_tangent(flat, multiply(arriving, sheave.signed_radius), k, scalars)
    return minus(sheave.centre, scale(sheave.signed_radius, cross(k, u)))


def _first_guess(start: Station, stop: Station, scalars: Scalars) -> Vector:
    """Return about where the rope arrives: exact in one plane, else by the second radius as the first plane sees it."""
    k = start.axis
    seen = multiply(stop.signed_radius, dot(k, stop.axis))
    way = minus(stop.centre, start.centre)
    flat = minus(way, scale(dot(way, k), k))
    u, _ = _common_tangent(flat, subtract(seen, start.signed_radius), k, scalars)
    return minus(stop.centre, scale(stop.signed_radius, cross(stop.axis, _in_plane(stop, u, scalars))))


def _in_plane(sheave: Station, along: Vector, scalars: Scalars) -> Vector:
    """Return the direction in the plane of a sheave nearest to another one."""
    return normalised(minus(along, scale(dot(along, sheave.axis), sheave.axis)), scalars)


def _solved(
    first: tuple[Scalar, Scalar], second: tuple[Scalar, Scalar], right: tuple[Scalar, Scalar]
) -> tuple[Scalar, Scalar]:
    """Return the solution of two linear equations."""
    (a, b), (c, d), (p, q) = first, second, right
    whole = subtract(multiply(a, d), multiply(b, c))
    return (
        divide(subtract(multiply(d, p), multiply(b, q)), whole),
        divide(add(multiply(a, q), negate(multiply(c, p))), whole),
    )
