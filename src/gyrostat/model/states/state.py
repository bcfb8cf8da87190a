"""A state given by formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class State(StateElement):
    """A variable with a rate, ẋ = f, or an algebraic one with an equation, 0 = g; formulas know it by its name.

    >>> State("current", rate="(U - R*current - K*shaft.rate)/L", unit="A").state_variables[0].algebraic
    False
    >>> State("valve", equation="valve**3 + valve - flow", initial=0.5).state_variables[0].algebraic
    True
    """

    rate: Quantity | None = value(
        OptionalKind(QuantityKind(LAW)), None, doc="the rate, a formula of states, coordinates, speeds, inputs and t"
    )
    initial: Quantity = value(QuantityKind(), 0, doc="the initial value; with an equation, where the iteration begins")
    unit: str = value(TextKind(), "", doc="the unit, for labels")
    description: str = value(TextKind(), "", doc="a description, for labels")
    equation: Quantity | None = value(
        OptionalKind(QuantityKind(LAW)), None, doc="in place of a rate: a formula that is zero", keyword=True
    )

    def validate(self, place: Place) -> None:
        """Require either a rate or an equation; an equation must contain a name."""
        if (self.rate is None) == (self.equation is None):
            fact = "it has neither a rate nor an equation." if self.rate is None else "it has a rate and an equation."
            place.report(fact, "Give one of them: rate='…', or equation='…' for a formula that is zero.")
        elif self.equation is not None and not self.equation.names:
            place.inside("equation").report(
                f"{self.equation} contains no name, so that it determines nothing.", f"Write it with {self.name!r}."
            )

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The variable itself."""
        algebraic = self.equation is not None
        return (StateVariable(self.name, self.unit, self.description, self.initial, algebraic),)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the value of the rate, or of the equation."""
        formula = self.rate if self.equation is None else self.equation
        assert formula is not None, "validated when it was made"
        return {self.name: motion.evaluate(formula)}
