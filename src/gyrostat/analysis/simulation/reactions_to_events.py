"""Event handling at an instant: actions, and the events that these trigger in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from gyrostat.analysis.events import Effect, Event, Instant
from gyrostat.analysis.events.impact import Contact
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import LOGGED
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem, input_values
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import GyrostatError

Sides: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]

_CASCADE = 100
"""Largest number of rounds of events that trigger each other at one instant."""
_CLOSED = 1e-10
"""Distance at which a contact is closed, relative to the size of the mechanism."""
_REST = 1e-12
"""Rate of an event's function, relative to that before the event, below which it was brought to rest."""


class ActionFailedError(Exception):
    """An action of an event raised an error; the text is the reason."""


@dataclass
class Aftermath:
    """State, parameters and inputs after the events of one instant."""

    q: Floats
    u: Floats
    parameters: Mapping[str, float]
    plan: InputPlan
    sides: Sides | None = None
    """On which side of zero each event function is; None where that is not known."""
    names: list[str] = field(default_factory=list)
    jumped: bool = False
    stopped_by: str | None = None


def act(motion: Motion, segment: Segment, run: Run, t: float, q: Floats, u: Floats) -> Aftermath:
    """Apply the actions of the events of this instant, and of the events that these trigger."""
    problem = motion.problem
    logged = int(run.counts[LOGGED])
    now = [i for i in range(logged) if abs(run.log.event_times[i] - t) <= 1e-13 * max(1.0, abs(t))]
    due = [(int(run.log.event_numbers[i]), int(run.log.event_directions[i])) for i in now]
    arrived = dict(due)  # at zero now, also those that are only written down
    due = [(number, direction) for number, direction in due if problem.events[number].active]
    sides = run.watch.sides.copy()
    after = Aftermath(q, u, segment.parameters, segment.plan, sides)
    for _ in range(_CASCADE):
        if not due:
            return after
        before = _event_values(problem, after, t)
        crossings = dict(due)
        _Round(motion, after, t, crossings, _directions_of_approach(problem, sides)).act()
        values = _event_values(problem, after, t)
        acted = set(crossings)
        arrived |= {number: crossings[number] for number in acted if number not in dict(due)}
        due = []
        count = len(problem.events)
        for i in range(count):
            value, rate, old = values[i], values[count + i], before[i]
            if i in arrived and abs(value - old) <= 1e-12 * max(1.0, abs(old)):
                # at its zero still: it leaves to the side that its rate says; brought to rest, to the one it came from
                through, rests = before[count + i] == 0.0, abs(rate) <= _REST * abs(before[count + i])
                sides[i] = np.sign(rate) if not rests else (arrived[i] if through else -arrived[i])
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


@dataclass
class _Round:
    """Events that happen together, and the contacts that take part in their impacts."""

    motion: Motion
    after: Aftermath
    t: float
    crossings: dict[int, int]
    """Directions of the events that are due by number; events whose contacts are hit are added."""
    approaches: list[int]
    """For each event the direction in which its function would pass zero."""
    _contacts: tuple[tuple[Contact, ...], Floats] | None = None
    """Closed contacts, found at the first impact of the round, and the speeds u then."""
    _before: dict[int, tuple[Floats, Floats]] = field(default_factory=dict)
    """States before an impact that events share."""

    def act(self) -> None:
        """Do the actions of all events, those included that are hit on the way."""
        done: set[int] = set()
        while open_ := [number for number in self.crossings if number not in done]:
            for number in open_:
                self._act_once(number)
            done.update(open_)

    def _act_once(self, number: int) -> None:
        """Do one event's actions and write it down."""
        after, event = self.after, self.motion.problem.events[number]
        state = after.q.copy(), after.u.copy()
        for action in event.actions:
            try:
                effect = action.effect(self._instant(number))
                self._share(effect)
                _apply(self.motion.problem, after, effect, event, self.motion.times)
            except Exception as error:  # actions may be a user's own, and the motion so far is not to be lost
                kind = "" if isinstance(error, GyrostatError) else f"{type(error).__name__}: "
                raise ActionFailedError(f"event {event.name!r}: {kind}{error}") from error
        before = self._before.get(number, state)
        after.names.append(event.name)
        self.motion.occurrences.append(
            Occurrence(event.name, self.t, self.crossings[number], *before, after.q.copy(), after.u.copy())
        )

    def _share(self, effect: Effect) -> None:
        """Let the events happen whose contacts were hit; the state before the impact is the same for all of them."""
        for number, event in enumerate(self.motion.problem.events):
            if event.name in effect.hit:
                self.crossings.setdefault(number, self.approaches[number])
                self._before.setdefault(number, (self.after.q.copy(), self.after.u.copy()))

    def _instant(self, number: int) -> Instant:
        """Return the argument of an action of an event."""
        problem, after, t = self.motion.problem, self.after, self.t
        event, values = problem.events[number], _event_values(problem, after, t)
        plan, parameters = after.plan, after.parameters
        x = problem.vector(t, after.q, after.u, parameters, plan)

        def gradient() -> Floats:
            found: Floats = problem.direction(event, plan).loop(x[None, :])[0]
            return found

        return Instant(
            event.name,
            t,
            after.q,
            after.u,
            float(values[len(problem.events) + number]),
            gradient,
            problem.system,
            parameters,
            self.crossings.get(number, self.approaches[number]),
            self._closed_contacts,
        )

    def _closed_contacts(self) -> tuple[Contact, ...]:
        """Return the contacts of the events that are due, and those of other events that are closed."""
        if self._contacts is None:
            self._contacts = tuple(self._find_contacts()), self.after.u.copy()
        contacts, speeds = self._contacts
        return tuple(contact.after(self.after.u - speeds) for contact in contacts)

    def _find_contacts(self) -> Iterator[Contact]:
        problem = self.motion.problem
        values = _event_values(problem, self.after, self.t)
        tolerance = _CLOSED * max(problem.system.model_size, 1.0)
        for number, event in enumerate(problem.events):
            is_due = number in self.crossings
            if not event.active or not (is_due or abs(values[number]) <= tolerance):
                continue
            instant = self._instant(number)
            for action in event.actions:
                contact = action.contact(instant)
                if contact is None:
                    continue
                # the speed of a coordinate that is named is turned round at the event, whatever the event's function is
                named = is_due and not action.needs_direction
                yield contact.reversed if named and contact.speed > 0.0 else contact


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
