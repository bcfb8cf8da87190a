"""Integration of a motion: segments between events, each integrated in chunks that can be interrupted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import (
    BREAK_TOLERANCE,
    DONE,
    EVALUATIONS,
    EVENT,
    HASTE,
    LAST_SWITCH,
    LOGGED,
    NO_SAMPLE,
    PAUSED,
    REJECTED,
    STEP,
    SWITCHED,
    SWITCHES,
    UNDERFLOW,
    UNSOLVED,
    UNSOLVED_BY,
)
from gyrostat.analysis.simulation.accumulation import Accumulation
from gyrostat.analysis.simulation.budget import Budget, BudgetEnded, Meter, StepCounts
from gyrostat.analysis.simulation.consistency import consistent_state
from gyrostat.analysis.simulation.contact_settling import settle_contacts
from gyrostat.analysis.simulation.delay_lines import Past
from gyrostat.analysis.simulation.driver_kinks import later_side
from gyrostat.analysis.simulation.event_round import ActionFailedError, Aftermath
from gyrostat.analysis.simulation.failures import explanation, fastest
from gyrostat.analysis.simulation.finished_segment import (
    closed_segment,
    collect_outputs,
    collect_outputs_until,
    finish_motion,
)
from gyrostat.analysis.simulation.impulse_notes import note_on_impulses
from gyrostat.analysis.simulation.inputs import InputFunction, InputPlan
from gyrostat.analysis.simulation.kink_passage import past_kink
from gyrostat.analysis.simulation.mass_watch import ending_by, vanished_mass
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.multistep_notes import note_on_restarts, note_on_zone
from gyrostat.analysis.simulation.next_segment import next_segment
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.reactions_to_events import act, first_sides
from gyrostat.analysis.simulation.resting import rest_at_start, rested_state
from gyrostat.analysis.simulation.sampling import act_by_samples, empty_segment
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.slope_watch import watch_on_slopes
from gyrostat.analysis.simulation.status import INTERRUPTED, Ending, Outcome, Status
from gyrostat.analysis.simulation.stiffness import note_on_stiffness
from gyrostat.analysis.simulation.stop_times import StopTimes
from gyrostat.analysis.simulation.timed_blocks import TimedBlocks
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import GyrostatError, StateError

Progress: TypeAlias = Callable[[float], None]
"""Called with the time reached, some times a second."""

_CHUNK_SECONDS = 0.05
_FIRST_CHUNK_SIZE = 5000
"""Number of state entries integrated in the first chunk: steps times size of the state."""

_NO_BUDGET = Budget()


def integrate(
    problem: Problem,
    times: Floats,
    state: StateParts,
    parameters: Mapping[str, float],
    plan: InputPlan,
    progress: Progress | None = None,
    budget: Budget = _NO_BUDGET,
    past: Past | None = None,
) -> Motion:
    """Integrate from the first of the times to the last; whatever happens, return the motion so far with its status.

    `past` is known of delayed signals before the start. Where a function of the user raised an exception, that is the
    motion's `error`.
    """
    meter = Meter(budget, float(times[0]), float(times[-1]))
    timed = TimedBlocks.of(problem, past)
    with meter.alarm(calls=bool(plan.functions or problem.events or (timed is not None and timed.calls))):
        return _integrate(problem, times, state, parameters, plan, progress, meter, timed)


def _integrate(
    problem: Problem,
    times: Floats,
    state: StateParts,
    parameters: Mapping[str, float],
    plan: InputPlan,
    progress: Progress | None,
    meter: Meter,
    timed: TimedBlocks | None,
) -> Motion:
    """Integrate segment by segment, with the steps and the time counted by a meter."""
    t, end, step = float(times[0]), float(times[-1]), 0.0
    motion = Motion(problem, times.copy(), problem.system.row.empty(len(times)), np.empty((len(times), 0)), reached=1)
    after, failure = _begun(motion, timed, Aftermath(*state, parameters, plan), meter)
    last = motion.states.at(0)
    cost, notes, accumulation, stops = _Cost(), list[str](), Accumulation(end - t), StopTimes(problem.system)
    while failure is None:
        after, failure = settle_contacts(motion, after, t)
        if failure is not None:
            if not motion.segments:
                raise StateError(f"The motion cannot begin: {failure[1]}")
            break
        segment = next_segment(motion, t, after, timed, stops)
        run, reason, failure = _integrated(motion, segment, after, step, progress, meter)
        segment = motion.segments[-1]
        if timed is not None and failure is None and reason in (DONE, EVENT, NO_SAMPLE, SWITCHED):
            failure = timed.record(motion, run, segment, smooth=reason == DONE)
        cost.add(run)
        meter.add(run)
        t, step = run.time, float(run.clock[STEP])
        if reason == DONE and problem.system.coordinates.algebraic and t >= end - BREAK_TOLERANCE * abs(end):
            t = end  # a stop just before the end: the last output has been written, with the equations before the stop
        last = _state_at_end(motion, run, segment, reason)  # before the events of this time
        _remark(motion, run, last, notes)
        if failure is None and reason in (DONE, NO_SAMPLE, SWITCHED) and t < end:  # of a window, or at a driver's kink
            after = _at_boundary(motion, run, last)
            problem.keep(run)
        elif failure is None and reason not in (EVENT, SWITCHED):
            failure = _explained(motion, run, reason, last)
            problem.keep(run)
        elif failure is None and reason == EVENT:
            after, failure = _after_events(motion, run, t, last, accumulation, meter)
            if failure is not None and failure[0] is Outcome.ACCUMULATION:
                after, failure = _rest(motion, t, after, accumulation, failure[1], notes)
        if failure is None and run.time == segment.target < end:
            after, t = past_kink(problem, after, t)
            collect_outputs_until(motion, run, t, last)
        if failure is None and t < end:
            failure = act_by_samples(motion, timed, t, after, meter) or _made_consistent(problem, t, after)
        if after.jumped:
            step = min(step, problem.integrator.first_step) if problem.integrator.first_step else 0.0
        if failure is None and t >= end:
            failure = Outcome.COMPLETED, ""
    if timed is not None:
        timed.finish(motion)
    notes += cost.notes(motion)
    motion.status = cost.status(failure, t, (*notes, *motion.notes), time.perf_counter() - meter.began)
    finish_motion(motion, t, last)
    return motion


def _remark(motion: Motion, run: Run, last: StateParts, notes: list[str]) -> None:
    """Add a note on stiffness where there is no note yet, and remarks on narrow zones that a segment has passed."""
    if not notes and (note := note_on_stiffness(motion, run, last)):
        notes.append(note)
    for zone in run.zones:
        motion.remarks.setdefault(zone.law, []).append(note_on_zone(motion.problem.system, zone))


def _begun(
    motion: Motion, timed: TimedBlocks | None, begin: Aftermath, meter: Meter
) -> tuple[Aftermath, Ending | None]:
    """Return the first state, with algebraic variables that obey their equations, after the first samples.

    It is the first output of the motion. Contacts at rest are found from it.
    """
    problem, t = motion.problem, float(motion.times[0])
    if timed is not None:
        timed.start(motion, begin)
        begin.plan = timed.plan(begin.plan, t)
    if problem.system.coordinates.algebraic:
        begin.z = consistent_state(problem, t, begin.state, begin.parameters, begin.plan).z
    failure = act_by_samples(motion, timed, t, begin, meter) or _made_consistent(problem, t, begin)
    motion.states.put(0, begin.state)
    if failure is not None:
        motion.segments.append(empty_segment(problem, t, begin))
        return begin, failure
    if problem.events:
        begin.sides = first_sides(problem, begin, t, float(motion.times[-1]) - t)
        begin = rest_at_start(problem, begin, t)
    return begin, None


def _made_consistent(problem: Problem, t: float, after: Aftermath) -> Ending | None:
    """Let the algebraic variables obey their equations after a discontinuity; return the outcome if none do.

    Where formulas of time change, the time reached lies a few units of rounding before.
    """
    if not problem.system.coordinates.algebraic:
        return None
    try:
        later = t + BREAK_TOLERANCE * abs(t)
        after.z = consistent_state(problem, later, after.state, after.parameters, after.plan).z
    except StateError as error:
        return Outcome.NOT_CONVERGED, str(error)
    return None


def _at_boundary(motion: Motion, run: Run, state: StateParts) -> Aftermath:
    """Return the state after the end of a segment without events."""
    segment = motion.segments[-1]
    return Aftermath(
        *state,
        segment.parameters,
        segment.plan,
        run.event_sides,
        run.mode_row,
        (int(run.counts[HASTE]), float(run.clock[LAST_SWITCH])),
        resting=segment.resting,
        contacts=segment.contacts,
    )


def _explained(motion: Motion, run: Run, reason: int, last: StateParts) -> Ending | None:
    """Return the outcome of a run that ended by itself."""
    problem = motion.problem
    failure = explanation(reason, problem.integrator, problem.system, run)
    if reason != DONE and problem.system.varying_masses:
        return _without_mass(motion, run, last) or failure
    return failure


def _without_mass(motion: Motion, run: Run, state: StateParts) -> Ending | None:
    """Return the outcome of a run that failed because a body lost all its mass."""
    segment = motion.segments[-1]
    there = Aftermath(*state, segment.parameters, segment.plan, contacts=segment.contacts)
    return vanished_mass(motion.problem, there, run.time, float(run.clock[STEP]))


@dataclass
class _Cost:
    """Steps and evaluations of the segments so far."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    switches: int = 0
    unsolved: int = 0
    unsolved_by: float = 0.0

    def add(self, run: Run) -> None:
        """Add the cost of a run."""
        self.steps += run.steps
        self.switches += int(run.counts[SWITCHES])
        self.rejected += int(run.counts[REJECTED])
        self.evaluations += int(run.counts[EVALUATIONS])
        self.unsolved += int(run.counts[UNSOLVED])
        self.unsolved_by = max(self.unsolved_by, float(run.clock[UNSOLVED_BY]))

    def notes(self, motion: Motion) -> list[str]:
        """Return notes on restarts of the integrator and on steps whose impulses were not found."""
        restarts = note_on_restarts(motion, self.steps, self.switches)
        impulses = note_on_impulses(motion.problem.integrator, self.steps, self.unsolved, self.unsolved_by)
        return [note for note in (restarts, impulses) if note]

    def status(self, ending: Ending, t: float, notes: tuple[str, ...], seconds: float) -> Status:
        """Return the status of a motion that ended at a time."""
        return Status(
            ending[0], t, ending[1], notes, self.steps, self.rejected, self.evaluations, seconds, self.switches
        )


def _integrated(
    motion: Motion, segment: Segment, begin: Aftermath, step: float, progress: Progress | None, meter: Meter
) -> tuple[Run, int, Ending | None]:
    """Integrate a segment and add it to the motion; return its run, the reason for its end, and a failure."""
    problem = motion.problem_of(segment)
    begun = later_side(segment.start) if begin.jumped else segment.start  # momenta are those behind a driver's kink
    y = problem.to_state(segment, begun, begin.state)
    run, function = problem.run(segment, segment.start, y, motion.times[motion.reached :], sides=begin.sides)
    run.clock[STEP] = step
    run.counts[HASTE], run.clock[LAST_SWITCH] = begin.haste
    if begin.modes is not None:
        run.set_modes(begin.modes, settled=False)
    function.meter = meter
    if problem.system.station_arms:
        meter.watch = watch_on_slopes(problem.system, segment.parameters)
    failure: Ending | None = None
    try:
        reason = _drive(problem.integrator.stepper(run), run, progress, meter, bool(segment.plan.functions))
    except KeyboardInterrupt:
        reason, failure = PAUSED, INTERRUPTED
    if reason == PAUSED:
        failure = failure or meter.ending or (Outcome.TOO_SLOW, _slowness(problem, run, meter))
    elif function.interrupted or (function.failure is not None and reason not in (DONE, EVENT, SWITCHED)):
        failure = _input_failure(motion, function, run)  # otherwise a shorter step went well
    if function.cut_off is not None:
        segment = replace(segment, plan=segment.plan.until(function.cut_off))
    segment = closed_segment(segment, run, y)
    motion.segments.append(segment)
    collect_outputs(motion, run, segment)
    return run, reason, failure


def _slowness(problem: Problem, run: Run, meter: Meter) -> str:
    """Return the reason for ending a run whose remainder would take years."""
    return (
        f"{meter.slowness} {fastest(problem.system, run)} changes fastest and limits the step. "
        f"{problem.integrator.advice} To continue nevertheless, give a budget: most_seconds=3600."
    )


def _input_failure(motion: Motion, function: InputFunction, run: Run) -> Ending:
    """Return the outcome where a Python function of an input ended a run."""
    error = function.failure
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, BudgetEnded):
        assert function.meter is not None
        return function.meter.out_of_time(run.time)
    motion.error = None if function.not_finite else error
    return Outcome.INPUT_FAILED, function.reason


def _state_at_end(motion: Motion, run: Run, segment: Segment, reason: int) -> StateParts:
    """Return the state at the end of a run; the last output where that is the end."""
    last = motion.reached - 1
    if reason == DONE and motion.times[last] == run.time:
        return motion.states.at(last)
    return motion.problem_of(segment).from_states(segment, np.array([run.time]), run.y[None, :].copy()).at(0)


def _after_events(
    motion: Motion, run: Run, t: float, state: StateParts, accumulation: Accumulation, meter: Meter
) -> tuple[Aftermath, Ending | None]:
    """Return the state after the events of this instant, and the outcome if they end the motion."""
    segment = motion.segments[-1]
    unchanged = Aftermath(*state, segment.parameters, segment.plan)
    try:
        meter.calling = bool(run.counts[LOGGED])
        after = act(motion, segment, run, t, state)
    except ActionFailedError as error:
        cause = error.__cause__
        motion.error = None if isinstance(cause, GyrostatError) else cause
        return unchanged, (Outcome.ACTION_FAILED, str(error))
    except KeyboardInterrupt:
        return unchanged, INTERRUPTED
    except BudgetEnded:
        return unchanged, meter.out_of_time(t)
    finally:
        meter.calling = False
    if after.stopped_by is not None:
        return after, ending_by(motion.problem.events, after.stopped_by)
    if after.left_at_rest:
        after = rested_state(motion.problem, after, t, {*after.left_at_rest, *after.resting}) or after
    warning = accumulation.add(after.names, t)
    return after, (Outcome.ACCUMULATION, warning) if warning else None


def _rest(
    motion: Motion, t: float, after: Aftermath, accumulation: Accumulation, message: str, notes: list[str]
) -> tuple[Aftermath, Ending | None]:
    """Return the state with accumulated contacts at rest and write a note; where they cannot rest, the outcome."""
    name = accumulation.accumulated
    rested = rested_state(motion.problem, after, t, {name, *after.resting})
    if rested is None:
        return after, (Outcome.ACCUMULATION, message)
    accumulation.forget(name)
    notes.append(f"At t = {t:.9g} s {accumulation.description} From there the contact rests, until its load vanishes.")
    return rested, None


def _drive(go_on: Callable[[int], int], run: Run, progress: Progress | None, meter: Meter, calls_python: bool) -> int:
    """Advance a run in chunks of some hundredths of a second, until it stops or the meter ends it."""
    chunk = 1 if calls_python else max(1, _FIRST_CHUNK_SIZE // (run.y.size + 1))
    first = mark = StepCounts.of(run)
    while True:
        allowed = meter.chunk(run, chunk)
        if not allowed:
            return PAUSED
        began = time.perf_counter()
        reason = go_on(allowed)
        if reason != PAUSED:
            return reason
        run.enlarge_records()
        now = StepCounts.of(run)
        if now.far_from(mark):
            if now.hopeless_since(mark, first, run):
                return UNDERFLOW
            mark = now
        if meter.too_slow(run):
            return PAUSED
        spent = time.perf_counter() - began
        if spent < 0.5 * _CHUNK_SECONDS:
            chunk = min(2 * chunk, 1 << 40)
        elif spent > 2 * _CHUNK_SECONDS:
            chunk = max(chunk // 2, 1)
        if progress is not None:
            progress(run.time)
