"""Outputs of force elements, and the order of their values in one column."""

from __future__ import annotations

from dataclasses import replace

from gyrostat.coordinates import Coordinates
from gyrostat.model.forces import ForceOutput


def force_outputs(coordinates: Coordinates) -> dict[str, dict[str, ForceOutput]]:
    """Return the outputs of each force element, in the order of the column; units are those of its coordinate."""

    def declared(output: ForceOutput, coordinate: str | None) -> ForceOutput:
        slides = coordinate is not None and coordinates.measures[coordinate] == "length"
        return replace(output, unit=output.sliding_unit or output.unit, sliding_unit="") if slides else output

    forces = coordinates.topology.model.forces
    return {
        name: {label: declared(output, force.coordinate) for label, output in force.all_outputs.items()}
        for name, force in forces.items()
    }


def observed_places(coordinates: Coordinates) -> dict[str, dict[str, int | slice]]:
    """Return the places of force outputs in their column, by force and output: a number's place, a vector's slice."""
    found: dict[str, dict[str, int | slice]] = {}
    place = 0
    for name, force in coordinates.topology.model.forces.items():
        found[name] = {}
        for label, output in force.all_outputs.items():
            found[name][label] = slice(place, place + 3) if output.size == 3 else place
            place += output.size
    return found
