"""From an initial state to a motion: segments between events, each integrated in chunks that can be interrupted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import (
    CHECKPOINTS,
    DONE,
    END,
    EVALUATIONS,
    EVENT,
    LOGGED,
    OUTPUT,
    PAUSED,
    REJECTED,
    STEP,
    STEPS,
    STIFF_STEPS,
    STIFFNESS,
    STRIDE,
    UNDERFLOW,
)
from gyrostat.analysis.simulation.accumulation import Accumulation
from gyrostat.analysis.simulation.event_round import ActionFailedError, Aftermath
from gyrostat.analysis.simulation.failures import explanation
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.reactions_to_events import act
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Outcome, Status
from gyrostat.coordinates.arguments import Floats

Progress: TypeAlias = Callable[[float], None]
"""Called with the time reached, some times a second."""
Ending: TypeAlias = tuple[Outcome, str]
"""The outcome of a motion with a sentence."""

_INTERRUPTED: Ending = (Outcome.INTERRUPTED, "interrupted by the user.")

_CHUNK_SECONDS = 0.05
_FIRST_NUMBERS = 5000
"""Number of state entries integrated in the first chunk: steps times size of the state."""

_MOST_STEPS = 1e9
"""A run that would need more steps than this for the rest of its time is ended."""
_LOOK_BACK = 200_000
"""The number of steps by which the pace is judged."""


def integrate(
    problem: Problem,
    times: Floats,
    q: Floats,
    u: Floats,
    parameters: Mapping[str, float],
    plan: InputPlan,
    progress: Progress | None = None,
) -> Motion:
    """Integrate from the first of the times to the last; whatever happens, return the motion so far with its status."""
    n = len(times)
    motion = Motion(problem, times.copy(), np.empty((n, len(q))), np.empty((n, len(u))))
    motion.q[0], motion.u[0], motion.reached = q, u, 1
    began, cost, notes = time.perf_counter(), _Cost(), list[str]()
    accumulation = Accumulation(float(times[-1] - times[0]))
    after = Aftermath(q, u, parameters, plan)
    t, end, step = float(times[0]), float(times[-1]), 0.0
    while True:
        segment = Segment(t, end, after.parameters, after.plan)
        run, reason, failure = _integrated(motion, segment, after, step, progress)
        segment = motion.segments[-1]
        cost.add(run)
        t, step = run.time, float(run.clock[STEP])
        last = _state_at_end(motion, run, segment, reason)  # before what happens at this time
        if run.counts[STIFF_STEPS] and not notes:
            notes.append(_note_on_stiffness(run, problem.integrator))
        if failure is None and reason != EVENT:
            failure = explanation(reason, problem.integrator, problem.system, run)
            problem.keep(run)
        if failure is None:
            after, failure = _after_events(motion, run, t, last, accumulation)
        if failure is not None:
            break
        if after.jumped:
            step = min(step, problem.integrator.first_step) if problem.integrator.first_step else 0.0
        if t >= end:
            failure = Outcome.COMPLETED, ""
            break
    (outcome, message), seconds = failure, time.perf_counter() - began
    motion.status = Status(outcome, t, message, tuple(notes), cost.steps, cost.rejected, cost.evaluations, seconds)
    _finish(motion, t, *last)
    return motion


@dataclass
class _Cost:
    """Steps and evaluations of the segments so far."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0

    def add(self, run: Run) -> None:
        self.steps += run.steps
        self.rejected += int(run.counts[REJECTED])
        self.evaluations += int(run.counts[EVALUATIONS])


def _integrated(
    motion: Motion, segment: Segment, begin: Aftermath, step: float, progress: Progress | None
) -> tuple[Run, int, Ending | None]:
    """Integrate a segment and add it to the motion; return its run, why that stopped, and the outcome of a failure."""
    problem = motion.problem
    y = problem.to_state(segment, segment.start, begin.q, begin.u)
    run, function = problem.run(segment, segment.start, y, motion.times[motion.reached :], sides=begin.sides)
    run.clock[STEP] = step
    failure: Ending | None = None
    try:
        reason = _drive(problem.integrator.stepper(run), run, progress)
    except KeyboardInterrupt:
        reason, failure = PAUSED, _INTERRUPTED
    if function.interrupted:
        failure = _INTERRUPTED
    elif function.failure is not None and reason not in (DONE, EVENT):  # otherwise a shorter step went well
        failure = Outcome.INPUT_FAILED, function.reason
    segment = _closed(segment, run, y)
    motion.segments.append(segment)
    _collect(motion, run, segment)
    return run, reason, failure


def _state_at_end(motion: Motion, run: Run, segment: Segment, reason: int) -> tuple[Floats, Floats]:
    """Return q and u at the end of a run; the last output where that is the end."""
    last = motion.reached - 1
    if reason == DONE and motion.times[last] == run.time:
        return motion.q[last], motion.u[last]
    (q,), (u,) = (part.copy() for part in motion.problem.from_states(segment, np.array([run.time]), run.y[None, :]))
    return q, u


def _after_events(
    motion: Motion, run: Run, t: float, state: tuple[Floats, Floats], accumulation: Accumulation
) -> tuple[Aftermath, Ending | None]:
    """Return how things stand after the events of this instant, and the outcome where they end the motion."""
    segment = motion.segments[-1]
    try:
        after = act(motion, segment, run, t, *state)
    except ActionFailedError as error:
        return Aftermath(*state, segment.parameters, segment.plan), (Outcome.ACTION_FAILED, str(error))
    if after.stopped_by is not None:
        return after, (Outcome.STOPPED, f"event {after.stopped_by!r}.")
    warning = accumulation.add(after.names, t)
    return after, (Outcome.ACCUMULATION, warning) if warning else None


def _note_on_stiffness(run: Run, integrator: Integrator) -> str:
    return (
        f"Stability held the step down in {int(run.counts[STIFF_STEPS])} of {run.steps} steps (fastest decay "
        f"about {run.clock[STIFFNESS]:.3g} 1/s): the system is stiff. {integrator.advice}"
    )


def _drive(go_on: Callable[[int], int], run: Run, progress: Progress | None) -> int:
    """Move a run on in chunks of some hundredths of a second, until it stops by itself."""
    chunk = max(1, _FIRST_NUMBERS // (run.y.size + 1))
    first = mark = _Pace.of(run)
    while True:
        began = time.perf_counter()
        reason = go_on(chunk)
        if reason != PAUSED:
            return reason
        run.make_room()
        now = _Pace.of(run)
        if now.steps + now.rejected >= mark.steps + mark.rejected + _LOOK_BACK:
            if now.hopeless_since(mark, first, float(run.clock[END])):
                return UNDERFLOW
            mark = now
        spent = time.perf_counter() - began
        if spent < 0.5 * _CHUNK_SECONDS:
            chunk = min(2 * chunk, 1 << 40)
        elif spent > 2 * _CHUNK_SECONDS:
            chunk = max(chunk // 2, 1)
        if progress is not None:
            progress(run.time)


class _Pace(NamedTuple):
    """Time reached by a run, with its accepted and rejected steps."""

    steps: int
    rejected: int
    time: float

    @staticmethod
    def of(run: Run) -> _Pace:
        return _Pace(int(run.counts[STEPS]), int(run.counts[REJECTED]), run.time)

    def hopeless_since(self, mark: _Pace, first: _Pace, end: float) -> bool:
        """Tell whether the rest would take too many steps: many are rejected, or they have become far shorter.

        A chattering load has this effect, for example.
        """
        steps, rejected, covered = self.steps - mark.steps, self.rejected - mark.rejected, self.time - mark.time
        shorter = covered * (mark.steps - first.steps) < 1e-3 * (mark.time - first.time) * steps
        return (10 * rejected > steps or shorter) and covered * _MOST_STEPS < (end - self.time) * (steps + rejected)


def _closed(segment: Segment, run: Run, start: Floats) -> Segment:
    """Return the segment as it ended, with its checkpoints; it has one at its start in any case."""
    count = max(int(run.counts[CHECKPOINTS]), 1)
    if run.counts[CHECKPOINTS] == 0:
        run.log.checkpoint_times[0], run.log.checkpoint_steps[0] = segment.start, run.clock[STEP]
        run.log.checkpoint_states[0] = start
    return Segment(
        segment.start,
        run.time,
        segment.parameters,
        segment.plan,
        times=run.log.checkpoint_times[:count].copy(),
        steps=run.log.checkpoint_steps[:count].copy(),
        states=run.log.checkpoint_states[:count].copy(),
        final=run.y.copy(),
        target=segment.end,
        stride=int(run.counts[STRIDE]),
    )


def _collect(motion: Motion, run: Run, segment: Segment) -> None:
    """Take over output states and events that were only written down."""
    problem, first, count = motion.problem, motion.reached, int(run.counts[OUTPUT])
    rows = slice(first, first + count)
    motion.q[rows], motion.u[rows] = problem.from_states(segment, motion.times[rows], run.log.states[:count])
    motion.reached += count
    logged = int(run.counts[LOGGED])
    if not logged:
        return
    q, u = problem.from_states(segment, run.log.event_times[:logged], run.log.event_states[:logged])
    for i in range(logged):
        event = problem.events[run.log.event_numbers[i]]
        if not event.active:
            motion.occurrences.append(
                Occurrence(
                    event.name,
                    float(run.log.event_times[i]),
                    int(run.log.event_directions[i]),
                    q[i].copy(),
                    u[i].copy(),
                    q[i].copy(),
                    u[i].copy(),
                )
            )


def _finish(motion: Motion, t: float, q: Floats, u: Floats) -> None:
    """Keep the output times that were reached, and add the last state where a motion ended before its time."""
    times, kept = motion.times[: motion.reached], motion.reached
    motion.q, motion.u = motion.q[:kept], motion.u[:kept]
    if t > times[-1]:
        times = np.append(times, t)
        motion.q, motion.u = np.vstack((motion.q, q)), np.vstack((motion.u, u))
    motion.times, motion.reached = times, len(times)
