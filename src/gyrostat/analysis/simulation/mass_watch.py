"""Events that end a run in which a mass that varies becomes impossible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.events import Effect, Event, Instant
from gyrostat.analysis.events.action import Action
from gyrostat.analysis.simulation.driver_kinks import later_side
from gyrostat.analysis.simulation.event_round import Aftermath, event_values
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Ending, Outcome
from gyrostat.coordinates.row import TIME, StateParts
from gyrostat.errors import StateError
from gyrostat.model.formula import TIME as TIME_IN_FORMULAS
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.model.forces import VariableMass

_ROUNDING = 1e-9
"""The part of the body's own mass, or of the trace of the inertia, by which limits may be exceeded."""
_JUMP = 1e-9
"""The least jump that is no rounding error, relative to the mass, or to the size of the mechanism."""
_STEPS_AHEAD = 2.0
"""The number of steps within which a mass vanishes that made a run fail."""


@dataclass(frozen=True)
class MassLimit(Action):
    """End the run: a mass that varies is impossible from here on."""

    reason: str

    def effect(self, instant: Instant) -> Effect:
        """Return the stop."""
        return Effect(stop=True)


def with_mass_limits(
    events: Iterable[Event], system: System, parameters: Mapping[str, object] | None = None
) -> tuple[Event, ...]:
    """Return events with those that end a run where a mass becomes negative, or an inertia impossible."""
    return (*events, *(limit for mass in system.varying_masses for limit in _limits(mass, system, parameters)))


def _limits(mass: VariableMass, system: System, parameters: Mapping[str, object] | None) -> Iterator[Event]:
    model = system.model
    values = model.values(parameters)
    own = float(model.bodies[mass.body].mass_properties(model.evaluator(values)).mass)
    # another mass that varies on the body counts as 1 kg: it may hold the body when this one is empty
    own += sum(other.body == mass.body for other in system.varying_masses) - 1
    name = f"limit of {mass.name}"
    if mass.mass.number is None:
        what = "is negative" if own else f"is zero, and body {mass.body!r} has no other"
        remedy = "Let it end at zero, as max(0, …) does" if own else f"Give body {mass.body!r} a mass of its own"
        reason = f"the mass of {mass.name!r} {what}. {remedy}, or stop the run before by an event."
        yield Event(f"{name}.mass", f"{mass.name}.mass + {_ROUNDING * own!r}", "falling", MassLimit(reason))
    if "inertia_margin" in mass.all_outputs:
        reason = (
            f"the inertia of {mass.name!r} violates the triangle inequality: no principal moment exceeds the sum of "
            "the other two. Correct its formulas; the inertia is about the centre of the mass."
        )
        when = f"{mass.name}.inertia_margin + {_ROUNDING!r}"
        yield Event(f"{name}.inertia", when, "falling", MassLimit(reason))


def require_possible_masses(problem: Problem, begin: Aftermath, t: float) -> None:
    """Raise an error where a mass that varies is impossible at the start."""
    for limit, value, _ in _watched_limits(problem, begin, t):
        if not value >= 0:
            raise StateError(f"The motion cannot begin: at t = {t:g} s {limit.reason}")


def vanished_mass(problem: Problem, after: Aftermath, t: float, step: float) -> Ending | None:
    """Return the outcome of a run that failed at a state, or a few steps before, where a body loses all its mass."""
    for limit, value, rate in _watched_limits(problem, after, t):
        if value <= -rate * (_STEPS_AHEAD * step + _ROUNDING * max(abs(t), 1.0)):
            return Outcome.IMPOSSIBLE_MASS, limit.reason
    return None


def _watched_limits(problem: Problem, state: Aftermath, t: float) -> Iterator[tuple[MassLimit, float, float]]:
    """Yield the limits of masses with the values and rates of their functions."""
    limits = [
        (i, action)
        for i, event in enumerate(problem.events)
        for action in event.actions
        if isinstance(action, MassLimit)
    ]
    if limits:
        found = event_values(problem, state, t)
        yield from ((limit, float(found[i]), float(found[len(problem.events) + i])) for i, limit in limits)


def has_mass_jump(problem: Problem, segment: Segment, t: float, state: StateParts) -> bool:
    """Tell whether a mass that varies jumps at a stop, where a lump leaves or arrives with the velocity of the body.

    One that leaves or arrives with a velocity of its own is refused: it would cause an impulse.
    """
    system, found = problem.system, False
    masses = system.varying_masses
    if not any(TIME_IN_FORMULAS in entry.names for mass in masses for entry in mass.entries):
        return False
    rows = np.tile(problem.vector(t, state, segment.parameters, segment.plan), (2, 1))
    rows[1, TIME] = later_side(t)
    outputs = Outputs(system, rows)
    for mass in masses:
        before, after = (outputs.values(f"{mass.name}.{label}") for label in ("mass", "center"))
        size, way = np.abs(np.diff(before, axis=0)).max(), np.abs(np.diff(after, axis=0)).max()
        if size <= _JUMP * np.abs(before).max() and way <= _JUMP * max(system.model_size, np.abs(after).max()):
            continue
        found = True
        if mass.shifts or mass.may_switch:
            cause = "shifts" if mass.shifts else "leaves or arrives with a velocity of its own"
            raise StateError(
                f"The mass of {mass.name!r} jumps at t = {t:.9g} s, and it {cause}: that is an impulse. Let its "
                "formulas change continuously, however fast."
            )
    return found


def ending_by(events: Iterable[Event], name: str) -> Ending:
    """Return the outcome of a run that an event has stopped."""
    for event in events:
        for action in event.actions if event.name == name else ():
            if isinstance(action, MassLimit):
                return Outcome.IMPOSSIBLE_MASS, action.reason
    return Outcome.STOPPED, f"event {name!r}."
