"""Events that happen together at an instant: their actions, and the contacts of their impacts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from gyrostat.analysis.events import Effect, Event, Instant
from gyrostat.analysis.events.action import Touch
from gyrostat.analysis.events.contact import REST_SPEED, ClosedContact
from gyrostat.analysis.events.impact import solve_impact
from gyrostat.analysis.events.restitution import RATE_ROUNDING
from gyrostat.analysis.simulation.contact_modes import ContactModes
from gyrostat.analysis.simulation.contact_terms import set_loads
from gyrostat.analysis.simulation.driver_kinks import Side, has_kink, speeds_after
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import GyrostatError
from gyrostat.signals.contact_place import ContactPlace

Sides: TypeAlias = np.ndarray[Any, np.dtype[np.int8]]

_CLOSURE_DISTANCE = 1e-10
"""Distance at which a contact is closed, relative to the size of the mechanism."""
_DELAY = 1e-6
"""Time in which a load on a contact shows, relative to the duration."""
_CLOSING_SPEED = 1e-8
"""Speed with which a contact without load closes until the end, relative to the speeds of the impact."""
_ROUNDING = 1e-13
"""Rounding error of a speed of separation, relative to the terms of which it is the sum."""
_APPROACH_SPEED = 1e-10
"""Speed of approach that impacts with friction may leave, relative to the speeds of separation and sliding before."""
_SEPARATION = 1e-11
"""Speed of separation of contacts at rest without load, relative to the speeds of the impact."""


class ActionFailedError(Exception):
    """An action of an event raised an error; the text is the reason."""


@dataclass
class Aftermath:
    """State, parameters and inputs after the events of one instant."""

    q: Floats
    u: Floats
    z: Floats
    parameters: Mapping[str, float]
    plan: InputPlan
    sides: Sides | None = None
    """On which side of zero each event function is; None where that is not known."""
    modes: Floats | None = None
    """Modes and phases of switching functions; None where they are not known."""
    haste: tuple[int, float] = (0, -np.inf)
    """The number of switches within no time, and the time of the last one, where a switch has ended the run."""
    names: list[str] = field(default_factory=list)
    jumped: bool = False
    stopped_by: str | None = None
    resting: tuple[str, ...] = ()
    """Events whose contacts rest from now on."""
    contacts: ContactModes | None = None
    """Modes of rigid contacts; None where they are not known yet."""
    margins: tuple[int, ...] = ()
    """Margins of rigid contacts that have become zero: 2 i, normal, or 2 i + 1, tangential, of contact i."""
    left_at_rest: tuple[str, ...] = ()
    """Events whose contacts the last impact left at rest under a load."""

    @property
    def state(self) -> StateParts:
        """Coordinates, speeds and state variables."""
        return StateParts(self.q, self.u, self.z)


@dataclass
class EventRound:
    """Events that happen together, and the contacts that take part in their impacts."""

    motion: Motion
    after: Aftermath
    t: float
    crossings: dict[int, int]
    """Directions of the events that are due by number; events whose contacts are hit are added."""
    approaches: list[int]
    """For each event the direction in which its function would pass zero."""
    _contacts: tuple[tuple[ClosedContact, ...], Floats] | None = None
    """Closed contacts, found at the first impact of the round, and the speeds u then."""
    _before: dict[int, StateParts] = field(default_factory=dict)
    """States before an impact that events share."""

    resting: set[int] = field(default_factory=set)
    """Events whose contacts the impact left at rest."""
    barred: set[int] = field(default_factory=set)
    """Events whose contacts do not approach any more, to rounding errors: nothing passes through them."""
    separated: bool = False
    """Whether these separate with a speed near rounding."""

    def act(self) -> None:
        """Do the actions of all events, those included that are hit on the way."""
        done: set[int] = set()
        while open_ := [number for number in self.crossings if number not in done]:
            for number in open_:
                self._apply_event(number)
            done.update(open_)
        if self._contacts is not None:
            self._separate_at_rest(self._contacts[0])
            self.barred = set(self._find_barred(self._contacts[0]))

    def _separate_at_rest(self, contacts: tuple[ClosedContact, ...]) -> None:
        """Let contacts that are left at rest without a load separate with a speed near rounding.

        Otherwise rounding errors would open and close them for ever, and a later approach would not be an event. This
        speed changes the energy by its square only.
        """
        fastest = max((abs(contact.speed) for contact in contacts), default=0.0)
        numbers = {event.name: number for number, event in enumerate(self.motion.problem.events)}
        resting = [
            contact
            for contact in self._closed_contacts()
            if numbers[contact.event] in self.crossings and abs(contact.speed) <= REST_SPEED * fastest
        ]
        self.resting = {numbers[contact.event] for contact in resting}
        if not resting or self.after.stopped_by is not None or self._loaded(fastest):
            return
        slowly = [replace(contact, speed=-_SEPARATION * fastest, restitution=0.0, friction=0.0) for contact in resting]
        impact = solve_impact(slowly, self._instant(min(self.resting)).mobility)
        if impact is not None:
            self.after.u, self.separated = self.after.u + impact.change, True

    def _find_barred(self, contacts: tuple[ClosedContact, ...]) -> Iterator[int]:
        """Yield the events with contacts whose approach after the impact is none, or a rounding error.

        It may be one of its terms, or of the impact, whose solution is accurate in terms of the fastest speed.
        """
        numbers = {event.name: number for number, event in enumerate(self.motion.problem.events)}
        fastest = max((float(np.abs(contact.speeds).max()) for contact in contacts), default=0.0)
        for before, now in zip(contacts, self._closed_contacts(), strict=True):
            terms = abs(before.speed) + float(np.abs(before.direction) @ np.abs(self.after.u))
            if now.speed >= -_ROUNDING * terms - _APPROACH_SPEED * fastest:
                yield numbers[before.event]

    def _loaded(self, fastest: float) -> bool:
        """Tell whether the accelerations close a contact that is left at rest."""
        problem, after, duration = self.motion.problem, self.after, float(np.ptp(self.motion.times))
        layout, plan = problem.system.row, after.plan
        delay = _DELAY * duration
        x = problem.vector(self.t, after.state, after.parameters, plan)
        x[layout.inputs] = input_values(problem.system, plan, x[None, :])[0]
        rates = problem.system.program("rates", inputs=plan.formulas or None).loop(x[None, :])[0]
        rate = layout.split(rates)
        later = replace(after, q=after.q + delay * rate.q, u=after.u + delay * rate.u, z=after.z + delay * rate.z)
        now, then = event_values(problem, after, self.t), event_values(problem, later, self.t + delay)
        change = (then - now)[len(problem.events) :] / delay
        return any(self.crossings[i] * change[i] * duration > _CLOSING_SPEED * fastest for i in self.resting)

    def _apply_event(self, number: int) -> None:
        """Do one event's actions and write it down."""
        after, event = self.after, self.motion.problem.events[number]
        state = after.state.copy()
        for action in event.actions:
            try:
                effect = action.effect(self._instant(number))
                self._share(effect)
                for name, remark in effect.remarks.items():
                    self.motion.remarks.setdefault(name, []).append(remark)
                _apply(self.motion.problem, after, effect, event, self.t, self.motion.times)
            except Exception as error:  # actions may be a user's own, and the motion so far is not to be lost
                kind = "" if isinstance(error, GyrostatError) else f"{type(error).__name__}: "
                raise ActionFailedError(f"event {event.name!r}: {kind}{error}") from error
        before = self._before.get(number, state)
        after.names.append(event.name)
        self.motion.occurrences.append(
            Occurrence.of(event.name, self.t, self.crossings[number], before, after.state.copy())
        )

    def _share(self, effect: Effect) -> None:
        """Let the events happen whose contacts were hit; the state before the impact is the same for all of them."""
        for number, event in enumerate(self.motion.problem.events):
            if event.name in effect.hit:
                self.crossings.setdefault(number, self.approaches[number])
                self._before.setdefault(number, self.after.state.copy())

    def _instant(self, number: int) -> Instant:
        """Return the argument of an action of an event."""
        problem, after, t = self.motion.problem, self.after, self.t
        event, values = problem.events[number], event_values(problem, after, t)
        plan, parameters = after.plan, after.parameters
        x = problem.vector(t, after.state, parameters, plan)

        def gradient() -> Floats:
            found: Floats = problem.direction(event, plan).loop(x[None, :])[0]
            return found

        def touch(place: ContactPlace) -> Touch:
            program = problem.contact(event, place, plan)
            found = program.loop(x[None, :])[0]
            at_point = not place.sliding
            return Touch(
                found[program.output_slice("speeds")],
                program.matrix("jacobian", found),
                found[program.output_slice("normal")] if at_point else None,
            )

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
            touch,
            after.z,
        )

    def _closed_contacts(self) -> tuple[ClosedContact, ...]:
        """Return the contacts of the events that are due, and those of other events that are closed."""
        if self._contacts is None:
            self._contacts = tuple(self._find_contacts()), self.after.u.copy()
        contacts, speeds = self._contacts
        return tuple(contact.after(self.after.u - speeds) for contact in contacts)

    def _find_contacts(self) -> Iterator[ClosedContact]:
        problem = self.motion.problem
        values = event_values(problem, self.after, self.t)
        tolerance = closed_distance(problem)
        for number, event in enumerate(problem.events):
            is_due = number in self.crossings
            closed = abs(values[number]) <= tolerance and self.approaches[number] != 0
            if not event.active or not (is_due or closed):
                continue
            instant = self._instant(number)
            for action in event.actions:
                contact = action.contact(instant)
                if contact is None:
                    continue
                # the speed of a coordinate that is named is turned round at the event, whatever the event's function is
                named = is_due and not action.needs_direction
                yield contact.reversed if named and contact.speed > RATE_ROUNDING else contact


def _apply(problem: Problem, after: Aftermath, effect: Effect, event: Event, t: float, grid: Floats) -> None:
    if effect.u is not None:
        after.u, after.jumped = np.asarray(effect.u, dtype=float), True
    if effect.z:
        after.z, after.jumped = after.z.copy(), True
        for name, value in effect.z.items():
            after.z[problem.system.state_names.index(name)] = value
    if effect.parameters or effect.inputs:
        before = Side(t, after.parameters, after.plan)
        _change_values(problem, after, effect, grid)
        behind = Side(t, after.parameters, after.plan)
        if has_kink(problem, before, behind, after.state):
            after.u = speeds_after(problem, before, behind, after.state)
    if effect.stop:
        after.stopped_by = event.name


def _change_values(problem: Problem, after: Aftermath, effect: Effect, grid: Floats) -> None:
    """Set parameters and inputs anew."""
    if effect.parameters:
        overrides = {**after.parameters, **effect.parameters}
        problem.system.parameter_values(overrides)
        after.parameters, after.jumped = problem.system.model.values(overrides), True
    if effect.inputs:
        plan = InputPlan.of(effect.inputs, problem.system, grid, after.parameters)
        after.plan, after.jumped = after.plan.changed(plan), True


def closed_distance(problem: Problem) -> float:
    """Return the distance up to which a contact is closed."""
    return _CLOSURE_DISTANCE * max(problem.system.model_size, 1.0)


def event_values(problem: Problem, after: Aftermath, t: float) -> Floats:
    """Return the values of all event functions and then their rates, at a state."""
    x = problem.vector(t, after.state, after.parameters, after.plan)
    inputs = input_values(problem.system, after.plan, x[None, :])
    x[problem.system.row.inputs] = inputs[0]
    set_loads(problem.system, after.plan, after.parameters, after.contacts, x[None, :])
    found: Floats = problem.signals(after.plan).values_and_rates.loop(x[None, :])[0]
    return found
