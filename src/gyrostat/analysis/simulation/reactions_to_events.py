"""Event handling at an instant: sides at the start, actions, and the events that these trigger in turn."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import LOGGED
from gyrostat.analysis.simulation.event_round import Aftermath, EventRound, Sides, closed_distance, event_values
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.resting import continued_rest
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.row import StateParts

_CASCADE = 100
"""Largest number of rounds of events that trigger each other at one instant."""


_START_TOLERANCE = 1e-13
"""Time until a crossing, relative to the duration, that counts as the start itself."""


def first_sides(problem: Problem, begin: Aftermath, t: float, duration: float) -> Sides:
    """Return on which side of zero each event function is at the start of a motion; 0 where that is open.

    A contact that is closed at the start, to rounding, counts as open: an approach is an impact at once, a separation
    is none. A crossing of any other event at the start belongs to the time before. Functions that depend on conditions
    of laws are left open: their modes are set when the motion begins.
    """
    count = len(problem.events)
    sides = np.zeros(count, dtype=np.int8)
    if not count:
        return sides
    found, closed, on_modes = event_values(problem, begin, t), closed_distance(problem), problem.on_modes(begin.plan)
    for i, event in enumerate(problem.events):
        if i in problem.margins:
            sides[i] = 1
            continue
        if on_modes[i]:
            continue
        value, rate, wanted = found[i], found[count + i], event.direction.sign
        if event.has_contact and wanted and abs(value) <= closed and (rate != 0.0 or value == 0.0):
            sides[i] = -wanted
        elif abs(value) <= _START_TOLERANCE * duration * abs(rate):
            sides[i] = np.sign(rate)
        else:
            sides[i] = np.sign(value)
    return sides


def act(motion: Motion, segment: Segment, run: Run, t: float, state: StateParts) -> Aftermath:
    """Apply the actions of the events of this instant, and of the events that these trigger."""
    problem = motion.problem
    logged = int(run.counts[LOGGED])
    now = [i for i in range(logged) if abs(run.log.event_times[i] - t) <= 1e-13 * max(1.0, abs(t))]
    due = [(int(run.log.event_numbers[i]), int(run.log.event_directions[i])) for i in now]
    released = {problem.events[number].name for number, _ in due if problem.events[number].name in segment.resting}
    arrived = dict(due)  # at zero now, also those that are only recorded
    at_rest = {i for i, event in enumerate(problem.events) if event.name in segment.resting}
    passive = {*at_rest, *problem.margins}
    due = [(number, direction) for number, direction in due if problem.events[number].active and number not in passive]
    sides = run.event_sides
    after = Aftermath(*state, segment.parameters, segment.plan, sides, run.mode_row, contacts=segment.contacts)
    after.margins = tuple(place for number, place in problem.margins.items() if number in arrived)
    sides[list(problem.margins)] = 1
    for _ in range(_CASCADE):
        if not due:
            break
        before = event_values(problem, after, t)
        together = EventRound(motion, after, t, dict(due), _directions_of_approach(problem, sides))
        together.act()
        if together.resting and not together.separated:
            after.left_at_rest = tuple(problem.events[i].name for i in sorted(together.resting))
        values = event_values(problem, after, t)
        acted = set(together.crossings)
        arrived |= {i: direction for i, direction in together.crossings.items() if i not in dict(due)}  # hit contacts
        due = []
        count, on_modes = len(problem.events), problem.on_modes(after.plan)
        for i in range(count):
            if i in passive or on_modes[i]:  # the motion goes on from the side that it has reached
                continue
            value, rate, old = values[i], values[count + i], before[i]
            if i in arrived and abs(value - old) <= 1e-12 * max(1.0, abs(old)):
                # at its zero still: it leaves to the side that its rate says; brought to rest, to the one it came from
                if i in together.resting:
                    sides[i] = -arrived[i]
                    if together.separated and value * arrived[i] > 0.0 and problem.events[i].direction.sign:
                        sides[i] = arrived[i]  # a rounding error beyond zero, whose way back is no event
                elif i in together.barred and problem.events[i].direction.sign:
                    sides[i] = -arrived[i]
                else:
                    through = before[count + i] == 0.0
                    sides[i] = np.sign(rate) if rate != 0.0 else (arrived[i] if through else -arrived[i])
                continue
            arrived.pop(i, None)
            if problem.events[i].has_contact and sides[i] and value == old and abs(value) <= closed_distance(problem):
                continue  # closed, to rounding, and not moved
            side = int(np.sign(value))
            wanted = problem.events[i].direction.sign
            if i not in acted and side and sides[i] and side != sides[i] and wanted in (0, side):
                due.append((i, side))  # it was carried across zero
            if side:
                sides[i] = side
    return continued_rest(problem, after, t, segment.resting, released) if segment.resting else after


def _directions_of_approach(problem: Problem, sides: Sides) -> list[int]:
    """Return for each event the direction in which its function would pass zero; 0 where that is not known."""
    return [event.direction.sign or -int(side) for event, side in zip(problem.events, sides, strict=True)]
