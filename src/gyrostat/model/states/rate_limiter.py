"""Limit of the rate of a signal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, negate, subtract


@dataclass(frozen=True)
class RateLimiter(StateElement):
    """An output y that follows the input with a limited rate: ẏ = (input − y)/T, between −falling and rising.

    Within the limits it is a lag with the time constant T, so that it keeps behind an input of rate r by r·T.

    >>> limiter = RateLimiter("command", "0.5*sin(t)", rising=0.1, time_constant=0.01)
    """

    input: Quantity = value(QuantityKind(LAW), doc="the input, a formula of all signals that a state determines")
    rising: Quantity = value(QuantityKind(), doc="the highest rate of the output (1/s)")
    time_constant: Quantity = value(QuantityKind(), doc="time constant T within the limits (s)")
    falling: Quantity | None = value(
        OptionalKind(QuantityKind()), None, doc="the fastest fall, a positive number; `rising` by default", keyword=True
    )
    initial: Quantity = value(QuantityKind(), 0, doc="initial value of the output", keyword=True)
    unit: str = value(TextKind(), "", doc="the unit of the output, for labels", keyword=True)

    def validate(self, place: Place) -> None:
        """Require positive rates and a time constant."""
        require_positive(place, "rising", self.rising, "Give the size of the highest rate.")
        require_positive(place, "time_constant", self.time_constant, "Give the lag within the limits, such as 0.01 s.")
        if self.falling is not None:
            require_positive(place, "falling", self.falling, "Give the size of the fastest fall.")

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The output."""
        return (StateVariable(self.name, self.unit, f"output of rate limiter {self.name}", self.initial),)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the rate within its limits."""
        behind = subtract(motion.evaluate(self.input), motion.quantity(self.name))
        rate = divide(behind, motion.evaluate(self.time_constant))
        rising = motion.evaluate(self.rising)
        falling = rising if self.falling is None else motion.evaluate(self.falling)
        call = motion.scalars.call
        return {self.name: call("min", (call("max", (rate, negate(falling))), rising))}
