"""Sampled blocks in a simulation: their sample times, and the values that they set there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gyrostat.analysis.simulation.inputs import InputPlan, StateView
from gyrostat.analysis.simulation.problem import Problem, input_values
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.states import Sampled

_ROUNDING = 1e-12
"""A distance from a sample time that is a rounding error, relative to the time and the period."""


class SampleFailedError(Exception):
    """The law of a sampled block failed; the text is the reason, the cause is the exception of the law."""


class Sampler:
    """The sampled blocks of a problem, and when they acted last."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._blocks = [one for one in problem.system.model.states.values() if isinstance(one, Sampled)]
        self._last: dict[str, float] = {}
        """The time of the last sample of each block: events may follow at the same instant."""

    def __bool__(self) -> bool:
        return bool(self._blocks)

    @property
    def calls(self) -> bool:
        """Whether a law is a Python function."""
        return any(not isinstance(block.law, Formula) for block in self._blocks)

    def next_after(self, t: float, parameters: Mapping[str, float]) -> float:
        """Return the first sample time after a time; infinity without blocks."""
        found = np.inf
        for block in self._blocks:
            period = self._period(block, parameters)
            found = min(found, (np.floor(t / period + _ROUNDING * max(1.0, abs(t / period))) + 1.0) * period)
        return float(found)

    def sampled(self, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan) -> StateParts:
        """Return the state after the samples of an instant; without any due, the state itself."""
        due = [block for block in self._blocks if self._is_due(block, t, parameters)]
        for block in due:
            self._last[block.name] = t
            state = self._after(block, t, state, parameters, plan)
        return state

    def _after(
        self, block: Sampled, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan
    ) -> StateParts:
        """Return the state after one block has acted."""
        system, problem = self._problem.system, self._problem
        rows = problem.vector(t, state, parameters, plan)[None, :]
        if not plan.constant:
            rows[:, system.row.inputs] = input_values(system, plan, rows)
        if isinstance(block.law, Formula):
            given = {block.name: block.law, **{f"{block.name}.{label}": one for label, one in block.update.items()}}
            program = system.signals(given, inputs=plan.formulas or None).values_and_rates
            values = program.loop(rows)[0, program.output_slice("values")].tolist()
            found = dict(zip(given, values, strict=True))
        else:
            found = called(block, t, StateView(plan, system, rows[0]), self._memory(block, state))
        z, places = state.z.copy(), system.coordinates.place_of
        for name, number in found.items():
            if not np.isfinite(number):
                raise SampleFailedError(f"the law of sampled {block.name!r} gave {name} = {number} at t = {t:g}.")
            z[places[name][1]] = number
        return state._replace(z=z)

    def _memory(self, block: Sampled, state: StateParts) -> dict[str, float]:
        places = self._problem.system.coordinates.place_of
        return {label: float(state.z[places[f"{block.name}.{label}"][1]]) for label in block.memory}

    def _is_due(self, block: Sampled, t: float, parameters: Mapping[str, float]) -> bool:
        period = self._period(block, parameters)
        count, passed = t / period, (t - self._last.get(block.name, -np.inf)) / period
        rounding = _ROUNDING * max(1.0, abs(count))
        return bool(abs(count - np.round(count)) <= rounding < passed)

    def _period(self, block: Sampled, parameters: Mapping[str, float]) -> float:
        period = block.period.value(dict(parameters))
        if not 0.0 < period < np.inf:
            raise StateError(f"The period of sampled {block.name!r} is {period:g} s. Give a positive time.")
        return period


def called(block: Sampled, t: float, signals: Mapping[str, float], memory: dict[str, float]) -> dict[str, float]:
    """Call the Python function of a block; return the held value and the memory by full name."""
    law: Any = block.law
    try:
        value = law(t, signals, memory)
    except Exception as error:
        raise SampleFailedError(f"the law of sampled {block.name!r} failed: {type(error).__name__}: {error}") from error
    for label in memory.keys() - block.memory.keys():
        raise SampleFailedError(
            f"the law of sampled {block.name!r} added {label!r} to its memory. Declare it: memory={{{label!r}: 0}}."
        )
    for label in block.memory.keys() - memory.keys():
        raise SampleFailedError(f"the law of sampled {block.name!r} removed {label!r} from its memory. Keep it there.")
    found = {block.name: value, **{f"{block.name}.{label}": memory[label] for label in block.memory}}
    return {name: _number(block, name, one) for name, one in found.items()}


def _number(block: Sampled, name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise SampleFailedError(
            f"the law of sampled {block.name!r} gave {name} = {value!r:.40}, which is not one number. Return the held "
            "value alone, and put others into the memory, each as an entry of its own."
        ) from None
