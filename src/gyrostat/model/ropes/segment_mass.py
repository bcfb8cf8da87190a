"""The mass of a segment of rope: the speeds of its material, its parts, and the loads of their inertia.

Along a segment the rope stretches at one rate D. At the distance x from its beginning the rope has the speed c beyond
the rims of the sheaves, along the path: c = c₀ + D x − R, where R is the sum of the rates at which rims stretch the
legs before. At both ends c is that at which winches feed the rope, or zero, which gives D.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.model.forces.force_element import Load, PointLoad
from gyrostat.model.ropes.leg import Leg
from gyrostat.model.ropes.moving_mass import ArcMass, SpanMass
from gyrostat.model.ropes.station import Station
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract, total
from gyrostat.scalar.jets import rate_of, value_of
from gyrostat.spatial import Vector, cross, dot, minus, opposite, plus, rates_of, scale, values_of


class ArcPart(NamedTuple):
    """A part of an arc that belongs to a segment."""

    station: Station
    begin: Vector
    """The direction from the centre to its beginning."""
    wrap: Scalar

    @property
    def length(self) -> Scalar:
        """Its length."""
        return multiply(self.station.radius, self.wrap)


@dataclass(frozen=True)
class SegmentMass:
    """The mass of a segment at an instant."""

    legs: tuple[Leg, ...]
    arcs: tuple[ArcPart | None, ...]
    """The arc before each leg, and after the last one."""
    density: Scalar
    """Mass per length of the path (kg/m)."""
    ends: tuple[Scalar, Scalar]
    """The speeds c at the beginning and at the end."""
    scalars: Scalars

    @cached_property
    def _places(self) -> list[Scalar]:
        """The distances of the beginnings and ends of all arcs and legs, in order: arc, leg, arc, …, arc."""
        found: list[Scalar] = [0]
        for i, arc in enumerate(self.arcs):
            found.append(add(found[-1], 0 if arc is None else arc.length))
            if i < len(self.legs):
                found.append(add(found[-1], self.legs[i].length))
        return found

    @cached_property
    def stretching(self) -> Scalar:
        """The rate D of strain."""
        first, last = self.ends
        rates = [leg.rate for leg in self.legs]
        return divide(add(total(rates), subtract(last, first)), self._places[-1])

    def _flow(self, place: Scalar, passed: int) -> Scalar:
        """Return the speed c at a distance, beyond a number of legs."""
        before = total([leg.rate for leg in self.legs[:passed]])
        return add(self.ends[0], subtract(multiply(self.stretching, place), before))

    @cached_property
    def spans(self) -> list[SpanMass]:
        """The spans."""
        found, at = [], self._places
        for i, leg in enumerate(self.legs):
            assert leg.span is not None, "a rope with mass does not leave its sheaves"
            flows = self._flow(at[2 * i + 1], i), self._flow(at[2 * i + 2], i + 1)
            found.append(SpanMass(leg.span, self.density, flows))
        return found

    @cached_property
    def on_sheaves(self) -> list[tuple[int, ArcMass]]:
        """The arcs, by the number of legs before."""
        found = []
        for i, arc in enumerate(self.arcs):
            if arc is not None:
                flow = self._flow(self._middle(i), i)
                found.append((i, ArcMass(*arc, self.density, flow, self.stretching, self.scalars)))
        return found

    def _middle(self, i: int) -> Scalar:
        """Return the distance of the middle of an arc."""
        return divide(add(self._places[2 * i], self._places[2 * i + 1]), 2)

    def loads(self, gravity: Vector) -> tuple[list[Load], tuple[Scalar, Scalar]]:
        """Return the loads of inertia and weight on bodies, and per unit of c at both ends; the segment has jets.

        What acts along the path on the speeds c is passed on by the tension, which differs from leg to leg.
        """
        found: list[Load] = []
        along: list[list[Scalar]] = [[] for _ in self.arcs]  # forces on c, by the number of legs before
        moments: list[Scalar] = []
        for i, span in enumerate(self.spans):
            forces, unit = span_forces(span, gravity), values_of(span.span.unit)
            for k, force in enumerate(forces):
                along[i + k].append(dot(force, unit))
                moments.append(multiply(value_of(self._places[2 * i + 1 + k]), dot(force, unit)))
            found += _at_ends(span, forces)
            if not span.span.flat:
                found += _at_kinks(span, forces)
        for i, arc in self.on_sheaves:
            force, moment, on_stretching = arc_wrench(arc, gravity)
            station, radius = arc.station, value_of(arc.station.radius)
            on_flow = multiply(station.sense, dot(moment, values_of(station.axis)))
            along[i].append(on_flow)
            moments += [multiply(value_of(self._middle(i)), on_flow), multiply(radius, on_stretching)]
            found.append(PointLoad(station.end, opposite(force), scale(negate(radius), moment)))
        uniform = divide(total(moments), value_of(self._places[-1]))
        sums = [total(forces) for forces in along]
        for j, leg in enumerate(self.legs):
            tension = subtract(uniform, total(sums[j + 1 :]))
            found += [load_at(one.station, one.point, scale(tension, values_of(one.force))) for one in leg.forces]
        return found, (subtract(uniform, total(sums)), negate(uniform))


def span_forces(mass: SpanMass, gravity: Vector) -> tuple[Vector, Vector]:
    """Return the forces that the motion of a span requires at its tangent points, its weight included.

    The material at a tangent point has the velocity v and passes it at the speed w: its acceleration is v̇ + w ∂v/∂x.
    """
    span = mass.span
    u, length = values_of(span.unit), value_of(span.length)
    (first, last), points = mass.velocities, (span.a, span.b)
    spread = scale(divide(1, length), minus(values_of(last), values_of(first)))
    felt = []
    for velocity, point in zip((first, last), points, strict=True):
        passing = dot(minus(values_of(velocity), rates_of(point)), u)
        felt.append(minus(plus(rates_of(velocity), scale(passing, spread)), gravity))
    sixth = divide(multiply(value_of(mass.density), length), 6)
    both = plus(*felt)
    return scale(sixth, plus(both, felt[0])), scale(sixth, plus(both, felt[1]))


def _at_kinks(mass: SpanMass, forces: tuple[Vector, Vector]) -> Iterator[PointLoad]:
    """Yield the loads where the rope turns by fleet angles, from the forces that the span requires.

    The material turns there from t to u at the rate ρ w, which takes the force ρ w² (u − t); it acts on the mean of
    both velocities. The forces of span and turn also act on the angles by which the tangent points move.
    """
    span, density = mass.span, value_of(mass.density)
    on_angles = []
    for k, arm in enumerate(mass.kinks):
        station, point = ((span.start, span.a), (span.stop, span.b))[k]
        if station.is_point:
            on_angles.append(0)
            continue
        passing = dot(minus(values_of(mass.velocities[k]), rates_of(point)), values_of(span.unit))
        size = multiply(multiply(2 * k - 1, density), divide(square(passing), value_of(station.radius)))
        turn = scale(size, values_of(arm))
        yield load_at(station, point, opposite(turn))
        on_angles.append(negate(dot(plus(forces[k], scale(0.5, turn)), values_of(arm))))
    for one in span.turning_forces(*on_angles):
        yield load_at(one.station, one.point, one.force)


def arc_wrench(mass: ArcMass, gravity: Vector) -> tuple[Vector, Vector, Scalar]:
    """Return the force on the centre, the moment on η and the load on κ that the motion of an arc requires.

    The material at e = cos φ m + sin φ s has the acceleration a = v̇ + η̇ × e + η × (η × e)/r + b, gravity subtracted,
    where b is that of stretching: b = 2 κ φ ω × t + (κ̇ φ + κ (w + κ φ)/r) t − κ φ (2 c_m + κ φ) e/r, for the speed w at
    which it passes the middle of the arc. The loads are the integrals of a, of e × a and of φ t·a.
    """
    centre, eta, (kappa, *_) = mass.velocities
    a, x, x_rate = minus(rates_of(centre), gravity), values_of(eta), rates_of(eta)
    E, r, wrap = values_of(mass.first_moment), value_of(mass.station.radius), value_of(mass.wrap)
    force = plus(scale(wrap, a), plus(cross(x_rate, E), scale(divide(1, r), cross(x, cross(x, E)))))
    spinning = scale(divide(1, r), cross(x, values_of(mass.turned(x))))
    moment = plus(cross(E, a), plus(values_of(mass.turned(x_rate)), spinning))
    (m, s), S = (values_of(one) for one in mass.middle), value_of(mass.sine_moment)
    h, sine, cosine = (value_of(one) for one in mass.half)
    P = divide(subtract(multiply(sine, cosine), multiply(h, subtract(square(cosine), square(sine)))), 2)
    k, omega, n = value_of(kappa), values_of(mass.station.motion.omega), cross(m, s)
    change = add(rate_of(kappa), divide(square(k), r))
    place = plus(mass.station.centre, scale(mass.station.radius, mass.middle[0]))
    passing = dot(minus(plus(values_of(centre), cross(x, m)), rates_of(place)), s)
    drawn = divide(multiply(k, passing), r)
    Q = multiply(2, add(multiply(square(h), sine), multiply(2, subtract(multiply(h, cosine), sine))))
    stretched = plus(
        plus(scale(multiply(-2, multiply(k, S)), cross(omega, m)), scale(multiply(2, multiply(drawn, sine)), s)),
        minus(
            scale(negate(add(multiply(change, S), divide(multiply(square(k), Q), r))), m),
            scale(divide(multiply(2, multiply(value_of(mass.flow), multiply(k, S))), r), s),
        ),
    )
    across = minus(scale(dot(m, omega), m), scale(dot(s, omega), s))
    turned = plus(scale(multiply(2, multiply(k, P)), across), scale(multiply(wrap, drawn), n))
    spread = divide(multiply(P, subtract(square(dot(s, x)), square(dot(m, x)))), r)
    on_kappa = add(subtract(spread, multiply(S, dot(m, a))), multiply(change, value_of(mass.square_moment)))
    size = value_of(mass.per_angle)
    return scale(size, plus(force, stretched)), scale(size, plus(moment, turned)), multiply(size, on_kappa)


def _at_ends(mass: SpanMass, forces: tuple[Vector, Vector]) -> Iterator[PointLoad]:
    """Yield the loads on the stations of a span that are opposite to forces at its tangent points."""
    span = mass.span
    for station, point, force in zip((span.start, span.stop), (span.a, span.b), forces, strict=True):
        yield load_at(station, point, opposite(force))


def load_at(station: Station, point: Vector, force: Vector) -> PointLoad:
    """Return a force at a point as a load on the body of a station, without rates in time."""
    still = values_of(force)
    return PointLoad(station.end, still, cross(values_of(minus(point, station.centre)), still))
