"""Event handling at an instant: actions, and the events that these trigger in turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.analysis.events import Action, Effect, Event, Instant
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import LOGGED
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem, input_values
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import GyrostatError

_CASCADE = 100
"""Largest number of rounds of events that trigger each other at one instant."""


class ActionFailedError(Exception):
    """An action of an event raised an error; the text is the reason."""


@dataclass
class Aftermath:
    """State, parameters and inputs after the events of one instant."""

    q: Floats
    u: Floats
    parameters: Mapping[str, float]
    plan: InputPlan
    sides: np.ndarray[Any, np.dtype[np.int8]] | None = None
    """The sign of each event function; None where it is not known."""
    names: list[str] = field(default_factory=list)
    jumped: bool = False
    stopped_by: str | None = None


def act(motion: Motion, segment: Segment, run: Run, t: float, q: Floats, u: Floats) -> Aftermath:
    """Apply the actions of the events of this instant, and of the events that these trigger."""
    problem = motion.problem
    logged = int(run.counts[LOGGED])
    now = [i for i in range(logged) if abs(run.log.event_times[i] - t) <= 1e-13 * max(1.0, abs(t))]
    due = [(int(run.log.event_numbers[i]), int(run.log.event_directions[i])) for i in now]
    arrived = dict(due)  # at zero now, also those that are only recorded
    due = [(number, direction) for number, direction in due if problem.events[number].active]
    sides = run.watch.sides.copy()
    after = Aftermath(q, u, segment.parameters, segment.plan, sides)
    for _ in range(_CASCADE):
        if not due:
            return after
        before = _event_values(problem, after, t)
        for number, direction in due:
            _act_once(motion, after, problem.events[number], number, t, direction)
        values = _event_values(problem, after, t)
        acted = {number for number, _ in due}
        due = []
        count = len(problem.events)
        for i in range(count):
            value, rate, old = values[i], values[count + i], before[i]
            if i in arrived and abs(value - old) <= 1e-12 * max(1.0, abs(old)):
                # still at zero: it leaves to the side of its rate; after coming to rest, to the side it came from
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


def _act_once(motion: Motion, after: Aftermath, event: Event, number: int, t: float, direction: int) -> None:
    """Apply one event's actions and record it."""
    q_before, u_before = after.q.copy(), after.u.copy()
    for action in event.actions:
        try:
            _do(motion, after, event, number, t, action)
        except Exception as error:  # actions may be a user's own, and the motion so far is not to be lost
            kind = "" if isinstance(error, GyrostatError) else f"{type(error).__name__}: "
            raise ActionFailedError(f"event {event.name!r}: {kind}{error}") from error
    after.names.append(event.name)
    motion.occurrences.append(Occurrence(event.name, t, direction, q_before, u_before, after.q.copy(), after.u.copy()))


def _do(motion: Motion, after: Aftermath, event: Event, number: int, t: float, action: Action) -> None:
    """Apply one action of an event."""
    problem = motion.problem
    values = _event_values(problem, after, t)
    plan, parameters = after.plan, after.parameters
    x = problem.vector(t, after.q, after.u, parameters, plan)

    def gradient(x: Floats = x, plan: InputPlan = plan) -> Floats:
        found: Floats = problem.direction(event, plan).loop(x[None, :])[0]
        return found

    effect = action.effect(
        Instant(
            event.name,
            t,
            after.q,
            after.u,
            float(values[len(problem.events) + number]),
            gradient,
            problem.system,
            parameters,
        )
    )
    _apply(problem, after, effect, event, motion.times)


def _apply(problem: Problem, after: Aftermath, effect: Effect, event: Event, grid: Floats) -> None:
    if effect.u is not None:
        after.u, after.jumped = np.asarray(effect.u, dtype=float), True
    if effect.parameters:
        overrides = {**after.parameters, **effect.parameters}
        problem.system.parameter_values(overrides)
        after.parameters, after.jumped = problem.system.model.values(overrides), True
    if effect.inputs:
        plan = InputPlan.of(effect.inputs, problem.system, grid, after.parameters)
        after.plan, after.jumped = after.plan.changed(plan), True
    if effect.stop:
        after.stopped_by = event.name


def _event_values(problem: Problem, after: Aftermath, t: float) -> Floats:
    """Return the values of all event functions and then their rates, at a state."""
    x = problem.vector(t, after.q, after.u, after.parameters, after.plan)
    inputs = input_values(problem.system, after.plan, x[None, :])
    x[problem.system.row.inputs] = inputs[0]
    found: Floats = problem.signals(after.plan).values_and_rates.loop(x[None, :])[0]
    return found
