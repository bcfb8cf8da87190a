"""Sampled blocks in a simulation: their sample times, and the values that they set there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import SAMPLE
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan, StateView
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.sample_times import is_due, next_sample, period_of
from gyrostat.analysis.simulation.samples import sampled_formulas
from gyrostat.coordinates.row import StateParts
from gyrostat.model.formula import Formula
from gyrostat.model.states import Sampled

_SAMPLE_LIMIT = 2000
"""Number of samples, of the block with the shortest period, after which a segment ends."""


class SampleFailedError(Exception):
    """The law of a sampled block failed; the text is the reason, the cause is the exception of the law."""


class Sampler:
    """The sampled blocks of a problem, and when they acted last."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._blocks = problem.system.sampled_blocks
        self.calls = any(not isinstance(block.law, Formula) for block in self._blocks)
        """Whether a law is a Python function."""
        self._within = problem.integrator.samples and not self.calls and not problem.system.coordinates.algebraic
        """Whether blocks may act within a segment; otherwise every sample time ends one."""
        self._last: dict[str, float] = {}
        """The time of the last sample of each block: events may follow at the same instant."""

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def next_after(self, t: float, parameters: Mapping[str, float]) -> float:
        """Return the first sample time after a time; infinity without blocks."""
        return min((next_sample(t, period_of(block, parameters)) for block in self._blocks), default=np.inf)

    def reach(self, t: float, parameters: Mapping[str, float], plan: InputPlan) -> float:
        """Return the sample time at which a segment from a time has to end; infinity without blocks."""
        if not self._within or plan.functions:
            return self.next_after(t, parameters)
        return min((next_sample(t, period_of(one, parameters), _SAMPLE_LIMIT) for one in self._blocks), default=np.inf)

    def passed(self, run: Run) -> None:
        """Remember the samples that were taken within a run."""
        count = int(run.counts[SAMPLE])
        for block, due in zip(self._blocks, run.samples.due[:count].T, strict=False):
            taken = np.flatnonzero(due)
            if len(taken):
                self._last[block.name] = float(run.samples.times[taken[-1]])

    def sampled(self, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan) -> StateParts:
        """Return the state after the samples of an instant; without any due, the state itself."""
        if not self._blocks:
            return state
        due = [one for one in self._blocks if is_due(t, period_of(one, parameters), self._last.get(one.name, -np.inf))]
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
            given = sampled_formulas(block)
            program = system.signal_values(given, inputs=plan.formulas or None)
            found = dict(zip(given, program.loop(rows)[0].tolist(), strict=True))
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


def called(block: Sampled, t: float, signals: Mapping[str, float], memory: dict[str, float]) -> dict[str, float]:
    """Call the Python function of a block; return the held value and the memory by full name."""
    law: Any = block.law
    try:
        value = law(t, signals, memory)
    except Exception as error:  # whatever the user's function raises ends the motion, and is raised after it
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
