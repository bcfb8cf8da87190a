"""Outputs of a system's programs as the records that users get: energies, poses, loads and powers by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from gyrostat.coordinates.arguments import Floats
from gyrostat.recipes.ports import given_rotors, working_owners
from gyrostat.results.body_motion import BodyMotions
from gyrostat.results.energy import Energy
from gyrostat.results.momentum import Momentum
from gyrostat.results.poses import Poses
from gyrostat.results.powers import Powers
from gyrostat.results.reaction import Reaction

if TYPE_CHECKING:
    from gyrostat.system.system import System

Outputs: TypeAlias = Mapping[str, Floats]
"""What a program gives, by the names of its ports, with leading axes."""


def by_name(columns: Floats, names: Iterable[str]) -> dict[str, Floats]:
    """Return the last axis of an array by name."""
    return {name: columns[..., i] for i, name in enumerate(names)}


def energy(system: System, found: Outputs) -> Energy:
    """Return kinetic energy, and potential energies of gravity and of the force elements that store energy."""
    names = [name for name, force in system.model.forces.items() if force.stores_energy]
    return Energy(found["kinetic"][..., 0], found["gravity"][..., 0], by_name(found["stored"], names))


def poses(system: System, found: Outputs) -> Poses:
    """Return position and rotation of every body's frame."""
    positions = _vectors(found["positions"], len(system.bodies))
    return Poses(system.bodies, found["rotations"].reshape(*positions.shape, 3), positions)


def body_motions(system: System, found: Outputs) -> BodyMotions:
    """Return position, rotation, velocity and angular velocity of every body's frame."""
    names = ("positions", "velocities", "omegas")
    positions, velocities, omegas = (_vectors(found[name], len(system.bodies)) for name in names)
    rotations = found["rotations"].reshape(*positions.shape, 3)
    return BodyMotions(system.bodies, positions, rotations, velocities, omegas)


def reactions(system: System, found: Outputs) -> dict[str, Reaction]:
    """Return the force and the moment in each joint."""
    joints = system.loaded_joints
    forces, moments = (_vectors(found[name], len(joints)) for name in ("forces", "moments"))
    return {joint: Reaction(forces[..., i, :], moments[..., i, :]) for i, joint in enumerate(joints)}


def momentum(found: Outputs) -> Momentum:
    """Return mass, moment of mass, linear and angular momentum."""
    return Momentum(found["mass"][..., 0], found["moment"], found["linear"], found["angular"])


def powers(system: System, found: Outputs) -> Powers:
    """Return the powers of all that changes the energy."""
    forces = system.model.forces
    return Powers(
        by_name(found["force_powers"], forces),
        by_name(found["stored_rates"], forces),
        by_name(found["driver_powers"], system.coordinates.driven),
        by_name(found["rotor_powers"], given_rotors(system.coordinates)),
        by_name(found["constraint_powers"], working_owners(system.coordinates)),
    )


def _vectors(columns: Floats, count: int) -> Floats:
    """Return the last axis as vectors."""
    return columns.reshape(*columns.shape[:-1], count, 3)
