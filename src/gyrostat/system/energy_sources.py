"""Components that may change the energy of a system: drivers, rotors, loads with laws, actuators and dampers."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gyrostat.coordinates import Coordinates
from gyrostat.lazy import LaterClass
from gyrostat.model.forces import Actuator, ForceElement
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.shapes.relief import PLACE
from gyrostat.once import cached_property
from gyrostat.recipes.ports import given_rotors, working_owners

if TYPE_CHECKING:
    from gyrostat.model.forces import VariableMass
else:
    VariableMass = LaterClass("gyrostat.model.forces.variable_mass", "VariableMass")


@dataclass(frozen=True)
class EnergySources:
    """Components that may change the energy of a system, beside potentials."""

    supplied: bool
    """Whether there are drivers, rotors of given motion, networks, formulas of time, state or inputs, or constant
    loads."""
    moved: bool
    """Whether drivers, rotors of given motion, masses that shift, or constraints that may depend on time do work."""
    damped: bool
    """Whether a damper has a positive number as its coefficient."""
    actuators: tuple[str, ...]
    """The inputs of actuators."""
    loads: tuple[Formula, ...]
    """The laws of force elements that are formulas of parameters."""
    dampers: tuple[Formula, ...]
    """The coefficients of dampers that are formulas of parameters."""
    networks: bool
    """Whether there are networks, through which more energy may flow than they store."""
    unaccounted: bool
    """Whether energies change in a way that is not known here: in contacts of many pairs, and in components of users
    that store energy in states and do not tell the power that they receive."""

    @cached_property
    def none(self) -> bool:
        """Whether nothing but potentials can change the energy."""
        formulas = self.actuators or self.loads or self.dampers
        return not (self.supplied or self.damped or formulas or self.unaccounted)

    @staticmethod
    def of(coordinates: Coordinates) -> EnergySources:
        """Return the sources of energy in the model of a system."""
        model = coordinates.topology.model
        parameters, components = set(model.parameters), model.components.values()
        uses = (use for component in components for use in component.all_uses)
        forces = [force for force in model.forces.values() if not isinstance(force, Actuator)]
        loads = [law for force in forces for law in force.laws or ()]
        dampers = [damper for force in forces for damper in force.dampers]
        driven = bool(coordinates.driven or given_rotors(coordinates)) or any(
            joint.driven for joint in coordinates.topology.joints.values()
        )
        return EnergySources(
            driven
            or any(isinstance(use, FormulaUse) and not use.formula.names <= parameters | _places(use) for use in uses)
            or any(force.laws is None for force in forces)
            or any(state.supplies_power for state in model.states.values())
            or any(load.value() for load in loads if not load.names)
            or any(damper.value() < 0 for damper in dampers if not damper.names),
            driven or bool(working_owners(coordinates)) or any(_shifts(force) for force in forces),
            any(damper.value() > 0 for damper in dampers if not damper.names),
            tuple(name for force in model.forces.values() if isinstance(force, Actuator) for name in force.inputs),
            tuple(load for load in loads if load.names),
            tuple(damper for damper in dampers if damper.names),
            any(state.stores_energy for state in model.states.values()),
            bool(model.kernel_forces)
            or any(state.stores_energy and not state.supplies_power for state in model.states.values()),
        )


def _places(use: FormulaUse) -> Set[str]:
    """Return the variables of a formula that is a surface at rest in its body, which supplies no energy."""
    return use.scope.variables if use.scope.variables == frozenset(PLACE) else frozenset()


def _shifts(force: ForceElement) -> bool:
    """Return whether a force element moves material within a body, whose power follows from the accelerations."""
    return isinstance(force, VariableMass) and force.shifts
