"""Why the energy of a run was not compared with the work of loads, which its status says."""

from __future__ import annotations

from gyrostat.analysis.simulation.energy_law import EnergyLaw, energy_law
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.model.forces import Grains
from gyrostat.system import System


def unwatched_energy(motion: Motion) -> str:
    """Return why the energy of a motion, or of a part of it, was not watched; empty where it was."""
    for segment in motion.segments:
        system = motion.problem_of(segment).system
        if segment.end > segment.start and energy_law(system, segment) is EnergyLaw.UNKNOWN:
            method = type(motion.problem.integrator).__name__
            return f"The energy balance was not watched: {_reason(system, segment, method)}."
    return ""


def _reason(system: System, segment: Segment, method: str) -> str:
    """Return what does work that is not known."""
    if system.kernel_forces:
        force = system.kernel_forces[0]
        if isinstance(force, Grains):
            return f"the energy of the grains {force.name!r} is accounted for in their own outputs"
        name = force.name
        return f"the work of the contacts of many pairs {name!r} is not added up in {method} runs of this size"
    if segment.plan.functions:
        name = next(iter(segment.plan.functions))
        return f"input {name!r} is a Python function, whose work is not added up beside drivers or by {method}"
    if segment.contacts is not None and segment.contacts.closed:
        return "the work of closed rigid contacts is not added up beside drivers or constraints"
    return "the model has states that store energy"
