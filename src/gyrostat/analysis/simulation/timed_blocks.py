"""Blocks that end segments of a simulation: sampled blocks, delays where known values end, exchanges with grains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.simulation.delay_lines import DelayFailedError, DelayLines, Past
from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.sampler import Sampler
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Ending, Outcome
from gyrostat.coordinates.row import StateParts
from gyrostat.lazy import later
from gyrostat.model.forces import Grains

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import granular_exchange
else:
    (granular_exchange,) = later("gyrostat.analysis.simulation", "granular_exchange")


class TimedBlocks:
    """The sampled blocks, delays and grains of a problem, in one simulation."""

    def __init__(self, problem: Problem, past: Past | None = None) -> None:
        self._past: Past = {} if past is None else past
        self._sampler, self._lines = Sampler(problem), DelayLines(problem.system)
        self._grains = granular_exchange.GranularExchange(problem)
        self._tolerance: float | None = getattr(problem.integrator, "rtol", None)
        self.calls = self._sampler.calls
        """Whether a sampled law is a Python function."""

    @staticmethod
    def of(problem: Problem, past: Past | None = None) -> TimedBlocks | None:
        """Return the blocks of a problem; None where it has none."""
        system = problem.system
        if system.sampled_blocks or system.delays:
            return TimedBlocks(problem, past)
        forces = system.kernel_forces
        return TimedBlocks(problem, past) if forces and any(isinstance(one, Grains) for one in forces) else None

    def start(self, motion: Motion, begin: Aftermath) -> None:
        """Record the signals of delays before the start, and place the grains."""
        if self._lines:
            self._lines.start(float(motion.times[0]), begin.parameters, self._tolerance, self._past)
        if self._grains:
            self._grains.start(motion, begin, self._past.grains if isinstance(self._past, Motion) else {})

    def exchange(self, t: float, after: Aftermath) -> None:
        """Advance the grains, where an exchange is due."""
        self._grains.exchange(t, after)

    def finish(self, motion: Motion) -> None:
        """Hand the recorded grains over to a motion that has ended."""
        self._grains.finish(motion)

    def next_after(self, t: float, parameters: Mapping[str, float], plan: InputPlan) -> float:
        """Return the time at which a segment has to end; with delays at every sample, as their signals jump there."""
        exchange = self._grains.next_after()
        if self._lines:
            return min(self._sampler.next_after(t, parameters), self._lines.next_after(t), exchange)
        return min(self._sampler.reach(t, parameters, plan), exchange)

    def plan(self, plan: InputPlan, t: float) -> InputPlan:
        """Return the plan of inputs with delayed signals, as far as they are known at a time, and loads of grains."""
        plan = self._grains.plan(plan)
        return self._lines.plan(plan, t, self._lines.next_after(t)) if self._lines else plan

    def sampled(self, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan) -> StateParts:
        """Return the state after the samples of an instant."""
        return self._sampler.sampled(t, state, parameters, self.plan(plan, t))

    def record(self, motion: Motion, run: Run, segment: Segment, *, smooth: bool) -> Ending | None:
        """Record samples within a run and the signals of delays; return the outcome if one has no finite value.

        After samples, the signals may have jumped.
        """
        self._sampler.passed(run)
        sampled = bool(self._sampler) and segment.end >= self._sampler.next_after(segment.start, segment.parameters)
        try:
            self._lines.record(motion, segment, smooth=smooth and not sampled)
        except DelayFailedError as error:
            return Outcome.INPUT_FAILED, str(error)
        return None
