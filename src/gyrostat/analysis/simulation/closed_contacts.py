"""The problem with contacts closed: constraints of the system, whose loads are watched."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.analysis.events import Action, Effect, Event, Instant
from gyrostat.analysis.integrators import DOP853
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.model.constraints import Equation
from gyrostat.system.formulate import choice_to_plain, formulate_as


@dataclass(frozen=True)
class Release(Action):
    """End the rest of a contact: its load has vanished."""

    def effect(self, instant: Instant) -> Effect:
        """Return no changes."""
        return Effect()


def held(problem: Problem, resting: tuple[str, ...]) -> Problem:
    """Return the problem with the contacts of some events closed.

    Each is a constraint, the event's function is zero; instead of this function, its load is watched for becoming zero.
    Methods that integrate momenta follow no constraints: while contacts are closed, DOP853 takes their place.
    """
    if not resting:
        return problem
    system = problem.system
    key = ("held", problem.integrator, problem.events, resting)
    found: Problem | None = system.cache.get(key)
    if found is not None:
        return found
    model, events = system.model.copy(), list(problem.events)
    for number, event in enumerate(problem.events):
        if event.name in resting:
            name = f"contact_{number}"
            while name in model.components:
                name += "_"
            model.add(Equation(name, event.when))
            load = f"{-event.direction.sign}*{name}.force"
            events[number] = Event(event.name, load, "falling", Release())
    integrator = DOP853() if problem.integrator.momenta else problem.integrator
    found = Problem(formulate_as(model, choice_to_plain(system)), integrator, tuple(events))
    system.cache.keep(key, found)
    return found
