"""Resting contacts: which contacts a load keeps closed, and when they open again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gyrostat.analysis.simulation.closed_contacts import held
from gyrostat.analysis.simulation.event_round import Aftermath, closed_distance, event_values
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.errors import GyrostatError

_REST_SPEED = 1e-13
"""Speed of a contact that is at rest at the start, relative to the speeds of the system."""
_SEPARATION_SPEED = 1e-9
"""Speed of separation, relative to the speeds of the system, beyond which a contact does not rest."""


def rest_at_start(problem: Problem, begin: Aftermath, t: float) -> Aftermath:
    """Return the state at the start of a motion, in which contacts rest that are closed, at rest and loaded."""
    if not any(event.has_contact for event in problem.events):
        return begin
    values, count, closed = event_values(problem, begin, t), len(problem.events), closed_distance(problem)
    slow = _REST_SPEED * max(1.0, float(np.abs(begin.u).max(initial=0.0)))
    still = [
        event.name
        for i, event in enumerate(problem.events)
        if event.has_contact and event.direction.sign and abs(values[i]) <= closed and abs(values[count + i]) <= slow
    ]
    if not still:
        return begin
    return rested_state(problem, begin, t, still) or begin


def rested_state(problem: Problem, after: Aftermath, t: float, names: Iterable[str]) -> Aftermath | None:
    """Return the state with those of some contacts at rest that a load keeps closed; None where there is none."""
    events = [event for event in problem.events if event.name in set(names)]
    resting = tuple(event.name for event in events if event.has_contact and event.direction.sign)
    if not resting or len(resting) < len(events):
        return None
    try:
        while resting:
            closed = held(problem, resting)
            found = closed.settled(_instant(after, t), np.array([t]), after.state.at(None)).at(0)
            state = replace(after, q=found.q, u=found.u)
            loads = event_values(closed, state, t)
            places = {event.name: i for i, event in enumerate(closed.events)}
            weakest = min(resting, key=lambda name: loads[places[name]])
            if loads[places[weakest]] > 0.0:
                sides = np.zeros(len(places), dtype=np.int8) if after.sides is None else after.sides.copy()
                sides[[places[name] for name in resting]] = 1
                return replace(state, sides=sides, resting=resting, jumped=True)
            resting = tuple(name for name in resting if name != weakest)
    except GyrostatError:  # the function is no condition on positions, or the contacts are redundant
        return None
    return None


def continued_rest(
    problem: Problem, after: Aftermath, t: float, before: tuple[str, ...], released: set[str]
) -> Aftermath:
    """Return the state after events during which some contacts rested: those go on resting that are not released.

    The others are open.
    """
    values, count = event_values(problem, after, t), len(problem.events)
    speed = _SEPARATION_SPEED * max(1.0, float(np.abs(after.u).max(initial=0.0)))
    kept = [
        event.name
        for i, event in enumerate(problem.events)
        if event.name in before and event.name not in released and -event.direction.sign * values[count + i] <= speed
    ]
    assert after.sides is not None, "events have sides"
    for i, event in enumerate(problem.events):
        if event.name in before:
            after.sides[i] = -event.direction.sign
    return (rested_state(problem, after, t, kept) if kept else None) or replace(after, resting=())


def _instant(after: Aftermath, t: float) -> Segment:
    return Segment(t, t, after.parameters, after.plan)
