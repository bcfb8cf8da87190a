"""Segments that have been integrated: their checkpoints, and the outputs and events that a motion takes from them."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import CHECKPOINTS, LOGGED, OUTPUT, STEP, STRIDE, WORK
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.segment import NO_MODES, NO_VALUES, Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts


def closed_segment(segment: Segment, run: Run, start: Floats) -> Segment:
    """Return the segment as it ended, with its checkpoints; it has one at its start in any case."""
    count = max(int(run.counts[CHECKPOINTS]), 1)
    if run.counts[CHECKPOINTS] == 0:
        run.log.checkpoint_times[0], run.log.checkpoint_steps[0] = segment.start, run.clock[STEP]
        run.log.checkpoint_states[0], run.log.checkpoint_works[0] = start, 0.0
    return Segment(
        segment.start,
        run.time,
        segment.parameters,
        segment.plan,
        times=run.log.checkpoint_times[:count].copy(),
        steps=run.log.checkpoint_steps[:count].copy(),
        states=run.log.checkpoint_states[:count].copy(),
        modes=_checkpoint_modes(run),
        final=run.y.copy(),
        stops=segment.stops,
        resting=segment.resting,
        contacts=segment.contacts,
        largest_step=segment.largest_step,
        carries_work=run.carries_work,
        works=run.log.checkpoint_works[:count].copy() if run.carries_work else NO_VALUES,
        work=float(run.clock[WORK]) if run.carries_work else 0.0,
        target=segment.end,
        stride=int(run.counts[STRIDE]),
    )


def _checkpoint_modes(run: Run) -> Floats:
    """Return modes and phases at the checkpoints; an empty array where the run has none."""
    modes = run.log.checkpoint_modes[: int(run.counts[CHECKPOINTS])]
    return modes.copy() if modes.size else NO_MODES


def collect_outputs(motion: Motion, run: Run, segment: Segment) -> None:
    """Store output states, and events that were only recorded."""
    problem, first, count = motion.problem_of(segment), motion.reached, int(run.counts[OUTPUT])
    rows = slice(first, first + count)
    motion.states.put(rows, problem.from_states(segment, motion.times[rows], run.log.states[:count]))
    if len(motion.segments) == 1:
        motion.put_modes(slice(0, 1), run.log.start_modes[None, :])
    motion.put_modes(rows, run.log.modes[:count])
    motion.reached += count
    logged = int(run.counts[LOGGED])
    if not logged:
        return
    states = problem.from_states(segment, run.log.event_times[:logged], run.log.event_states[:logged])
    for i in range(logged):
        event = problem.events[run.log.event_numbers[i]]
        if not event.active:
            motion.occurrences.append(
                Occurrence.of(
                    event.name,
                    float(run.log.event_times[i]),
                    int(run.log.event_directions[i]),
                    states.at(i).copy(),
                    states.at(i).copy(),
                )
            )


def collect_outputs_until(motion: Motion, run: Run, t: float, state: StateParts) -> None:
    """Store the state at the end of a run as that of outputs up to a time just behind it."""
    while motion.reached < len(motion.times) and motion.times[motion.reached] <= t:
        motion.states.put(motion.reached, state)
        motion.put_modes(slice(motion.reached, motion.reached + 1), run.switching.modes[None, :])
        motion.reached += 1


def finish_motion(motion: Motion, t: float, last: StateParts) -> None:
    """Keep the output times that were reached, and add the last state where a motion ended before its time."""
    times, kept = motion.times[: motion.reached], motion.reached
    motion.states, motion.modes = motion.states.at(slice(kept)), motion.modes[:kept]
    if t > times[-1]:
        times = np.append(times, t)
        motion.modes = np.vstack((motion.modes, motion.modes_at_end))
        motion.states = StateParts(*(np.vstack(pair) for pair in zip(motion.states, last, strict=True)))
    motion.times, motion.reached = times, len(times)
