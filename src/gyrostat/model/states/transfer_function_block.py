"""Transfer function as a block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import ListKind, Quantity, QuantityKind, TextKind
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement, StateOutput
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, multiply, subtract, total

_ZERO = Formula.of(0)


@dataclass(frozen=True)
class TransferFunctionBlock(StateElement):
    """A proper transfer function b(s)/a(s) between its input and its output, in controllable canonical form.

    Coefficients are those of falling powers of s. States are `name.x1`, …, `name.xn`, each the rate of the one before:
    xₙ′ = input − Σ (aᵢ/a₀) xₙ₊₁₋ᵢ. They begin at zero.

    >>> notch = TransferFunctionBlock("notch", "load.x", numerator=(1, 0, "w**2"), denominator=(1, "w", "w**2"))
    >>> [one.name for one in notch.state_variables]
    ['notch.x1', 'notch.x2']
    """

    input: Quantity = value(QuantityKind(LAW), doc="the input, a formula of all signals that a state determines")
    numerator: tuple[Quantity, ...] = value(ListKind(QuantityKind()), doc="coefficients b of falling powers of s")
    denominator: tuple[Quantity, ...] = value(ListKind(QuantityKind()), doc="coefficients a of falling powers of s")
    unit: str = value(TextKind(), "", doc="the unit of the output, for labels", keyword=True)

    def validate(self, place: Place) -> None:
        """Require a leading coefficient, and no more zeros than poles."""
        if not self.denominator or self.denominator[0].number == 0:
            place.inside("denominator").report(
                "it has no leading coefficient.", "Begin with that of the highest power."
            )
        if not self.numerator:
            place.inside("numerator").report("it is empty.", "Give at least one coefficient.")
        elif len(_trimmed(self.numerator)) > len(self.denominator):
            fact = f"its degree {len(_trimmed(self.numerator)) - 1} exceeds {len(self.denominator) - 1}, that of the "
            place.inside("numerator").report(f"{fact}denominator.", "Add poles: the transfer function must be proper.")

    @property
    def order(self) -> int:
        """The number of states."""
        return len(self.denominator) - 1

    @property
    def _states(self) -> list[str]:
        return [f"{self.name}.x{i + 1}" for i in range(self.order)]

    @property
    def _numerator(self) -> tuple[Quantity, ...]:
        """The coefficients of the numerator, as many as those of the denominator."""
        given = _trimmed(self.numerator)
        return (*[_ZERO] * (len(self.denominator) - len(given)), *given)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The canonical states."""
        return tuple(StateVariable(name, "", f"state {i + 1} of {self.name}") for i, name in enumerate(self._states))

    @property
    def outputs(self) -> Mapping[str, StateOutput]:
        """The output of the transfer function."""
        return {self.name: StateOutput(self.unit, f"output of {self.name}")}

    def feedthrough(self, output: str) -> tuple[Formula, ...]:
        """Return the input if the numerator has the degree of the denominator."""
        return () if self._numerator[0].number == 0 else (self.input,)

    def observed(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return Σ (bᵢ − d aᵢ)/a₀ xₙ₊₁₋ᵢ + d·input with d = b₀/a₀."""
        a = [motion.evaluate(one) for one in self.denominator]
        b = [motion.evaluate(one) for one in self._numerator]
        through = divide(b[0], a[0])
        terms = [
            multiply(divide(subtract(b_i, multiply(through, a_i)), a[0]), motion.quantity(name))
            for b_i, a_i, name in zip(b[1:], a[1:], reversed(self._states), strict=True)
        ]
        direct = multiply(through, motion.evaluate(self.input)) if self.feedthrough(self.name) else 0
        return {self.name: add(total(terms), direct)}

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the next state of each, and for the last the input less the feedback of all."""
        if not self.order:
            return {}
        first, *others = (motion.evaluate(one) for one in self.denominator)
        fed_back = total(
            [
                multiply(divide(coefficient, first), motion.quantity(name))
                for coefficient, name in zip(others, reversed(self._states), strict=True)
            ]
        )
        rates = {name: motion.quantity(after) for name, after in zip(self._states, self._states[1:], strict=False)}
        return {**rates, self._states[-1]: subtract(motion.evaluate(self.input), fed_back)}


def _trimmed(coefficients: tuple[Quantity, ...]) -> tuple[Quantity, ...]:
    """Return coefficients without leading zeros."""
    first = next((i for i, one in enumerate(coefficients) if one.number != 0), len(coefficients) - 1)
    return coefficients[first:]
