"""Samples in the course of a simulation: the state after them, or the outcome where a law fails."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.analysis.simulation.budget import BudgetEnded, Meter
from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.sampler import SampleFailedError
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import INTERRUPTED, Ending, Outcome
from gyrostat.analysis.simulation.timed_blocks import TimedBlocks


def empty_segment(problem: Problem, t: float, after: Aftermath) -> Segment:
    """Return the segment of a motion that ended where it began."""
    segment = Segment(t, t, after.parameters, after.plan)
    y = problem.to_state(segment, t, after.state)
    return replace(segment, times=np.array([t]), steps=np.zeros(1), states=y[None, :], final=y)


def act_by_samples(
    motion: Motion, timed: TimedBlocks | None, t: float, after: Aftermath, meter: Meter
) -> Ending | None:
    """Let sampled blocks and exchanges with grains that are due act; return the outcome if one fails."""
    if timed is None:
        return None
    try:
        meter.calling = timed.calls
        after.z = timed.sampled(t, after.state, after.parameters, after.plan).z
        timed.exchange(t, after)
    except SampleFailedError as error:
        motion.error = error.__cause__
        return Outcome.INPUT_FAILED, str(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BudgetEnded:
        return meter.out_of_time(t)
    finally:
        meter.calling = False
    return None
