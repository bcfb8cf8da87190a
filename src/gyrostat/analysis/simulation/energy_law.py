"""What is known of the energy of a system between events: constant, only falling, or changed by known powers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.model.evaluator import Evaluator
from gyrostat.scalar import FloatScalars
from gyrostat.system import System
from gyrostat.system.energy_sources import EnergySources


class EnergyLaw(Enum):
    """What is known of a system's energy between events."""

    CONSTANT = "constant"
    NOT_RISING = "not rising"
    SUPPLIED = "supplied"
    UNKNOWN = "unknown"


def energy_law(system: System, segment: Segment) -> EnergyLaw:
    """Return what is known of the energy in a segment; `system` has the contacts closed that rest in it.

    It is constant where all loads have potentials, and only falls where dampers act beside them. Otherwise the powers
    of loads, drivers and inputs are known, but for those of inputs that are Python functions.
    """
    law = _law(system.energy_sources, segment.plan, segment.parameters)
    return EnergyLaw.UNKNOWN if law is EnergyLaw.SUPPLIED and segment.plan.functions else law


def _law(sources: EnergySources, plan: InputPlan, parameters: Mapping[str, float]) -> EnergyLaw:
    """Return the law under inputs and values of the parameters."""
    if sources.supplied or (sources.actuators and _acts(sources.actuators, plan)):
        return EnergyLaw.SUPPLIED
    if not sources.loads and not sources.dampers:
        return EnergyLaw.NOT_RISING if sources.damped else EnergyLaw.CONSTANT
    value = Evaluator(FloatScalars(), parameters.__getitem__)
    coefficients = [float(value(damper)) for damper in sources.dampers]
    if any(value(load) != 0 for load in sources.loads) or min(coefficients, default=0.0) < 0:
        return EnergyLaw.SUPPLIED
    return EnergyLaw.NOT_RISING if sources.damped or any(coefficients) else EnergyLaw.CONSTANT


def _acts(actuators: tuple[str, ...], plan: InputPlan) -> bool:
    """Return whether an input of an actuator is not zero throughout."""
    if not plan.numbers and plan.constant:
        return False
    courses = {*plan.formulas, *plan.tables, *plan.functions}
    return any(plan.numbers.get(name) or name in courses for name in actuators)
