"""Entries of the output ports of programs, by name and in order."""

from __future__ import annotations

from dataclasses import replace

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.forces import ForceOutput


def force_outputs(coordinates: Coordinates) -> dict[str, dict[str, ForceOutput]]:
    """Return the outputs of each force element in the order of the program, with the units of its coordinate."""

    def declared(output: ForceOutput, coordinate: str | None) -> ForceOutput:
        slides = coordinate is not None and coordinates.measures[coordinate] == "length"
        return replace(output, unit=output.sliding_unit or output.unit, sliding_unit="") if slides else output

    forces = coordinates.topology.model.forces
    return {
        name: {label: declared(output, force.coordinate) for label, output in force.outputs.items()}
        for name, force in forces.items()
    }


def observed_by_name(coordinates: Coordinates, observed: Floats) -> dict[str, dict[str, Floats]]:
    """Return the output of the program of force outputs, (…, entries), by force and output: (…), or (…, 3)."""
    found: dict[str, dict[str, Floats]] = {}
    place = 0
    for force, outputs in force_outputs(coordinates).items():
        found[force] = {}
        for name, output in outputs.items():
            part = observed[..., place : place + output.size]
            found[force][name] = part if output.size == 3 else part[..., 0]
            place += output.size
    return found


def given_rotors(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the rotors whose motion is given, as body.rotor, in the order of the program of powers."""
    topology = coordinates.topology
    bodies = [topology.model.bodies[name] for name in topology.tree.order[1:]]
    return tuple(f"{body.name}.{rotor.name}" for body in bodies for rotor in body.rotors if not rotor.free)


def working_owners(coordinates: Coordinates) -> tuple[str, ...]:
    """Return the chords and components whose constraints may do work: those that may depend on time."""
    topology = coordinates.topology
    return (*(name for name in coordinates.chords if topology.joints[name].driven), *topology.model.constraints)
