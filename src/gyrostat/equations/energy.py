"""Energies of trees."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.equations.armature import kinetic_energies
from gyrostat.equations.moving_masses import kinetic_energy_of_masses, weight_energy_of_masses
from gyrostat.kinematics.body_momentum import wheel_momentum
from gyrostat.kinematics.mechanism import NO_DRIFT
from gyrostat.kinematics.world import WorldMotion, WorldPose
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, total
from gyrostat.scalar.repeated import repeated
from gyrostat.spatial import Matrix, Vector, apply, cross, dot, plus, scale


@dataclass(frozen=True)
class EnergyTerms:
    """Kinetic energy, potential energy of gravity, and energy stored in force elements and states by name."""

    kinetic: Scalar
    gravity: Scalar
    stored: dict[str, Scalar]


def energy(motion: WorldMotion) -> EnergyTerms:
    """Return the energies at a state; gravity's is zero where the mass moment is zero, at the world's origin.

    A rotor with given momentum counts with the energy of its motion relative to the body where its inertia is known.
    """
    tree = motion.tree
    kinetic = kinetic_energies(motion)
    weight: list[Scalar] = []
    for i, link in enumerate(tree.links):
        omega, velocity = motion.omega(i), motion.velocity(i)
        kinetic.append(_kinetic(link.mass, link.moment, link.inertia, omega, velocity))
        if link.drift is not NO_DRIFT:
            kinetic += [dot(omega, link.drift.angular), dot(velocity, link.drift.linear)]
            kinetic.append(divide(link.drift.doubled_energy, 2))
        for wheel in link.wheels:
            size, _ = wheel_momentum(wheel, motion.state, tree.value)
            kinetic.append(multiply(size, dot(wheel.axis, omega)))
            if wheel.inertia is not None:
                kinetic.append(divide(square(size), multiply(2, wheel.inertia)))
        pose = motion.pose(i)
        weight.append(_of_gravity(link.mass, link.moment, pose, tree.gravity))
    kinetic.append(kinetic_energy_of_masses(motion))
    weight.append(weight_energy_of_masses(motion))
    accounted = tree.coordinates.topology.model.accounted
    stored = {name: owner.potential(motion) for name, owner in accounted.items() if owner.stores_energy}
    return EnergyTerms(total(kinetic), total(weight), stored)


@repeated
def _kinetic(mass: Scalar, moment: Vector, inertia: Matrix, omega: Vector, velocity: Vector) -> Scalar:
    """Return the kinetic energy of a link without its rotors."""
    linear = plus(scale(mass, velocity), scale(2, cross(omega, moment)))
    return divide(add(dot(omega, apply(inertia, omega)), dot(velocity, linear)), 2)


@repeated
def _of_gravity(mass: Scalar, moment: Vector, pose: WorldPose, gravity: Vector) -> Scalar:
    """Return the potential energy of a link."""
    return negate(dot(gravity, plus(scale(mass, pose.r_WH_W), apply(pose.R_WH, moment))))
