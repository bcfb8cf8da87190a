"""Observations: recipes for what a trajectory can offer beside its states, at many states at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates import Coordinates
from gyrostat.model.forces import ForceOutput
from gyrostat.model.kinds import End
from gyrostat.scalar import Scalar

if TYPE_CHECKING:
    from gyrostat.pipeline.traces import Trace


def force_outputs(coordinates: Coordinates) -> dict[str, dict[str, ForceOutput]]:
    """Return what each force element reports, in the order of the program; units are those of its coordinate."""

    def declared(output: ForceOutput, coordinate: str | None) -> ForceOutput:
        slides = coordinate is not None and coordinates.measures[coordinate] == "length"
        return replace(output, unit=output.sliding_unit or output.unit, sliding_unit="") if slides else output

    forces = coordinates.topology.model.forces
    return {
        name: {label: declared(output, force.coordinate) for label, output in force.outputs.items()}
        for name, force in forces.items()
    }


def _body_motion(trace: Trace) -> dict[str, Any]:
    """Return how the frames of all moving bodies stand and move: rotations R_WB row by row, all in world axes."""
    from gyrostat.scalar.traced import column

    moving = [trace.motion.end(End(link.body)) for _, link in trace.motion.tree.bodies]
    return {
        "positions": column(x for body in moving for x in body.position),
        "rotations": column(x for body in moving for row in body.rotation for x in row),
        "velocities": column(x for body in moving for x in body.velocity),
        "omegas": column(x for body in moving for x in body.omega),
    }


def _inputs(trace: Trace) -> dict[str, Any]:
    """Return the inputs themselves, which are of interest where some of them are formulas."""
    from gyrostat.scalar.traced import column

    return {"values": column(trace.motion.state.inputs.values())}


def _driven(trace: Trace) -> dict[str, Any]:
    """Return driven coordinates with their rates and accelerations."""
    from gyrostat.scalar.traced import column

    motion = trace.motion
    jets = [motion.state.in_time(formula, motion.tree.value) for formula in motion.tree.coordinates.driven.values()]
    return {
        "values": column(jet.value for jet in jets),
        "rates": column(jet.rate for jet in jets),
        "accelerations": column(jet.acceleration for jet in jets),
    }


def _force_outputs(trace: Trace) -> dict[str, Any]:
    """Return all that force elements report, one after the other as `force_outputs` lists it."""
    from gyrostat.scalar.traced import column

    entries: list[Scalar] = []
    for force in trace.motion.tree.coordinates.topology.model.forces.values():
        observed = force.observed(trace.motion)
        for label, output in force.outputs.items():
            entries.extend([observed[label]] if output.size == 1 else observed[label])
    return {"observed": column(entries)}


OBSERVATIONS: dict[str, tuple[Callable[[Trace], dict[str, Any]], bool]] = {
    "body_motion": (_body_motion, False),
    "inputs": (_inputs, False),
    "driven": (_driven, False),
    "force_outputs": (_force_outputs, False),
}
"""For each program what it computes, and whether accelerations are an input of it."""
