"""Padé's approximation of delays by transfer functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial

import numpy as np

from gyrostat.analysis.variations.operating_point import At, OperatingPoint, operating_point
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.formula import Formula
from gyrostat.model.states import Delay, TransferFunctionBlock
from gyrostat.system import System, choice_to_plain, formulate_as


@dataclass(frozen=True)
class Pade:
    """Padé's approximation of e^(−sτ) by a quotient of polynomials in s.

    `order` is the degree of the denominator, `degree` that of the numerator, by default the same. A smaller degree
    gives approximations without direct feedthrough, for loops that have no other state.

    >>> Pade(1).coefficients
    ((-0.5, 1.0), (0.5, 1.0))
    """

    order: int
    degree: int | None = None

    def __post_init__(self) -> None:
        degree = self.order if self.degree is None else self.degree
        if not 1 <= self.order <= 12 or not 0 <= degree <= self.order:
            raise StateError(
                f"Padé's approximation has order {self.order!r} and degree {degree!r}. The order is 1 to 12, and the "
                "degree of the numerator at most as much."
            )

    @property
    def coefficients(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Numerator and denominator of e^(−s): coefficients of falling powers of s."""
        n, m = self.order, self.order if self.degree is None else self.degree

        def coefficient(degree: int, k: int) -> float:
            ways = factorial(n + m - k) * factorial(degree)
            return ways / (factorial(n + m) * factorial(k) * factorial(degree - k))

        numerator = tuple((-1) ** k * coefficient(m, k) for k in range(m, -1, -1))
        return numerator, tuple(coefficient(n, k) for k in range(n, -1, -1))

    def applied(self, model: Model) -> Model:
        """Return the model in which transfer functions of the same names take the place of delays."""
        changed = Model(
            model.name, gravity=model.gravity, parameters=dict(model.parameters), description=model.description
        )
        for component in model.components.values():
            changed.add(self._block(component) if isinstance(component, Delay) else component)
        return changed

    def _block(self, delay: Delay) -> TransferFunctionBlock:
        numerator, denominator = (
            tuple(_scaled(one, delay.delay, len(part) - 1 - i) for i, one in enumerate(part))
            for part in self.coefficients
        )
        return TransferFunctionBlock(delay.name, delay.input, numerator, denominator)

    def approximated(self, system: System, at: At, t: float, parameters: Mapping[str, object] | None) -> OperatingPoint:
        """Return the operating point of the system without delays in which the delayed signals have been constant."""
        blocks = [block for block in system.model.states.values() if isinstance(block, Delay)]
        changed = formulate_as(self.applied(system.model), choice_to_plain(system))
        if not isinstance(at, Mapping | OperatingPoint):
            raise StateError("With Padé's approximation give the operating point by values by name.")
        given, inputs = dict(parameters or {}), {}
        state: dict[str, object] = dict(at.state if isinstance(at, OperatingPoint) else at)
        if isinstance(at, OperatingPoint):
            given, t = {**at.parameters, **given}, at.t
            inputs = {name: number for name, number in at.inputs.items() if name in changed.inputs}
        values = changed.model.values(given)
        point = operating_point(changed, state, t=t, parameters=given, inputs=inputs)
        for _ in blocks:  # a delay may feed the next one
            for block in blocks:
                program = changed.signals({block.name: block.input}).values_and_rates
                signal = float(program.loop(point.row[None, :])[0, program.output_slice("values")][0])
                replaced = changed.model.states[block.name]
                assert isinstance(replaced, TransferFunctionBlock)
                state[f"{block.name}.x1"] = signal * replaced.denominator[0].value(values)
            point = operating_point(changed, state, t=t, parameters=given, inputs=inputs)
        return point


def _scaled(coefficient: float, delay: Formula, power: int) -> Formula:
    """Return a coefficient times a power of the delay."""
    if delay.number is not None:
        return Formula.of(float(coefficient * np.power(float(delay.number), power)))
    return Formula.of(f"{coefficient!r}*({delay})**{power}")
