"""PID controller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.controller import Controller
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract


@dataclass(frozen=True)
class PID(Controller):
    """A PID controller in parallel form, K_p e + K_i ∫e dt + K_d ė, with e the input and ė filtered.

    The derivative is that of the error behind a lag with time constant T_f: K_d s/(T_f s + 1). States are
    `name.integral` and `name.filtered`, the error behind the lag. With `limits` the output keeps within them, and the
    integral does not wind up (see `Saturation`). An error at the start that differs from `initial_filtered` counts as
    a step.

    >>> controller = PID("height", "1 - z", proportional=30, integral=5, derivative=8, filter_time=0.02)
    >>> [one.name for one in controller.state_variables]
    ['height.integral', 'height.filtered']
    """

    derivative: Quantity = value(QuantityKind(), doc="derivative gain K_d")
    filter_time: Quantity = value(QuantityKind(), doc="time constant T_f of the derivative's filter (s)")
    initial_filtered: Quantity = value(QuantityKind(), 0, doc="initial value of the filtered error", keyword=True)

    def validate(self, place: Place) -> None:
        """Check the filter and the limits."""
        require_positive(place, "filter_time", self.filter_time, "An ideal derivative is not proper; filter it.")
        super().validate(place)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The integral of the error, and the filtered error."""
        filtered = f"filtered error of {self.name}"
        return (*super().state_variables, StateVariable(f"{self.name}.filtered", "", filtered, self.initial_filtered))

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the error, which enters through the proportional and the derivative gain."""
        return () if self.proportional.number == 0 == self.derivative.number else (self.input,)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the error, corrected at the limits, and the derivative of the filtered error."""
        slope = self._slope(motion, motion.evaluate(self.input))
        return {**super().state_rates(motion), f"{self.name}.filtered": slope}

    def _slope(self, motion: Motion, error: Scalar) -> Scalar:
        """Return the derivative of the filtered error."""
        return divide(subtract(error, motion.quantity(f"{self.name}.filtered")), motion.evaluate(self.filter_time))

    def _unlimited(self, motion: Motion, error: Scalar) -> Scalar:
        """Return the output without limits."""
        derivative = multiply(motion.evaluate(self.derivative), self._slope(motion, error))
        return add(self._proportional_integral(motion, error), derivative)
