"""The sections of a model: its components by kind, and what follows from each kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar, cast

from gyrostat.model.body import Body
from gyrostat.model.compounds import Compound
from gyrostat.model.constraints import Constraint
from gyrostat.model.elements import NetworkElement
from gyrostat.model.forces import ForceElement
from gyrostat.model.formula import Formula
from gyrostat.model.inputs import Input, Law
from gyrostat.model.joints import Joint
from gyrostat.model.joints.joint import TABLE_DRIVER
from gyrostat.model.measure import Measure
from gyrostat.model.record import Component
from gyrostat.model.state_variable import StateOwner, StateVariable
from gyrostat.model.states import StateElement
from gyrostat.model.subsystems import Subsystem

C = TypeVar("C", bound=Component)

SECTIONS: dict[str, type[Component]] = {
    "bodies": Body,
    "joints": Joint,
    "forces": ForceElement,
    "constraints": Constraint,
    "states": StateElement,
    "networks": NetworkElement,
    "inputs": Input,
    "measures": Measure,
    "compounds": Compound,
    "subsystems": Subsystem,
}
"""The sections of a model, in the order of a model file, and their kinds of components."""


class ModelSections:
    """Mixin: the components of a model by section."""

    _families: Mapping[str, dict[str, Component]]
    """The components by section and name."""

    @property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name; the ground only if it has points or shapes."""
        return self._family(Body)

    @property
    def joints(self) -> dict[str, Joint]:
        """The joints by name."""
        return self._family(Joint)

    @property
    def forces(self) -> dict[str, ForceElement]:
        """The force elements by name."""
        return self._family(ForceElement)

    @property
    def kernel_forces(self) -> tuple[ForceElement, ...]:
        """The force elements whose loads a native kernel gives, in simulations."""
        return tuple(force for force in self._family(ForceElement).values() if force.in_kernel)

    @property
    def constraints(self) -> dict[str, Constraint]:
        """The constraints by name; joints that close loops are not among them."""
        return self._family(Constraint)

    @property
    def states(self) -> dict[str, StateElement]:
        """The components of the section `states` by name; force elements may own states as well."""
        return self._family(StateElement)

    @property
    def elements(self) -> dict[str, NetworkElement]:
        """The elements of networks by name, data included."""
        return self._family(NetworkElement)

    @property
    def state_owners(self) -> tuple[StateOwner, ...]:
        """The components that own state variables: force elements first, then those of the section `states`."""
        every: tuple[StateOwner, ...] = (*self.forces.values(), *self.states.values())
        return tuple(owner for owner in every if owner.state_variables)

    @property
    def state_variables(self) -> dict[str, StateVariable]:
        """The state variables of all components by name, in the order of z."""
        return {variable.name: variable for owner in self.state_owners for variable in owner.state_variables}

    @property
    def accounted(self) -> dict[str, ForceElement | StateElement]:
        """The components of the energy account: force elements, and states that store energy or receive power."""
        states = self.states.items()
        return {**self.forces, **{name: one for name, one in states if one.stores_energy or one.supplies_power}}

    @property
    def compounds(self) -> dict[str, Compound]:
        """The compounds by name; a frozen model has none, but their parts."""
        return self._family(Compound)

    @property
    def subsystems(self) -> dict[str, Subsystem]:
        """The subsystems by name; a frozen model has none, but their parts."""
        return self._family(Subsystem)

    def _family(self, cls: type[C]) -> dict[str, C]:
        return cast(dict[str, C], self._families[cls.file_section].copy())

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of all inputs: those that force elements add, those of the model, of drivers and of delays.

        An input that drives a coordinate or a capacitor has its rate and acceleration: road, road.rate, road.acc.
        """
        added = (name for force in self._families["forces"].values() for name in cast(ForceElement, force).inputs)
        driving = (f"{name}{suffix}" for name in self.driving_inputs for suffix in ("", ".rate", ".acc"))
        delayed = (name for state in self.states.values() for name in state.input_names)
        return tuple(dict.fromkeys((*added, *self._families[Input.file_section], *driving, *delayed)))

    @property
    def solved_inputs(self) -> tuple[str, ...]:
        """The inputs that follow from the equations of motion: loads of rigid contacts, and of friction in joints."""
        forces = self._families["forces"].values()
        return tuple(name for force in forces for name in cast(ForceElement, force).solved_inputs)

    @property
    def driving_inputs(self) -> tuple[str, ...]:
        """The inputs that come with their rates: those that drive coordinates, and those whose rates networks need."""
        states = self._families["states"]
        if not states:
            return self.coordinate_drivers
        rated = (name for state in states.values() for name in cast(StateElement, state).rated_inputs)
        return tuple(dict.fromkeys((*self.coordinate_drivers, *rated)))

    @property
    def coordinate_drivers(self) -> tuple[str, ...]:
        """The inputs that drive coordinates: inputs of the model in formulas of drivers, and one for each table."""
        joints = [joint for joint in self._family(Joint).values() if joint.driven]
        own = self._families[Input.file_section]
        used = (name for joint in joints for formula in joint.drivers.values() for name in sorted(formula.names))
        return tuple(dict.fromkeys(name for name in used if name in own or name.endswith(TABLE_DRIVER)))

    @property
    def given_inputs(self) -> dict[str, Input]:
        """The components that are inputs, by name; those of actuators are not among them."""
        return self._family(Input)

    @property
    def measures(self) -> dict[str, Measure]:
        """The measures by name."""
        return self._family(Measure)

    @property
    def input_laws(self) -> dict[str, Law]:
        """The laws of inputs, by name, where the model gives them, and the tables of drivers."""
        laws: dict[str, Law] = {name: one.law for name, one in self.given_inputs.items() if one.law is not None}
        for joint in self._family(Joint).values():
            for label, law in joint.driven.items():
                if not isinstance(law, Formula):
                    laws[f"{joint.full_name(label)}{TABLE_DRIVER}"] = law
        return laws
