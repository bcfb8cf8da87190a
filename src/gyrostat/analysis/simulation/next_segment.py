"""The next segment of a motion: how far it goes, where it stops on the way, and whether work is added up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gyrostat.analysis.simulation.closed_contacts import held
from gyrostat.analysis.simulation.driver_kinks import has_kink, sides_of_stop
from gyrostat.analysis.simulation.energy_law import adds_up_work
from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.mass_watch import has_mass_jump
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import NO_VALUES, Segment
from gyrostat.analysis.simulation.stop_times import StopTimes
from gyrostat.analysis.simulation.time_switches import Window
from gyrostat.analysis.simulation.timed_blocks import TimedBlocks


def next_segment(motion: Motion, t: float, begin: Aftermath, timed: TimedBlocks | None, stops: StopTimes) -> Segment:
    """Return the segment from a time to the last output, or to the end of the window of switching times.

    Sample times and the reach of delays end a segment as well.
    """
    last = float(motion.times[-1])
    problem = held(motion.problem, begin.resting) if begin.resting else motion.problem
    largest = _spacing(motion) if begin.plan.functions else np.inf
    end, plan = last, begin.plan
    if timed is not None:
        end, plan = min(last, timed.next_after(t, begin.parameters, begin.plan)), timed.plan(begin.plan, t)
    window = stops.window(t, end, last) if stops.of(plan.formulas, begin.parameters) and t < end else None
    if window is not None and motion.problem.system.coordinates.algebraic:  # they jump with their equations
        window = _up_to_stop(window, t)
    contacts, sources = begin.contacts, problem.system.energy_sources
    free = sources.none and contacts is None
    segment = Segment(
        t,
        end if window is None else window.end,
        begin.parameters,
        plan,
        stops=NO_VALUES,
        largest_step=largest,
        resting=begin.resting,
        contacts=contacts,
        carries_work=not free and adds_up_work(problem.system, problem.integrator, plan, begin.parameters, contacts),
    )
    if window is None or not len(window.stops):
        return segment
    window = _up_to_kink(problem, window, segment, begin)
    return replace(segment, end=window.end, stops=window.stops)


def _spacing(motion: Motion) -> float:
    """Return the mean time between outputs."""
    return float(motion.times[-1] - motion.times[0]) / max(len(motion.times) - 1, 1) or 1.0


def _up_to_stop(window: Window, t: float) -> Window:
    """Return the part of a window up to the first stop after its start, with a stop at the start: formulas change."""
    later = window.stops[window.stops > t]
    return Window(window.stops[window.stops <= t], float(later[0])) if len(later) else window


def _up_to_kink(problem: Problem, window: Window, segment: Segment, begin: Aftermath) -> Window:
    """Return the part of a window up to the first kink of a driver, or jump of a mass, after its start."""
    for stop in window.stops[window.stops > segment.start]:
        kinked = has_kink(problem, *sides_of_stop(segment, float(stop)), begin.state)
        if kinked or (problem.system.varying_masses and has_mass_jump(problem, segment, float(stop), begin.state)):
            return Window(window.stops[window.stops < stop], float(stop))
    return window
