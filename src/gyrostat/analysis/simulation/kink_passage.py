"""The passage of a kink of a driver: speeds jump, and contacts that were closed are hit or separate.

A stop lies a few units of rounding before the instant at which formulas of time change. Where contacts take part the
motion goes on just behind that instant: before it, the surfaces would still have their earlier speeds.
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.simulation.closed_contacts import held
from gyrostat.analysis.simulation.driver_kinks import Side, has_kink, later_side, speeds_after
from gyrostat.analysis.simulation.event_round import Aftermath
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.reactions_to_events import first_sides
from gyrostat.analysis.simulation.resting import rest_at_start


def past_kink(problem: Problem, after: Aftermath, t: float) -> tuple[Aftermath, float]:
    """Return the state behind a stop, with the impulse of a kink if there is one, and the time to go on from."""
    before = Side(t, after.parameters, after.plan)
    behind = before._replace(t=later_side(t))
    resting = after.resting
    if not has_kink(held(problem, resting), before, behind, after.state):
        return after, t
    if not resting or has_kink(problem, before, behind, after.state):
        after.u = speeds_after(problem, before, behind, after.state)
    after.jumped, after.resting = True, ()
    if resting:
        return _with_contacts_anew(problem, after, behind.t, resting), behind.t
    return after, behind.t if problem.system.rigid_contacts else t


def _with_contacts_anew(problem: Problem, after: Aftermath, t: float, before: tuple[str, ...]) -> Aftermath:
    """Return the state with contacts that rested before as at the start of a motion: hit, separating, or at rest."""
    anew, sides = first_sides(problem, after, t, 0.0), after.sides
    assert sides is not None, "events have sides"
    after.sides = np.where([event.name in before for event in problem.events], anew, sides).astype(np.int8)
    return rest_at_start(problem, after, t)
