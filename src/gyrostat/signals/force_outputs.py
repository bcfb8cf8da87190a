"""Outputs of force elements, and the order of their values in one column."""

from __future__ import annotations

from dataclasses import replace

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.forces import ForceOutput


def force_outputs(coordinates: Coordinates) -> dict[str, dict[str, ForceOutput]]:
    """Return the outputs of each force element, in the order of the column; units are those of its coordinate."""

    def declared(output: ForceOutput, coordinate: str | None) -> ForceOutput:
        slides = coordinate is not None and coordinates.measures[coordinate] == "length"
        return replace(output, unit=output.sliding_unit or output.unit, sliding_unit="") if slides else output

    forces = coordinates.topology.model.forces
    return {
        name: {label: declared(output, force.coordinate) for label, output in force.outputs.items()}
        for name, force in forces.items()
    }


def observed_by_name(coordinates: Coordinates, observed: Floats) -> dict[str, dict[str, Floats]]:
    """Return columns of force outputs, (…, entries), by force and output: numbers (…), or vectors (…, 3)."""
    found: dict[str, dict[str, Floats]] = {}
    place = 0
    for name, force in coordinates.topology.model.forces.items():
        found[name] = {}
        for label, output in force.outputs.items():
            part = observed[..., place : place + output.size]
            found[name][label] = part if output.size == 3 else part[..., 0]
            place += output.size
    return found
