"""Momenta of trees about the world's origin."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.equations.bias import wheel_momentum
from gyrostat.kinematics.world import WorldMotion
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add
from gyrostat.spatial import ZERO, Vector, apply, cross, plus, scale


@dataclass(frozen=True)
class Momentum:
    """Mass, mass times the position of the mass centre, linear momentum, and angular momentum about the origin."""

    mass: Scalar
    moment: Vector
    linear: Vector
    angular: Vector


def momentum(motion: WorldMotion) -> Momentum:
    """Return the momenta of all bodies together, rotors included, in world axes."""
    mass: Scalar = 0
    moment, linear, angular = ZERO, ZERO, ZERO
    for i, link in enumerate(motion.tree.links):
        omega, velocity, pose = motion.omega(i), motion.velocity(i), motion.pose(i)
        p_H = plus(scale(link.mass, velocity), cross(omega, link.moment))
        l_H = plus(apply(link.inertia, omega), cross(link.moment, velocity))
        for wheel in link.wheels:
            size, _ = wheel_momentum(wheel, motion.state, motion.tree.value)
            l_H = plus(l_H, scale(size, wheel.axis))
        p_W = apply(pose.R_WH, p_H)
        mass = add(mass, link.mass)
        moment = plus(moment, plus(scale(link.mass, pose.r_WH_W), apply(pose.R_WH, link.moment)))
        linear = plus(linear, p_W)
        angular = plus(angular, plus(apply(pose.R_WH, l_H), cross(pose.r_WH_W, p_W)))
    return Momentum(mass, moment, linear, angular)
