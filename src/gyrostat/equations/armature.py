"""Armature: inertia of rotors behind gears, which counts along single speeds only.

A speed u_k with the armature I_k has the kinetic energy ½ I_k u_k² besides that of the bodies; this adds I_k to entry
(k, k) of the mass matrix and the load I_k u̇_k to what a motion needs. The rotor's own axis, and with it all gyroscopic
effects and its part of the momentum, are neglected.
"""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.kinematics.chords import chord_loads, speed_direction_in_world
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import PointLoad
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, negate, square


def add_inertias(entries: dict[tuple[int, int], Scalar], motion: WorldMotion) -> None:
    """Add all armatures to the diagonal of a mass matrix, in place."""
    for place, inertia in motion.tree.armatures.items():
        entries[place, place] = add(entries.get((place, place), 0), inertia)


def add_loads(loads: list[Scalar], rates: Sequence[Scalar], motion: WorldMotion) -> None:
    """Add to the loads on the speeds what the rotors need for given u̇; for given u, their momenta, in place."""
    for place, inertia in motion.tree.armatures.items():
        loads[place] = add(loads[place], multiply(inertia, rates[place]))


def add_driver_loads(loads: dict[str, Scalar], motion: WorldMotion) -> None:
    """Add to the loads of drivers, by coordinate, what the rotors of driven coordinates need, in place."""
    for name, inertia in motion.tree.driven_armatures.items():
        jet = motion.state.in_time(motion.tree.coordinates.driven[name], motion.tree.value)
        loads[name] = add(loads.get(name, 0), multiply(inertia, jet.acceleration))


def kinetic_energies(motion: WorldMotion) -> list[Scalar]:
    """Return the kinetic energy of each rotor, ½ I u²."""
    tree = motion.tree
    speeds = [(inertia, motion.state.u[place]) for place, inertia in tree.armatures.items()]
    speeds += [(inertia, motion.speed(name)) for name, inertia in tree.driven_armatures.items()]
    return [divide(multiply(inertia, square(speed)), 2) for inertia, speed in speeds]


def inertia_loads(motion: WorldMotion, rates: Sequence[Scalar]) -> list[PointLoad]:
    """Return the loads −I u̇ of the rotors, for given u̇, as loads on the bodies of their joints."""
    tree = motion.tree
    coordinates = tree.coordinates
    needed = {coordinates.speed_names[place]: multiply(i, rates[place]) for place, i in tree.armatures.items()}
    for name, inertia in tree.driven_armatures.items():
        jet = motion.state.in_time(coordinates.driven[name], tree.value)
        needed[f"{name}.rate"] = multiply(inertia, jet.acceleration)
    found: list[PointLoad] = []
    for joint in coordinates.topology.joints.values() if needed else ():
        for i, name in enumerate(joint.speed_names):
            if name in needed:
                mode = speed_direction_in_world(motion, joint, i)
                found += chord_loads(motion, joint, [(mode, negate(needed[name]))])
    return found
