"""Rope that hangs under its weight: spans, and segments of uniform strain, with their loads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from gyrostat.model.forces.force_element import PointLoad
from gyrostat.model.ropes.moving_mass import ArcMass
from gyrostat.model.ropes.segment_mass import load_at
from gyrostat.model.ropes.span import Span
from gyrostat.model.ropes.station import Station
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, square, total
from gyrostat.spatial import ZERO, Vector, cross, dot, minus, opposite, plus, scale


class Heavy(NamedTuple):
    """Length, weight and stiffness of a segment of heavy rope."""

    unstretched: Scalar
    EA: Scalar
    density: Scalar
    """Mass per unstretched length (kg/m)."""
    gravity: Vector


@dataclass(frozen=True)
class HangingSpan:
    """A span that hangs."""

    span: Span
    """The straight one between the same stations."""
    points: tuple[Vector, Vector]
    """Points at which it leaves the first station and arrives at the second."""
    forces: tuple[Vector, Vector]
    """The tension at both ends, in the direction of the path."""
    tensions: tuple[Scalar, Scalar]
    """The tension at both ends."""
    mean: Scalar
    """The mean tension."""
    horizontal: Scalar
    """The horizontal component of the tension."""
    sag: Scalar
    """How far the middle of the rope is below that of both ends."""
    length: Scalar
    turned: tuple[Scalar, Scalar]
    """The angles by which the arcs before and after it are longer than those of the straight span."""
    on_sheaves: tuple[Vector, Vector]
    """The integrals of the position along these angles."""
    own: Vector
    """The integral of the position along the span."""

    @property
    def moment(self) -> Vector:
        """The integral of the position along the span and these angles."""
        return plus(self.own, plus(*self.on_sheaves))


@dataclass(frozen=True)
class HangingSegment:
    """The hanging rope between two places at which its tension may jump."""

    heavy: Heavy
    spans: tuple[HangingSpan, ...]
    arcs: tuple[ArcMass, ...]
    tension: Scalar
    """The mean tension T̄."""
    length: Scalar
    residual: Scalar
    """Relative change of the last step of Newton's method."""

    @property
    def strain(self) -> Scalar:
        """The strain."""
        return divide(self.tension, self.heavy.EA)

    @property
    def density(self) -> Scalar:
        """Mass per length."""
        return divide(multiply(self.heavy.density, self.heavy.unstretched), self.length)

    @property
    def moment(self) -> Vector:
        """Mass times the position of the mass centre."""
        found = ZERO
        for one in self.spans:
            found = plus(found, one.moment)
        for arc in self.arcs:
            found = plus(found, arc_moment(arc))
        return scale(self.density, found)

    @property
    def centre(self) -> Vector:
        """The mass centre."""
        return scale(divide(1, multiply(self.heavy.density, self.heavy.unstretched)), self.moment)

    def loads(self) -> Iterator[PointLoad]:
        """Yield the tensions at the ends of spans and the weight of arcs.

        Where a span leaves the plane of a sheave by a fleet angle, the loads of its straight one for that are added.
        """
        for one in self.spans:
            span, ((a, b), (first, last)) = one.span, (one.points, one.forces)
            yield load_at(span.start, a, first)
            yield load_at(span.stop, b, opposite(last))
            if not span.flat:
                u, units = span.unit, span.forces
                kinks = minus(units[0].force, u), plus(units[1].force, u), *(unit.force for unit in units[2:])
                for unit, kink in zip(units, kinks, strict=True):
                    yield load_at(unit.station, unit.point, scale(one.mean, kink))
            for station, angle, moment in zip((span.start, span.stop), one.turned, one.on_sheaves, strict=True):
                if not station.is_point:
                    yield self._weight(station, angle, moment)
        for arc in self.arcs:
            yield self._weight(arc.station, arc.wrap, arc_moment(arc))

    def _weight(self, station: Station, angle: Scalar, moment: Vector) -> PointLoad:
        """Return the weight of rope on an angle of a sheave, from the integral of the position along it."""
        mass = multiply(self.density, multiply(station.radius, angle))
        lever = minus(scale(self.density, moment), scale(mass, station.centre))
        return PointLoad(station.end, scale(mass, self.heavy.gravity), cross(lever, self.heavy.gravity))

    @property
    def tautness(self) -> Scalar:
        """The share of the rate of the straight path that stretches the rope; the rest changes the sag.

        A flat parabola of the horizontal extent h exceeds its chord l by l (w h)²/(24 T²); the derivative of that
        by T is the compliance of its shape.
        """
        own = divide(self.heavy.unstretched, self.heavy.EA)
        g = self.heavy.gravity
        shapes = []
        for one in self.spans:
            chord = minus(one.points[1], one.points[0])
            across = cross(scale(self.density, g), chord)
            shapes.append(multiply(dot(across, across), one.span.length))
        cubed = multiply(12, multiply(self.tension, square(self.tension)))
        return divide(own, add(own, divide(total(shapes), cubed)))


def arc_moment(arc: ArcMass) -> Vector:
    """Return the integral of the position along an arc."""
    return scale(divide(1, arc.density), arc.moment)
