"""Mass of a rope by parts at an instant: straight spans whose material moves along, arcs on sheaves, rope on drums.

A part has velocities that are linear in those of bodies and coordinates, and its kinetic energy is half of a bilinear
form of these. A span has those of its material at both tangent points, linear in between, which is the consistent mass
matrix ρ l/6 [2 1; 1 2]. On an arc the material at the direction e from the centre has v + η × e, with η = r ω + c σ k
for the angular velocity ω of the sheave and the speed c of the rope beyond that of its rim, along the path with the
sense σ about the axis k; where the rope stretches, c varies along the arc. Rope on a drum turns with it, at the place
where the rope begins.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from gyrostat.model.ropes.span import Span
from gyrostat.model.ropes.station import Station
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, square, subtract, total
from gyrostat.spatial import ZERO, Vector, cross, dot, minus, plus, scale


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
    def momenta(self, velocities: tuple[Vector, ...]) -> tuple[Vector, ...]:
        """Return the derivatives of the kinetic energy by the velocities, for given ones."""

    @property
    @abstractmethod
    def linear_momentum(self) -> Vector:
        """The linear momentum."""

    @property
    @abstractmethod
    def angular_momentum(self) -> Vector:
        """The angular momentum about the world's origin."""

    @property
    def kinetic(self) -> Scalar:
        """The kinetic energy."""
        return divide(product_of(self.velocities, self.momenta(self.velocities)), 2)


def product_of(velocities: tuple[Vector, ...], momenta: tuple[Vector, ...]) -> Scalar:
    """Return the sum of the products of velocities and momenta."""
    return total([dot(v, p) for v, p in zip(velocities, momenta, strict=True)])


@dataclass(frozen=True)
class SpanMass(MovingMass):
    """The mass of a straight span."""

    span: Span
    density: Scalar
    """Mass per length of the span (kg/m)."""
    flows: tuple[Scalar, Scalar]
    """Speeds of the rope beyond those of the rims, along the path, at both tangent points."""
    beyond: Vector = ZERO
    """Mass times the position by which the mass centre is away from that of a straight span, where the rope hangs."""

    @property
    def mass(self) -> Scalar:
        """The mass."""
        return multiply(self.density, self.span.length)

    @cached_property
    def velocities(self) -> tuple[Vector, Vector]:
        """The velocities of the material at both tangent points.

        Where these move by ȧ on the sheave and the rope turns there by a fleet angle from t to u, the material has that
        of the tangent point, r ȧ t beyond the rim, and the rest of c along u.
        """
        span, (first, last) = self.span, self.flows
        moving = [
            plus(station.motion.velocity_at(point), scale(flow, span.unit))
            for station, point, flow in ((span.start, span.a, first), (span.stop, span.b, last))
        ]
        if not span.flat:
            for k, (arm, turning) in enumerate(zip(self.kinks, span.turning, strict=True)):
                moving[k] = plus(moving[k], scale(turning, arm))
        return moving[0], moving[1]

    @property
    def kinks(self) -> tuple[Vector, Vector]:
        """r (t − u) at both tangent points, zero without fleet angles."""
        span = self.span
        pairs = (span.start, span.leaving), (span.stop, span.arriving)
        first, last = (
            ZERO if direction is span.unit else scale(station.radius, minus(direction, span.unit))
            for station, direction in pairs
        )
        return first, last

    @property
    def moment(self) -> Vector:
        """Mass times the position of the mass centre."""
        return plus(scale(divide(self.mass, 2), plus(self.span.a, self.span.b)), self.beyond)

    def momenta(self, velocities: tuple[Vector, ...]) -> tuple[Vector, Vector]:
        """Return m/6 (2 a + b) and m/6 (a + 2 b) of the velocities a and b at both tangent points."""
        (a, b), sixth = velocities, divide(self.mass, 6)
        both = plus(a, b)
        return scale(sixth, plus(both, a)), scale(sixth, plus(both, b))

    @property
    def linear_momentum(self) -> Vector:
        """The sum of the momenta at both tangent points."""
        return plus(*self.momenta(self.velocities))

    @property
    def angular_momentum(self) -> Vector:
        """The moment of the momenta at both tangent points."""
        first, last = self.momenta(self.velocities)
        return plus(cross(self.span.a, first), cross(self.span.b, last))


@dataclass(frozen=True)
class ArcMass(MovingMass):
    """The mass of the rope on an arc of a sheave, which stretches evenly: c = c_m + κ φ with the angle from the middle.

    Directions on the arc are e = cos φ m + sin φ s from the centre and t = cos φ s − sin φ m along the path, with those
    of its middle, m and s. With half the angle of the arc h, ∫ e dφ = 2 sin h m and ∫ φ t dφ = −S m.
    """

    station: Station
    begin: Vector
    """The direction from the centre to the beginning of the arc."""
    wrap: Scalar
    density: Scalar
    """Mass per length of the arc (kg/m)."""
    flow: Scalar
    """Speed c_m of the rope beyond that of the rim, along the path, at the middle of the arc."""
    stretching: Scalar
    """Rate of strain."""
    scalars: Scalars

    @property
    def mass(self) -> Scalar:
        """The mass."""
        return multiply(self.per_angle, self.wrap)

    @property
    def per_angle(self) -> Scalar:
        """Mass per angle."""
        return multiply(self.density, self.station.radius)

    @cached_property
    def velocities(self) -> tuple[Vector, Vector, Vector]:
        """The velocity v of the centre, η at the middle of the arc, and κ."""
        station = self.station
        turning = scale(station.radius, station.motion.omega)
        eta = plus(turning, scale(multiply(station.sense, self.flow), station.axis))
        return station.motion.velocity, eta, (multiply(station.radius, self.stretching), 0, 0)

    @cached_property
    def half(self) -> tuple[Scalar, Scalar, Scalar]:
        """Half the angle, its sine and its cosine."""
        half = divide(self.wrap, 2)
        return half, self.scalars.call("sin", (half,)), self.scalars.call("cos", (half,))

    @cached_property
    def middle(self) -> tuple[Vector, Vector]:
        """The directions m from the centre to the middle of the arc, and s along the path there."""
        _, sine, cosine = self.half
        across = scale(self.station.sense, cross(self.station.axis, self.begin))
        m = plus(scale(cosine, self.begin), scale(sine, across))
        return m, minus(scale(cosine, across), scale(sine, self.begin))

    @property
    def sine_moment(self) -> Scalar:
        """S = ∫ φ sin φ dφ."""
        half, sine, cosine = self.half
        return multiply(2, subtract(sine, multiply(half, cosine)))

    @property
    def square_moment(self) -> Scalar:
        """∫ φ² dφ."""
        half, *_ = self.half
        return divide(multiply(2, multiply(half, square(half))), 3)

    def turned(self, x: Vector) -> Vector:
        """Return ∫ e × (x × e) dφ of a vector x."""
        (half, sine, cosine), found = self.half, scale(self.wrap, x)
        product = multiply(sine, cosine)
        for size, direction in zip((add(half, product), subtract(half, product)), self.middle, strict=True):
            found = minus(found, scale(multiply(size, dot(direction, x)), direction))
        return found

    @property
    def first_moment(self) -> Vector:
        """∫ e dφ."""
        return scale(multiply(2, self.half[1]), self.middle[0])

    @property
    def moment(self) -> Vector:
        """Mass times the position of the mass centre."""
        station = self.station
        return plus(
            scale(self.mass, station.centre), scale(multiply(self.per_angle, station.radius), self.first_moment)
        )

    def momenta(self, velocities: tuple[Vector, ...]) -> tuple[Vector, Vector, Vector]:
        """Return the integrals of x, of e × x and of φ t·x, with x = v + η × e + κ φ t."""
        v, eta, (kappa, *_) = velocities
        E, m, S = self.first_moment, self.middle[0], self.sine_moment
        linear = minus(plus(scale(self.wrap, v), cross(eta, E)), scale(multiply(kappa, S), m))
        along = subtract(multiply(self.square_moment, kappa), multiply(S, dot(v, m)))
        size = self.per_angle
        return scale(size, linear), scale(size, plus(cross(E, v), self.turned(eta))), (multiply(size, along), 0, 0)

    @property
    def linear_momentum(self) -> Vector:
        """The integral of the velocity."""
        return self.momenta(self.velocities)[0]

    @property
    def angular_momentum(self) -> Vector:
        """The moment of the momentum at the centre, and r times that on η."""
        linear, turning, _ = self.momenta(self.velocities)
        return plus(cross(self.station.centre, linear), scale(self.station.radius, turning))


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

    def momenta(self, velocities: tuple[Vector, ...]) -> tuple[Vector, Vector]:
        """Return m v and the angular momentum."""
        velocity, turning = velocities
        return scale(self.wound, velocity), scale(self.inertia, turning)

    @property
    def linear_momentum(self) -> Vector:
        """Linear momentum of the material at the place of the drum."""
        return scale(self.wound, self.station.motion.velocity)

    @property
    def angular_momentum(self) -> Vector:
        """Angular momentum of the material at the place of the drum, without that about the drum's axis."""
        return cross(self.station.centre, self.linear_momentum)
