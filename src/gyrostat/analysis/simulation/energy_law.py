"""What is known of the energy of a system between events: constant, only falling, or changed by known powers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Actuator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FormulaUse
from gyrostat.recipes.ports import given_rotors
from gyrostat.scalar import FloatScalars
from gyrostat.system import System


class EnergyLaw(Enum):
    """What is known of a system's energy between events."""

    CONSTANT = "constant"
    NOT_RISING = "not rising"
    SUPPLIED = "supplied"
    UNKNOWN = "unknown"


def energy_law(system: System, segment: Segment) -> EnergyLaw:
    """Return what is known of the energy in a segment.

    It is constant where all loads have potentials, and only falls where dampers act beside them. Otherwise the powers
    of loads, drivers and inputs are known, but for those of Python functions. Resting contacts may lie on surfaces that
    move, and are not accounted for.
    """
    sources: _Sources | None = system.cache.get(_KEY)
    if sources is None:
        sources = _Sources.of(system)
        system.cache.keep(_KEY, sources)
    law = EnergyLaw.UNKNOWN if segment.resting else sources.law(segment.plan, segment.parameters)
    return EnergyLaw.UNKNOWN if law is EnergyLaw.SUPPLIED and segment.plan.functions else law


_KEY = "sources of energy"


@dataclass(frozen=True)
class _Sources:
    """What may change the energy of a system."""

    supplied: bool
    """Whether there are drivers, rotors of given motion, formulas of time, state or inputs, or constant loads."""
    damped: bool
    """Whether a damper has a positive number as its coefficient."""
    actuators: tuple[str, ...]
    """The inputs of actuators."""
    loads: tuple[Formula, ...]
    """The laws of force elements that are formulas of parameters."""
    dampers: tuple[Formula, ...]
    """The coefficients of dampers that are formulas of parameters."""

    @staticmethod
    def of(system: System) -> _Sources:
        """Return the sources of energy in the model of a system."""
        coordinates, model, parameters = system.coordinates, system.model, set(system.model.parameters)
        uses = (use for component in model.components.values() for use in component.all_uses)
        forces = [force for force in model.forces.values() if not isinstance(force, Actuator)]
        loads = [law for force in forces for law in force.laws or ()]
        dampers = [damper for force in forces for damper in force.dampers]
        return _Sources(
            bool(coordinates.driven or given_rotors(coordinates))
            or any(joint.driven for joint in coordinates.topology.joints.values())
            or any(isinstance(use, FormulaUse) and not use.formula.names <= parameters for use in uses)
            or any(force.laws is None for force in forces)
            or any(load.value() for load in loads if not load.names)
            or any(damper.value() < 0 for damper in dampers if not damper.names),
            any(damper.value() > 0 for damper in dampers if not damper.names),
            tuple(name for force in model.forces.values() if isinstance(force, Actuator) for name in force.inputs),
            tuple(load for load in loads if load.names),
            tuple(damper for damper in dampers if damper.names),
        )

    def law(self, plan: InputPlan, parameters: Mapping[str, float]) -> EnergyLaw:
        """Return the law under inputs and values of the parameters."""
        if self.supplied or (self.actuators and any(_acts(name, plan) for name in self.actuators)):
            return EnergyLaw.SUPPLIED
        if not self.loads and not self.dampers:
            return EnergyLaw.NOT_RISING if self.damped else EnergyLaw.CONSTANT
        value = Evaluator(FloatScalars(), parameters.__getitem__)
        coefficients = [float(value(damper)) for damper in self.dampers]
        if any(value(load) != 0 for load in self.loads) or min(coefficients, default=0.0) < 0:
            return EnergyLaw.SUPPLIED
        return EnergyLaw.NOT_RISING if self.damped or any(coefficients) else EnergyLaw.CONSTANT


def _acts(name: str, plan: InputPlan) -> bool:
    """Return whether an input is not zero throughout."""
    return bool(plan.numbers.get(name)) or name in plan.formulas or name in plan.tables or name in plan.functions
