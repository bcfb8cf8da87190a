"""Mass of a rope by parts at an instant: straight spans whose material moves along, arcs on sheaves, rope on drums.

A part has velocities that are linear in those of bodies and coordinates, and its kinetic energy is half of a bilinear
form of these. A span has those of its material at both tangent points, linear in between, which is the consistent mass
matrix ρ l/6 [2 1; 1 2]. On an arc the material at the direction e from the centre has v + η × e, with η = r ω + c σ k
for the angular velocity ω of the sheave and the speed c of the rope beyond that of its rim, along the path with the
sense σ about the axis k. Rope on a drum turns with it, at the place where the rope begins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from gyrostat.model.ropes.course import Arc
from gyrostat.model.ropes.span import Span
from gyrostat.model.ropes.station import Station
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, subtract, total
from gyrostat.spatial import Vector, cross, dot, minus, plus, scale


class MovingMass(ABC):
    """A part of a rope's mass."""

    @property
    @abstractmethod
    def mass(self) -> Scalar:
        """The mass (kg)."""

    @property
    @abstractmethod
    def velocities(self) -> tuple[Vector, ...]:
        """The velocities that determine its motion."""

    @property
    @abstractmethod
    def moment(self) -> Vector:
        """Mass times the position of the mass centre."""

    @abstractmethod
    def inner(self, one: tuple[Vector, ...], other: tuple[Vector, ...]) -> Scalar:
        """Return the bilinear form of two motions, twice the kinetic energy where they are the same."""


@dataclass(frozen=True)
class SpanMass(MovingMass):
    """The mass of a straight span."""

    span: Span
    density: Scalar
    """Mass per length of the span (kg/m)."""
    flows: tuple[Scalar, Scalar]
    """Speeds of the rope beyond those of the rims, along the path, at both tangent points."""

    @property
    def mass(self) -> Scalar:
        """The mass."""
        return multiply(self.density, self.span.length)

    @cached_property
    def velocities(self) -> tuple[Vector, Vector]:
        """The velocities of the material at both tangent points."""
        span, (first, last) = self.span, self.flows
        return (
            plus(span.start.motion.velocity_at(span.a), scale(first, span.unit)),
            plus(span.stop.motion.velocity_at(span.b), scale(last, span.unit)),
        )

    @property
    def moment(self) -> Vector:
        """Mass times the position of its middle."""
        return scale(divide(self.mass, 2), plus(self.span.a, self.span.b))

    def inner(self, one: tuple[Vector, ...], other: tuple[Vector, ...]) -> Scalar:
        """Return m/6 (2 a·a′ + a·b′ + b·a′ + 2 b·b′)."""
        (a, b), (a1, b1) = one, other
        ends = add(dot(a, a1), dot(b, b1))
        return multiply(divide(self.mass, 6), add(ends, dot(plus(a, b), plus(a1, b1))))


@dataclass(frozen=True)
class ArcMass(MovingMass):
    """The mass of the rope on a sheave."""

    arc: Arc
    density: Scalar
    """Mass per length of the arc (kg/m)."""
    flow: Scalar
    """Speed of the rope beyond that of the rim, along the path."""
    scalars: Scalars

    @property
    def mass(self) -> Scalar:
        """The mass."""
        return multiply(self.density, self.arc.length)

    @property
    def per_angle(self) -> Scalar:
        """Mass per angle."""
        return multiply(self.density, self.arc.station.radius)

    @cached_property
    def velocities(self) -> tuple[Vector, Vector]:
        """The velocity v of the centre, and η."""
        station = self.arc.station
        turning = scale(station.radius, station.motion.omega)
        return station.motion.velocity, plus(turning, scale(multiply(station.sense, self.flow), station.axis))

    @cached_property
    def first_moment(self) -> Vector:
        """∫ e dθ over the arc."""
        station, arc = self.arc.station, self.arc
        chord = minus(arc.last, arc.first)
        return scale(divide(-station.sense, station.radius), cross(station.axis, chord))

    @cached_property
    def second_moment(self) -> tuple[tuple[Scalar, Vector], tuple[Scalar, Vector]]:
        """∫ e eᵀ dθ over the arc as a sum of x a aᵀ with unit vectors: toward the middle of the arc, and across."""
        station, arc, call = self.arc.station, self.arc, self.scalars.call
        half = divide(arc.wrap, 2)
        first = scale(divide(1, station.radius), minus(arc.first, station.centre))
        across = scale(station.sense, cross(station.axis, first))
        cosine, sine = call("cos", (half,)), call("sin", (half,))
        middle = plus(scale(cosine, first), scale(sine, across))
        along = minus(scale(cosine, across), scale(sine, first))
        product = multiply(sine, cosine)
        return (add(half, product), middle), (subtract(half, product), along)

    def turned(self, vector: Vector) -> Vector:
        """Return ∫ e × (x × e) dθ of a vector x."""
        found = scale(self.arc.wrap, vector)
        for size, direction in self.second_moment:
            found = minus(found, scale(multiply(size, dot(direction, vector)), direction))
        return found

    @property
    def moment(self) -> Vector:
        """Mass times the position of the mass centre."""
        station = self.arc.station
        return plus(scale(self.mass, station.centre), scale(multiply(self.per_angle, station.radius), self.first_moment))

    def inner(self, one: tuple[Vector, ...], other: tuple[Vector, ...]) -> Scalar:
        """Return ρ r (α v·v′ + v·(η′ × E) + v′·(η × E) + η·∫ e × (η′ × e) dθ) with E = ∫ e dθ."""
        (v, eta), (v1, eta1) = one, other
        terms = [
            multiply(self.arc.wrap, dot(v, v1)),
            dot(v, cross(eta1, self.first_moment)),
            dot(v1, cross(eta, self.first_moment)),
            dot(eta, self.turned(eta1)),
        ]
        return multiply(self.per_angle, total(terms))


@dataclass(frozen=True)
class DrumMass(MovingMass):
    """The mass of the rope wound on the drum of a winch, at the place where the rope begins or ends."""

    station: Station
    coordinate: str
    """The coordinate of the drum."""
    wound: Scalar
    """The mass."""
    inertia: Scalar
    """Moment of inertia about the axis of the drum."""
    rate: Scalar
    """Rate of the coordinate."""

    @property
    def mass(self) -> Scalar:
        """The mass."""
        return self.wound

    @property
    def velocities(self) -> tuple[Vector, Vector]:
        """The velocity of the place, and the rate of the drum."""
        return self.station.motion.velocity, (self.rate, 0, 0)

    @property
    def moment(self) -> Vector:
        """Mass times the position of the place."""
        return scale(self.wound, self.station.centre)

    def inner(self, one: tuple[Vector, ...], other: tuple[Vector, ...]) -> Scalar:
        """Return m v·v′ + J times both rates."""
        (v, turning), (v1, turning1) = one, other
        return add(multiply(self.wound, dot(v, v1)), multiply(self.inertia, dot(turning, turning1)))



