"""What moves without acceleration of the unknown speeds: velocity terms of links and of bodies."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.equations.loads import Wrench
from gyrostat.kinematics.link import Link, Wheel
from gyrostat.kinematics.state import State
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply
from gyrostat.spatial import Vector, apply, cross, plus, scale, transpose


@dataclass(frozen=True)
class Acceleration:
    """Angular acceleration, and acceleration of the origin of H, in the axes of H."""

    angular: Vector
    linear: Vector


def base_acceleration(motion: WorldMotion) -> Acceleration:
    """Return the ground's acceleration: −g, which makes gravity an inertia load."""
    x, y, z = motion.tree.gravity
    return Acceleration((0, 0, 0), (multiply(-1, x), multiply(-1, y), multiply(-1, z)))


def carried(motion: WorldMotion, index: int, parent: Acceleration) -> Acceleration:
    """Return a link's acceleration while its unknown speeds do not change, from its parent's.

    α = R ᵀα_P + (Rᵀω_P) × ω_rel + bias,
    a = Rᵀ(a_P + α_P × p + ω_P × (ω_P × p)) + 2 (Rᵀω_P) × v_rel + ω_rel × v_rel + bias.
    """
    relative = motion.motions[index]
    omega_P = motion.omega(motion.tree.links[index].parent)
    R_HP = transpose(relative.R_PH)
    p = relative.r_PH_P
    omega_seen = apply(R_HP, omega_P)
    angular = plus(apply(R_HP, parent.angular), plus(cross(omega_seen, relative.omega), relative.bias.angular))
    at_hinge = plus(parent.linear, plus(cross(parent.angular, p), cross(omega_P, cross(omega_P, p))))
    sliding = cross(plus(scale(2, omega_seen), relative.omega), relative.velocity)
    return Acceleration(angular, plus(apply(R_HP, at_hinge), plus(sliding, relative.bias.linear)))


def gyroscopic(link: Link, omega: Vector, state: State, value: Evaluator) -> Wrench:
    """Return the inertia wrench at zero acceleration: ω × J ω with the rotors' momentum, and ω × (ω × m c)."""
    momentum = apply(link.inertia, omega)
    moment: Vector = (0, 0, 0)
    for wheel in link.wheels:
        size, rate = wheel_momentum(wheel, state, value)
        momentum = plus(momentum, scale(size, wheel.axis))
        moment = plus(moment, scale(rate, wheel.axis))
    return Wrench(plus(moment, cross(omega, momentum)), cross(omega, cross(omega, link.moment)))


def wheel_momentum(wheel: Wheel, state: State, value: Evaluator) -> tuple[Scalar, Scalar]:
    """Return a rotor's momentum relative to its body and that momentum's given rate; a free rotor has no given rate."""
    rotor = wheel.rotor
    if wheel.place is not None:
        return multiply(wheel.inertia, state.u[wheel.place[1]]), 0
    given = rotor.spin if rotor.spin is not None else rotor.momentum
    assert given is not None, "a rotor has a spin, a momentum, or is free"
    jet = state.in_time(given, value)
    factor: Scalar = wheel.inertia if rotor.spin is not None else 1
    return multiply(factor, jet.value), multiply(factor, jet.rate)
