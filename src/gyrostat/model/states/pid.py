"""PID controller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.saturation import LIMITS, Saturation
from gyrostat.model.states.state_element import StateElement, StateOutput
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide, multiply, subtract, total


@dataclass(frozen=True)
class PID(StateElement):
    """A PID controller in parallel form, K_p e + K_i ∫e dt + K_d ė, with e the input and ė filtered.

    The derivative is that of the error behind a lag with time constant T_f: K_d s/(T_f s + 1). States are
    `name.integral` and `name.filtered`, the error behind the lag. With `limits` the output keeps within them, and the
    integral does not wind up (see `Saturation`). An error at the start that differs from `initial_filtered` counts as
    a step.

    >>> controller = PID("height", "1 - z", proportional=30, integral=5, derivative=8, filter_time=0.02)
    >>> [one.name for one in controller.state_variables]
    ['height.integral', 'height.filtered']
    """

    input: Quantity = value(QuantityKind(LAW), doc="the control error e, a formula")
    proportional: Quantity = value(QuantityKind(), doc="proportional gain K_p")
    integral: Quantity = value(QuantityKind(), doc="integral gain K_i")
    derivative: Quantity = value(QuantityKind(), doc="derivative gain K_d")
    filter_time: Quantity = value(QuantityKind(), doc="time constant T_f of the derivative's filter (s)")
    limits: tuple[Quantity, ...] | None = value(LIMITS, None, doc="lower and upper limit of the output", keyword=True)
    tracking: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="tracking time of the anti-windup (s); by default the integral time K_p/K_i",
        keyword=True,
    )
    initial: Quantity = value(QuantityKind(), 0, doc="initial value of the integral", keyword=True)
    initial_filtered: Quantity = value(QuantityKind(), 0, doc="initial value of the filtered error", keyword=True)
    unit: str = value(TextKind(), "", doc="the unit of the output, for labels", keyword=True)

    def validate(self, place: Place) -> None:
        """Check the filter and the limits."""
        require_positive(place, "filter_time", self.filter_time, "An ideal derivative is not proper; filter it.")
        self._saturation.check(place, self.proportional, self.integral)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The integral of the error, and the filtered error."""
        return (
            StateVariable(f"{self.name}.integral", "", f"integral of the error of {self.name}", self.initial),
            StateVariable(f"{self.name}.filtered", "", f"filtered error of {self.name}", self.initial_filtered),
        )

    @property
    def outputs(self) -> Mapping[str, StateOutput]:
        """The controller's output."""
        return {self.name: StateOutput(self.unit, f"output of controller {self.name}")}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the output within its limits."""
        error = motion.evaluate(self.input)
        return {self.name: self._saturation.clipped(motion, self._output(motion, error))}

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the error, which enters through the proportional and the derivative gain."""
        return () if self.proportional.number == 0 == self.derivative.number else (self.input,)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the error, corrected at the limits, and the derivative of the filtered error."""
        error = motion.evaluate(self.input)
        output = self._output(motion, error)
        rate = self._saturation.integral_rate(motion, error, output, self.proportional, self.integral)
        return {f"{self.name}.integral": rate, f"{self.name}.filtered": self._slope(motion, error)}

    def _slope(self, motion: Motion, error: Scalar) -> Scalar:
        """Return the derivative of the filtered error."""
        return divide(subtract(error, motion.quantity(f"{self.name}.filtered")), motion.evaluate(self.filter_time))

    def _output(self, motion: Motion, error: Scalar) -> Scalar:
        """Return the output without limits."""
        return total(
            [
                multiply(motion.evaluate(self.proportional), error),
                multiply(motion.evaluate(self.integral), motion.quantity(f"{self.name}.integral")),
                multiply(motion.evaluate(self.derivative), self._slope(motion, error)),
            ]
        )

    @property
    def _saturation(self) -> Saturation:
        return Saturation(self.limits, self.tracking)
