"""Controllers with a proportional and an integral part."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.saturation import LIMITS, Saturation
from gyrostat.model.states.state_element import StateElement, StateOutput
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply


@dataclass(frozen=True)
class Controller(StateElement):
    """Base of controllers with the parts K_p e + K_i ∫e dt, e the input, whose output may have limits.

    A subclass defines `_unlimited`; with states of its own it extends `state_variables` and `state_rates`.
    """

    input: Quantity = value(QuantityKind(LAW), doc="the control error e, a formula")
    proportional: Quantity = value(QuantityKind(), doc="proportional gain K_p")
    integral: Quantity = value(QuantityKind(), doc="integral gain K_i (1/s times that of the proportional gain)")
    limits: tuple[Quantity, ...] | None = value(LIMITS, None, doc="lower and upper limit of the output", keyword=True)
    tracking: Quantity | None = value(
        OptionalKind(QuantityKind()),
        None,
        doc="tracking time of the anti-windup (s); by default the integral time K_p/K_i",
        keyword=True,
    )
    initial: Quantity = value(QuantityKind(), 0, doc="initial value of the integral", keyword=True)
    unit: str = value(TextKind(), "", doc="the unit of the output, for labels", keyword=True)

    @abstractmethod
    def _unlimited(self, motion: Motion, error: Scalar) -> Scalar:
        """Return the output without limits."""

    def validate(self, place: Place) -> None:
        """Check the limits."""
        self._saturation.check(place, self.proportional, self.integral)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The integral of the error."""
        return (StateVariable(f"{self.name}.integral", "", f"integral of the error of {self.name}", self.initial),)

    @property
    def outputs(self) -> Mapping[str, StateOutput]:
        """The controller's output."""
        return {self.name: StateOutput(self.unit, f"output of controller {self.name}")}

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the output within its limits."""
        return {self.name: self._saturation.clipped(motion, self._unlimited(motion, motion.evaluate(self.input)))}

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the error, which enters through the proportional gain."""
        return () if self.proportional.number == 0 else (self.input,)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the error, corrected at the limits."""
        error = motion.evaluate(self.input)
        output = self._unlimited(motion, error)
        rate = self._saturation.integral_rate(motion, error, output, self.proportional, self.integral)
        return {f"{self.name}.integral": rate}

    def _proportional_integral(self, motion: Motion, error: Scalar) -> Scalar:
        """Return K_p e + K_i ∫e dt."""
        integral = multiply(motion.evaluate(self.integral), motion.quantity(f"{self.name}.integral"))
        return add(multiply(motion.evaluate(self.proportional), error), integral)

    @property
    def _saturation(self) -> Saturation:
        return Saturation(self.limits, self.tracking)
