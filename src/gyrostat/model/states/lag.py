"""First-order lag."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import Quantity, QuantityKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, subtract


@dataclass(frozen=True)
class Lag(StateElement):
    """A first-order lag, T ẏ + y = K·input: a sensor, a valve, a smoothed command. Its output y is its state.

    >>> [one.name for one in Lag("pressure", "valve_opening", time_constant=0.05).state_variables]
    ['pressure']
    """

    input: Quantity = value(QuantityKind(LAW), doc="the input, a formula of all signals that a state determines")
    time_constant: Quantity = value(QuantityKind(), doc="time constant T (s)")
    gain: Quantity = value(QuantityKind(), 1, doc="static gain K")
    initial: Quantity = value(QuantityKind(), 0, doc="initial value of the output")
    unit: str = value(TextKind(), "", doc="the unit of the output, for labels", keyword=True)

    def validate(self, place: Place) -> None:
        """Require a time constant."""
        require_positive(place, "time_constant", self.time_constant, "Without a lag, use the input itself.")

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The output."""
        return (StateVariable(self.name, self.unit, f"output of lag {self.name}", self.initial),)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return (K·input − y)/T."""
        driven = multiply(motion.evaluate(self.gain), motion.evaluate(self.input))
        return {self.name: divide(subtract(driven, motion.quantity(self.name)), motion.evaluate(self.time_constant))}
