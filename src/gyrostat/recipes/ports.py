"""Entries of the output ports of programs, by name and in order."""

from __future__ import annotations

from gyrostat.coordinates import Coordinates


def given_rotors(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the rotors whose motion is given, as body.rotor, in the order of the program of powers."""
    topology = coordinates.topology
    bodies = [topology.model.bodies[name] for name in topology.tree.order[1:]]
    return tuple(f"{body.name}.{rotor.name}" for body in bodies for rotor in body.rotors if not rotor.free)


def working_owners(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the chords and components whose constraints may do work: those that may depend on time."""
    topology = coordinates.topology
    return (*(name for name in coordinates.chords if topology.joints[name].driven), *topology.model.constraints)
