"""From an initial state to a motion: segments between events, each integrated in chunks that can be interrupted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

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
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.reactions_to_events import ActionFailedError, act
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Outcome, Status
from gyrostat.analysis.simulation.stops import explanation
from gyrostat.coordinates.arguments import Floats

Progress: TypeAlias = Callable[[float], None]
"""Is told the time reached, now and then."""

_CHUNK_SECONDS = 0.05
_FIRST_NUMBERS = 5000
"""How many numbers of states the steps of the first chunk make."""

_MOST_STEPS = 1e9
"""A run that would need so many steps for the rest of its time is given up."""
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
    system = problem.system
    n = len(times)
    motion = Motion(problem, times.copy(), np.empty((n, len(q))), np.empty((n, len(u))))
    motion.q[0], motion.u[0], motion.reached = q, u, 1
    began = time.perf_counter()
    steps = rejected = evaluations = 0
    notes: list[str] = []
    accumulation = Accumulation(float(times[-1] - times[0]))
    t, end = float(times[0]), float(times[-1])
    sides: np.ndarray[Any, np.dtype[np.int8]] | None = None
    step = 0.0
    outcome, message = Outcome.COMPLETED, ""
    while True:
        segment = Segment(t, end, parameters, plan)
        y = problem.to_state(segment, t, q, u)
        run, function = problem.run(segment, t, y, times[motion.reached :], sides=sides)
        run.clock[STEP] = step
        try:
            reason = _drive(problem.integrator.stepper(run), run, progress)
        except KeyboardInterrupt:
            outcome, message = Outcome.INTERRUPTED, "interrupted by the user."
            reason = PAUSED
        if function.interrupted:
            outcome, message = Outcome.INTERRUPTED, "interrupted by the user."
        elif function.failure is not None and reason not in (DONE, EVENT):  # otherwise a shorter step went well
            outcome, message = Outcome.INPUT_FAILED, function.reason
        segment = _closed(segment, run, y)
        motion.segments.append(segment)
        _collect(motion, run, segment)
        steps += run.steps
        rejected += int(run.counts[REJECTED])
        evaluations += int(run.counts[EVALUATIONS])
        t, step = run.time, float(run.clock[STEP])
        if reason == DONE and motion.times[motion.reached - 1] == t:
            q, u = motion.q[motion.reached - 1], motion.u[motion.reached - 1]
        else:
            (q,), (u,) = (part.copy() for part in problem.from_states(segment, np.array([t]), run.y[None, :]))
        last = q, u  # before what happens at this time
        if run.counts[STIFF_STEPS] and not notes:
            notes.append(
                f"Stability held the step down in {int(run.counts[STIFF_STEPS])} of {run.steps} steps (fastest decay "
                f"about {run.clock[STIFFNESS]:.3g} 1/s): the system is stiff. {problem.integrator.advice}"
            )
        if outcome is not Outcome.COMPLETED:
            break
        if reason != EVENT:
            outcome, message = explanation(reason, problem.integrator, system, run)
            problem.keep(run)
            break
        try:
            event_outcome = act(motion, segment, run, t, q, u)
        except ActionFailedError as error:
            outcome, message = Outcome.ACTION_FAILED, str(error)
            break
        q, u, parameters, plan, sides = (
            event_outcome.q, event_outcome.u, event_outcome.parameters, event_outcome.plan, event_outcome.sides,
        )  # fmt: skip
        if event_outcome.stopped_by is not None:
            outcome, message = Outcome.STOPPED, f"event {event_outcome.stopped_by!r}."
            break
        warning = accumulation.add(event_outcome.names, t)
        if warning:
            outcome, message = Outcome.ACCUMULATION, warning
            break
        if event_outcome.jumped:
            step = min(step, problem.integrator.first_step) if problem.integrator.first_step else 0.0
        if t >= end:
            break
    seconds = time.perf_counter() - began
    motion.status = Status(outcome, t, message, tuple(notes), steps, rejected, evaluations, seconds)
    _finish(motion, t, *last)
    return motion


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
    """How far a run has come, and by how many steps."""

    steps: int
    rejected: int
    time: float

    @staticmethod
    def of(run: Run) -> _Pace:
        return _Pace(int(run.counts[STEPS]), int(run.counts[REJECTED]), run.time)

    def hopeless_since(self, mark: _Pace, first: _Pace, end: float) -> bool:
        """Tell whether the rest would take too many steps, now that they are fought for or far shorter than before.

        A load that chatters does that, for example.
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
