"""Momenta of single bodies, rotors included."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from gyrostat.kinematics.mechanism import Wheel
from gyrostat.kinematics.state import MotionState
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.names import GROUND
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply
from gyrostat.spatial import ZERO, Vector, apply, cross, minus, plus, scale

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


def wheel_momentum(wheel: Wheel, state: MotionState, value: Evaluator) -> tuple[Scalar, Scalar]:
    """Return a rotor's momentum relative to its body and that momentum's given rate; a free rotor has no given rate."""
    rotor = wheel.rotor
    if wheel.place is not None:
        return multiply(wheel.inertia, state.u[wheel.place[1]]), 0
    given = rotor.spin if rotor.spin is not None else rotor.momentum
    assert given is not None, "a rotor has a spin, a momentum, or is free"
    jet = state.in_time(given, value)
    factor: Scalar = wheel.inertia if rotor.spin is not None else 1
    return multiply(factor, jet.value), multiply(factor, jet.rate)


def link_momenta(motion: WorldMotion, index: int) -> tuple[Vector, Vector]:
    """Return one link's angular momentum about the origin of H, and its linear momentum, in H.

    With m c the mass moment: l = J ω + m c × v and rotors, p = m v + ω × m c; and material that moves within the body.
    """
    link, omega, velocity = motion.tree.links[index], motion.omega(index), motion.velocity(index)
    angular = plus(apply(link.inertia, omega), cross(link.moment, velocity))
    for wheel in link.wheels:
        size, _ = wheel_momentum(wheel, motion.state, motion.tree.value)
        angular = plus(angular, scale(size, wheel.axis))
    linear = plus(scale(link.mass, velocity), cross(omega, link.moment))
    return plus(angular, link.drift.angular), plus(linear, link.drift.linear)


def body_momenta(motion: WorldMotion, body: str) -> tuple[Vector, Vector]:
    """Return a body's angular momentum about its own mass centre, and its linear momentum, in world axes.

    The angular momentum of a body without mass, which has no mass centre, is about the origin of H.
    """
    if body == GROUND:
        return ZERO, ZERO
    if sections := motion.tree.sections_of(body):
        return _momenta_together(motion, sections)
    i = motion.tree.index_of[body]
    link, R_WH = motion.tree.links[i], motion.pose(i).R_WH
    angular, linear = link_momenta(motion, i)
    if link.mass != 0:
        x, y, z = (divide(part, link.mass) for part in link.moment)
        centre: Vector = (x, y, z)
        angular = minus(angular, cross(centre, linear))
    return apply(R_WH, angular), apply(R_WH, linear)


def _momenta_together(motion: WorldMotion, indices: Iterable[int]) -> tuple[Vector, Vector]:
    """Return the angular momentum of several links about their common mass centre, and their linear momentum."""
    mass: Scalar = 0
    moment, angular, linear = ZERO, ZERO, ZERO
    for i in indices:
        link, pose = motion.tree.links[i], motion.pose(i)
        own_angular, own_linear = (apply(pose.R_WH, part) for part in link_momenta(motion, i))
        mass = add(mass, link.mass)
        moment = plus(moment, plus(scale(link.mass, pose.r_WH_W), apply(pose.R_WH, link.moment)))
        angular = plus(angular, plus(own_angular, cross(pose.r_WH_W, own_linear)))
        linear = plus(linear, own_linear)
    x, y, z = (divide(part, mass) for part in moment)
    return minus(angular, cross((x, y, z), linear)), linear
