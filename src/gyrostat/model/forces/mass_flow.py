"""A mass that varies at an instant: its rates, loads of its motion within the body, what leaves and what arrives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gyrostat.model.forces.force_element import PointMotion
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, is_number, multiply, negate, subtract, total
from gyrostat.scalar.jets import Jet
from gyrostat.spatial import (
    ZERO,
    Matrix,
    Vector,
    apply,
    cross,
    dot,
    minus,
    opposite,
    plus,
    rates_of,
    scale,
    transpose,
    values_of,
)


@dataclass(frozen=True)
class MassNow:
    """Mass, centre and inertia on a body, with their rates.

    The motion of the body may be on jets: then its acceleration is known as well.
    """

    place: PointMotion
    """The motion of the body's frame."""
    jet: Jet
    """The mass."""
    center: Sequence[Jet]
    """The centre, in body axes."""
    inertia: Matrix
    inertia_rate: Matrix
    """Inertia about the centre and its rate, in body axes."""
    shifts: bool

    @property
    def mass(self) -> Scalar:
        """The mass m."""
        return self.jet.value

    @property
    def gain(self) -> Scalar:
        """The rate of the mass."""
        return self.jet.rate

    @cached_property
    def _rotation(self) -> Matrix:
        a, b, c = (values_of(row) for row in self.place.rotation)
        return (a, b, c)

    @cached_property
    def _omega(self) -> Vector:
        return values_of(self.place.omega)

    @cached_property
    def arm(self) -> Vector:
        """The centre from the origin of the body, in world axes."""
        return self._turned([jet.value for jet in self.center])

    @cached_property
    def _arm_rate(self) -> Vector:
        """The rate of the centre relative to the body, in world axes."""
        return self._turned([jet.rate for jet in self.center])

    def _turned(self, components: Sequence[Scalar]) -> Vector:
        x, y, z = components
        return apply(self._rotation, (x, y, z))

    def _crossed(self, arm: Vector) -> Vector:
        """Return ω × r."""
        return cross(self._omega, arm)

    def moment_of(self, force: Vector) -> Vector:
        """Return the moment of a force at the centre about the origin of the body."""
        return cross(self.arm, force)

    @property
    def position(self) -> Vector:
        """The position of the centre."""
        return plus(values_of(self.place.position), self.arm)

    @cached_property
    def body_velocity(self) -> Vector:
        """The velocity of the body at the centre."""
        return plus(values_of(self.place.velocity), self._crossed(self.arm))

    @cached_property
    def _velocity(self) -> Vector:
        """The velocity of the material at the centre."""
        return plus(self.body_velocity, self._arm_rate) if self.shifts else self.body_velocity

    @cached_property
    def _shift_acceleration(self) -> Vector:
        """c̈ + 2 ω × ċ, in world axes."""
        gained = self._turned([jet.acceleration for jet in self.center])
        return plus(gained, scale(2, self._crossed(self._arm_rate)))

    @property
    def shift_force(self) -> Vector:
        """−m (c̈ + 2 ω × ċ): the load of material that moves within the body."""
        return opposite(scale(self.mass, self._shift_acceleration))

    @property
    def shift_moment(self) -> Vector:
        """−J̇ ω: the load of an inertia that changes by motion within the body."""
        return opposite(apply(self._rotation, apply(self.inertia_rate, self._omega_B)))

    @cached_property
    def _omega_B(self) -> Vector:
        return apply(transpose(self._rotation), self._omega)

    @property
    def _reshaping_power(self) -> Scalar:
        """½ ω·J̇ω."""
        return divide(dot(self._omega_B, apply(self.inertia_rate, self._omega_B)), 2)

    def gained_power(self, gravity: Vector) -> Scalar:
        """Return the rate of kinetic energy and that of gravity through mass, centre and inertia at constant motion.

        Where material shifts, only the mass counts: the other terms are work of what moves it.
        """
        kinetic = divide(dot(self._velocity, self._velocity), 2)
        power = multiply(self.gain, subtract(kinetic, dot(gravity, self.position)))
        if self.shifts:
            return power
        turned = dot(self._velocity, self._crossed(self._arm_rate))
        moved = multiply(self.mass, subtract(turned, dot(gravity, self._arm_rate)))
        return add(add(power, moved), self._reshaping_power)

    def drive_power(self, gravity: Vector) -> Scalar:
        """Return the power of what moves material within the body, whose motion is on jets: m (a − g)·ċ − ½ ω·J̇ω."""
        omega, alpha = self._omega, rates_of(self.place.omega)
        turning = plus(cross(alpha, self.arm), cross(omega, cross(omega, self.arm)))
        a = plus(plus(rates_of(self.place.velocity), turning), self._shift_acceleration)
        work = multiply(self.mass, dot(minus(a, gravity), self._arm_rate))
        return subtract(work, self._reshaping_power)


@dataclass(frozen=True)
class MassFlow:
    """Mass that leaves a body or arrives at it."""

    gain: Scalar
    """The rate of the mass on the body."""
    velocity: Vector
    """Velocity of the body where mass leaves and arrives."""
    exit: Vector | None
    """Velocity w of leaving mass relative to the body; None is zero. All vectors are in world axes."""
    entry: Vector | None
    """Velocity v_in of arriving mass; None is that of the body."""
    scalars: Scalars

    @property
    def leaving_rate(self) -> Scalar:
        """The rate at which mass leaves, negative where it arrives."""
        return negate(self.gain)

    @cached_property
    def _leaving(self) -> Scalar:
        return _positive_part(self.leaving_rate, self.scalars)

    @cached_property
    def _arriving(self) -> Scalar:
        return _positive_part(self.gain, self.scalars)

    @cached_property
    def _slip(self) -> Vector:
        """Velocity of arriving mass relative to the body."""
        return ZERO if self.entry is None else minus(self.entry, self.velocity)

    @cached_property
    def force(self) -> Vector:
        """−q w of leaving mass, and q (v_in − v) of arriving mass."""
        thrust = ZERO if self.exit is None else opposite(scale(self._leaving, self.exit))
        return thrust if self.entry is None else plus(thrust, scale(self._arriving, self._slip))

    @property
    def supplied_power(self) -> Scalar:
        """½ q w²: the power that gives leaving mass its relative velocity."""
        return 0 if self.exit is None else divide(multiply(self._leaving, dot(self.exit, self.exit)), 2)

    @property
    def lost_power(self) -> Scalar:
        """½ q (v_in − v)²: the power lost where arriving mass takes the velocity of the body."""
        return 0 if self.entry is None else divide(multiply(self._arriving, dot(self._slip, self._slip)), 2)

    def carried_power(self, gained: Scalar) -> Scalar:
        """Return the power that leaves with the mass, from that which the mass on the body gains with its own motion.

        The energy of the system changes by the work of the force and by this gain; of that, work and loss are known.
        """
        changed = add(gained, dot(self.force, self.velocity))
        return subtract(subtract(self.supplied_power, self.lost_power), changed)


def _positive_part(rate: Scalar, scalars: Scalars) -> Scalar:
    if is_number(rate):
        return max(rate, 0)
    return scalars.call("max", (rate, 0))


def triangle_margin(inertia: Matrix, scalars: Scalars) -> Scalar:
    """Return the least principal minor of Σ = ½ tr(J) 1 − J, with J relative to its trace.

    Σ = ∫ r rᵀ dm has no negative eigenvalue: no principal moment exceeds the sum of the other two.
    """
    trace = total([inertia[i][i] for i in range(3)])
    size = add(scalars.call("abs", (trace,)), _TRACE_OFFSET)
    J = [[divide(entry, size) for entry in row] for row in inertia]
    half = divide(divide(trace, size), 2)
    S = [[subtract(half if i == j else 0, J[i][j]) for j in range(3)] for i in range(3)]

    def minor(i: int, j: int, k: int, n: int) -> Scalar:
        return subtract(multiply(S[i][k], S[j][n]), multiply(S[i][n], S[j][k]))

    pairs = [minor(i, j, i, j) for i, j in ((0, 1), (0, 2), (1, 2))]
    signs = zip((1, -1, 1), ((1, 2), (0, 2), (0, 1)), strict=True)
    whole = total([multiply(multiply(sign, S[0][k]), minor(1, 2, *rest)) for k, (sign, rest) in enumerate(signs)])
    least = whole
    for other in (S[0][0], S[1][1], S[2][2], *pairs):
        least = scalars.call("min", (least, other))
    return least


_TRACE_OFFSET = 1e-200
"""Keeps the inertia of a point, zero, from being divided by zero."""
