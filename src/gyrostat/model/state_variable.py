"""State variables: first-order and algebraic unknowns that components add to the coordinates and speeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gyrostat.model.formula import Formula
from gyrostat.scalar import Scalar

if TYPE_CHECKING:
    from gyrostat.model.forces import Motion


_ZERO = Formula.of(0)


@dataclass(frozen=True)
class StateVariable:
    """An entry of z: a variable with a rate, ż = f, or an algebraic one with an equation, 0 = g."""

    name: str
    """The full name by which formulas and results know it, such as `motor.current`."""
    unit: str = ""
    description: str = ""
    initial: Formula = _ZERO
    """The initial value, a formula of parameters; of an algebraic variable, where the iteration begins."""
    algebraic: bool = False
    """Whether it obeys an equation instead of having a rate."""


class Reset(NamedTuple):
    """State variables that jump when a condition of the state becomes true, such as a memory that is set at touch."""

    condition: Scalar
    """The truth value of one comparison, which a law of the component has as well."""
    values: Mapping[str, Scalar]
    """The new values, by the full names of the variables; other conditions of laws must not change with them."""


class StateOwner:
    """Base of components that may own state variables: force elements, and the members of the section `states`.

    A component with states defines `state_variables` and `state_rates`. Its loads, rates and equations read the states
    of all components by `motion.quantity(name)`, and so do the formulas of the model.
    """

    stores_energy: ClassVar[bool] = False
    """Whether the component stores energy: elastic, magnetic, …"""
    supplies_power: ClassVar[bool] = False
    """Whether the component receives power from outside of the model that `supplied_power` gives."""
    dissipates: ClassVar[bool] = False
    """Whether the work beyond the stored energy is lost, also of a component that neither stores nor receives any."""

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The state variables of the component, in order."""
        return ()

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate of each state variable by its full name; of an algebraic one the residual of its equation."""
        return {}

    def resets(self, motion: Motion) -> Iterator[Reset]:
        """Yield the state variables that jump when a condition becomes true, in simulations."""
        yield from ()

    def touching(self, motion: Motion) -> Iterator[Scalar]:
        """Yield the conditions that hold while bodies touch: a fixed step must not be longer than that."""
        yield from ()

    @property
    def may_switch(self) -> bool:
        """Whether laws may have conditions of the state beside those in their formulas; so may laws of users."""
        return not type(self).__module__.startswith("gyrostat.")

    def words_of_states(self, name: str) -> dict[str, str]:
        """Return descriptions of the states whose names begin with that of the component, by the word after the dot."""
        names = (variable.name for variable in self.state_variables)
        rests = [each.removeprefix(f"{name}.") for each in names if each.startswith(f"{name}.")]
        return {rest.partition(".")[0]: f"state {rest!r}" for rest in rests}

    def potential(self, motion: Motion) -> Scalar:
        """Return the stored energy of the component; called only if `stores_energy` is set."""
        return 0

    def supplied_power(self, motion: Motion) -> Scalar:
        """Return the power that a source gives to the component; called only if `supplies_power` is set."""
        return 0

    def stored_powers(self, motion: Motion) -> Sequence[Scalar] | None:
        """Return powers whose sum is the rate of the stored energy; None where that is to be differentiated."""
        return None
