"""Delay of a signal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.kinds import IN_TIME, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class Delay(StateElement):
    """The value that a signal had some time ago: a conveyor, a transport of heat, a slow computer.

    A simulation records the input and interpolates it by cubic splines of order four, with as many points as the
    tolerance of the integrator takes. No step is longer than the delay, so that all values that it needs are known.
    Numeric methods of a system take the delayed value as an input of this name.
    """

    input: Quantity = value(QuantityKind(LAW), doc="the signal, a formula")
    delay: Quantity = value(QuantityKind(), doc="the delay (s)")
    initial: Quantity = value(QuantityKind(IN_TIME), 0, doc="the signal before the start, a formula of t")

    def validate(self, place: Place) -> None:
        """Require a positive delay."""
        require_positive(place, "delay", self.delay, "Without a delay, use the signal itself.")

    @property
    def input_names(self) -> tuple[str, ...]:
        """The delayed value, which a simulation gives like an input."""
        return (self.name,)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """None: the state of a delay is a piece of the past."""
        return ()

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return nothing."""
        return {}
