"""Event handling at an instant: actions, and the events that these trigger in turn."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import LOGGED
from gyrostat.analysis.simulation.event_round import Aftermath, EventRound, Sides, event_values
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.row import StateParts

_CASCADE = 100
"""Largest number of rounds of events that trigger each other at one instant."""


def act(motion: Motion, segment: Segment, run: Run, t: float, state: StateParts) -> Aftermath:
    """Apply the actions of the events of this instant, and of the events that these trigger."""
    problem = motion.problem
    logged = int(run.counts[LOGGED])
    now = [i for i in range(logged) if abs(run.log.event_times[i] - t) <= 1e-13 * max(1.0, abs(t))]
    due = [(int(run.log.event_numbers[i]), int(run.log.event_directions[i])) for i in now]
    arrived = dict(due)  # at zero now, also those that are only recorded
    due = [(number, direction) for number, direction in due if problem.events[number].active]
    sides = run.watch.sides.copy()
    after = Aftermath(*state, segment.parameters, segment.plan, sides)
    for _ in range(_CASCADE):
        if not due:
            return after
        before = event_values(problem, after, t)
        together = EventRound(motion, after, t, dict(due), _directions_of_approach(problem, sides))
        together.act()
        values = event_values(problem, after, t)
        acted = set(together.crossings)
        arrived |= {i: direction for i, direction in together.crossings.items() if i not in dict(due)}  # hit contacts
        due = []
        count = len(problem.events)
        for i in range(count):
            value, rate, old = values[i], values[count + i], before[i]
            if i in arrived and abs(value - old) <= 1e-12 * max(1.0, abs(old)):
                # at its zero still: it leaves to the side that its rate says; brought to rest, to the one it came from
                if i in together.resting:
                    sides[i] = -arrived[i]
                    if together.separated and value * arrived[i] > 0.0 and problem.events[i].direction.sign:
                        sides[i] = arrived[i]  # a rounding error beyond zero, whose way back is no event
                else:
                    through = before[count + i] == 0.0
                    sides[i] = np.sign(rate) if rate != 0.0 else (arrived[i] if through else -arrived[i])
                continue
            arrived.pop(i, None)
            side = int(np.sign(value))
            wanted = problem.events[i].direction.sign
            if i not in acted and side and sides[i] and side != sides[i] and wanted in (0, side):
                due.append((i, side))  # it was carried across zero
            if side:
                sides[i] = side
    return after


def _directions_of_approach(problem: Problem, sides: Sides) -> list[int]:
    """Return for each event the direction in which its function would pass zero; 0 where that is not known."""
    return [event.direction.sign or -int(side) for event, side in zip(problem.events, sides, strict=True)]
