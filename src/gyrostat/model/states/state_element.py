"""The contract of a component of the section `states`: first-order and algebraic variables with their equations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.model.record import Component
from gyrostat.model.registry import Registry
from gyrostat.model.state_variable import StateOwner, StateVariable
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class StateOutput:
    """An output of a component of the section `states`: a number that follows from states and formulas."""

    unit: str = ""
    description: str = ""


@dataclass(frozen=True)
class StateElement(Component, StateOwner):
    """Base of the components that have states and no loads.

    A subclass declares its fields and defines `state_variables` and `state_rates`. A single variable has the name of
    the component, several are named `component.variable`. The output of a block has the name of the block: it is either
    a state variable, or one of the `outputs`, whose values `observed` gives. Formulas know states and outputs alike.
    """

    file_section: ClassVar[str] = "states"
    word: ClassVar[str] = "state"
    suffixes: ClassVar[frozenset[str]] = frozenset(("rate",))

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of outputs and states within this component, by the word after the dot."""
        return {**super().inner_names(), **self.words_of_states(self.name)}

    @property
    @abstractmethod
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The state variables of the component, in order."""

    @abstractmethod
    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of each state variable by its full name; of an algebraic one the residual of its equation."""

    @property
    def outputs(self) -> Mapping[str, StateOutput]:
        """The outputs that are no state variables, by full name."""
        return {}

    @property
    def input_names(self) -> tuple[str, ...]:
        """The names of inputs that the component adds to the system, which simulations give by themselves."""
        return ()

    @property
    def rated_inputs(self) -> tuple[str, ...]:
        """The inputs of the model whose rates enter the equations."""
        return ()

    @property
    def continuous_outputs(self) -> tuple[str, ...]:
        """The outputs that must not jump, since their rates enter the equations."""
        return ()

    @property
    def law_names(self) -> tuple[str, ...]:
        """The names of the parts whose laws have conditions, for messages."""
        return (self.name,)

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the value of each of the `outputs`, by full name."""
        return {}

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the formulas that enter an output at the same instant, rather than through a state."""
        return ()


STATES: Registry[StateElement] = Registry("state", StateElement)
