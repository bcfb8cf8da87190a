"""The inputs, laws and formulas of a system's frozen model, each collected once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from gyrostat.coordinates import Coordinates
from gyrostat.lazy import LaterClass
from gyrostat.model.forces import ForceElement
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.inputs import Input, Law
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.rapid_parts import may_vary_rapidly
from gyrostat.model.state_variable import StateOwner
from gyrostat.model.switches import switches_of
from gyrostat.once import cached_property
from gyrostat.system.energy_sources import EnergySources

if TYPE_CHECKING:
    from gyrostat.model.compounds import Rope
    from gyrostat.model.flexible.station_arm import StationArm
    from gyrostat.model.forces import Bond, RigidElement, RopeElement, VariableMass, Winch
    from gyrostat.model.states import Delay, Sampled
else:
    Rope = LaterClass("gyrostat.model.compounds.rope", "Rope")
    StationArm = LaterClass("gyrostat.model.flexible.station_arm", "StationArm")
    RigidElement = LaterClass("gyrostat.model.forces.rigid_element", "RigidElement")
    Bond = LaterClass("gyrostat.model.forces.bond", "Bond")
    VariableMass = LaterClass("gyrostat.model.forces.variable_mass", "VariableMass")
    RopeElement = LaterClass("gyrostat.model.forces.rope_element", "RopeElement")
    Winch = LaterClass("gyrostat.model.forces.winch", "Winch")
    Delay = LaterClass("gyrostat.model.states.delay", "Delay")
    Sampled = LaterClass("gyrostat.model.states.sampled", "Sampled")


class ModelFormulas:
    """Mixin: collects inputs, laws and formulas of the model, which simulations ask for in every call."""

    coordinates: Coordinates

    @cached_property
    def inputs(self) -> tuple[str, ...]:
        """The names of the inputs, in order."""
        return self.coordinates.topology.model.inputs

    @cached_property
    def driving_inputs(self) -> tuple[str, ...]:
        """The inputs that come with their rates: they drive coordinates, or networks need their rates."""
        return self.coordinates.topology.model.driving_inputs

    @cached_property
    def coordinate_drivers(self) -> tuple[str, ...]:
        """The inputs that drive coordinates."""
        return self.coordinates.topology.model.coordinate_drivers

    @cached_property
    def continuous_outputs(self) -> tuple[str, ...]:
        """The outputs of networks that must not jump."""
        states = self.coordinates.topology.model.states.values()
        return tuple(name for state in states for name in state.continuous_outputs)

    @cached_property
    def input_laws(self) -> Mapping[str, Law]:
        """The laws of inputs by name, where the model gives them, and the tables of drivers."""
        return self.coordinates.topology.model.input_laws

    @cached_property
    def time_formulas(self) -> tuple[Formula, ...]:
        """The formulas of the model that name the time: of loads, drivers and constraints.

        Laws of inputs are not among them, nor those of sampled blocks, which act at their sample times alone.
        """
        components = self.coordinates.topology.model.components.values()
        uses = (use for part in components if not isinstance(part, (Input, Sampled)) for use in part.all_uses)
        return tuple(use.formula for use in uses if isinstance(use, FormulaUse) and TIME in use.formula.names)

    @cached_property
    def law_formulas(self) -> tuple[Formula, ...]:
        """The formulas of force elements, states and elements of networks, and those of the measures that they use."""
        model = self.coordinates.topology.model
        owners = (*model.forces.values(), *model.states.values(), *model.elements.values())
        uses = (use for owner in owners for use in owner.all_uses)
        return self.with_measures(use.formula for use in uses if isinstance(use, FormulaUse))

    def with_measures(self, formulas: Iterable[Formula]) -> tuple[Formula, ...]:
        """Return formulas, and behind them those of all measures that they use, directly or by other measures."""
        found = list(formulas)
        measures = dict(self.coordinates.topology.model.measures)
        for formula in found:  # grows on the way
            for name in sorted(formula.names & measures.keys()):
                found.append(Formula.of(measures.pop(name).formula))
        return tuple(found)

    @cached_property
    def laws_may_switch(self) -> bool:
        """Whether laws of force elements and states may have conditions of the state, by their text alone."""
        model = self.coordinates.topology.model
        owners: tuple[StateOwner, ...] = (*model.forces.values(), *model.states.values())
        fixed = {TIME, *model.parameters}
        switches = (switch for formula in self.law_formulas for switch in switches_of(formula))
        return any(owner.may_switch for owner in owners) or any(not one.function.names <= fixed for one in switches)

    @cached_property
    def laws_may_vary_rapidly(self) -> bool:
        """Whether laws and constraints have formulas that may vary rapidly with the state, by their text alone."""
        model = self.coordinates.topology.model
        uses = (use for constraint in model.constraints.values() for use in constraint.uses())
        formulas = self.with_measures(use.formula for use in uses if isinstance(use, FormulaUse))
        return may_vary_rapidly((*self.law_formulas, *formulas), model.parameters)

    @cached_property
    def switching_constraints(self) -> tuple[str, ...]:
        """The constraints whose formulas have conditions of the state, which no integrator watches."""
        model = self.coordinates.topology.model
        fixed = {TIME, *model.parameters}
        return tuple(
            name
            for name, constraint in model.constraints.items()
            for own in [[use.formula for use in constraint.uses() if isinstance(use, FormulaUse)]]
            for uses in [self.with_measures(own)]
            if any(not switch.function.names <= fixed for formula in uses for switch in switches_of(formula))
        )

    @cached_property
    def kernel_forces(self) -> tuple[ForceElement, ...]:
        """The force elements whose loads a kernel gives: contacts of many pairs."""
        return self.coordinates.topology.model.kernel_forces

    @cached_property
    def rigid_contacts(self) -> tuple[RigidElement, ...]:
        """The rigid contacts and inextensible ropes of the model."""
        forces = self.coordinates.topology.model.forces.values()
        return tuple(force for force in forces if isinstance(force, RigidElement) and force.is_rigid)

    @cached_property
    def varying_masses(self) -> tuple[VariableMass, ...]:
        """The masses on bodies that vary."""
        forces = self.coordinates.topology.model.forces.values()
        return tuple(force for force in forces if isinstance(force, VariableMass))

    @cached_property
    def bonds(self) -> tuple[Bond, ...]:
        """The bonds, which may break."""
        forces = self.coordinates.topology.model.forces.values()
        return tuple(force for force in forces if isinstance(force, Bond))

    @cached_property
    def ropes(self) -> tuple[ForceElement, ...]:
        """The ropes over pulleys and their winches."""
        forces = self.coordinates.topology.model.forces.values()
        return tuple(force for force in forces if isinstance(force, (RopeElement, Winch)))

    @cached_property
    def whole_ropes(self) -> tuple[Rope, ...]:
        """The ropes of segments of the model, whose parts stand in their place."""
        owners = self.coordinates.topology.model.owners.values()
        return tuple(one for one in owners if isinstance(one, Rope))

    @cached_property
    def station_arms(self) -> Mapping[str, StationArm]:
        """An arm of each flexible beam, by the name of the beam."""
        joints = self.coordinates.topology.joints.values()
        return {joint.parent.body: joint for joint in joints if isinstance(joint, StationArm)}

    @cached_property
    def energy_sources(self) -> EnergySources:
        """Components that may change the energy of the system."""
        return EnergySources.of(self.coordinates)

    @cached_property
    def sampled_blocks(self) -> tuple[Sampled, ...]:
        """The blocks of the model that act at sample times."""
        return tuple(one for one in self.coordinates.topology.model.states.values() if isinstance(one, Sampled))

    @cached_property
    def delays(self) -> tuple[Delay, ...]:
        """The delayed signals of the model."""
        return tuple(one for one in self.coordinates.topology.model.states.values() if isinstance(one, Delay))
