"""Initial values that knobs have brought to contradict each other in closed loops."""

from __future__ import annotations

from gyrostat.analysis.assembly.assemble import assembled
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import StateError
from gyrostat.studio.overrides import Overrides
from gyrostat.system import System

_CHANGE_TOLERANCE = 1e-6
"""The largest change of an initial value that is not told."""


def consistent_values(system: System, overrides: Overrides) -> dict[str, object]:
    """Return initial values that the constraints allow where those given contradict them, or each other.

    The values of the knob that was moved last are kept, and the others changed as little as possible; where that is
    impossible too, all are changed, as those of a file are. No positions far away are searched: a slider moves on.
    """
    given = dict(overrides.initial)
    if not system.constrained or not given:
        return given
    leading = {name: given[name] for name in overrides.leading if name in given}
    rest = {name: value for name, value in given.items() if name not in leading}
    for fixed, guess in ((given, None), (leading, rest), ({}, given)):
        try:
            found = assembled(system, fixed, guess, overrides.parameters, 0.0, far=False)
        except StateError:
            continue
        return given if guess is None else dict(found.state)
    return given


def yielded_values(trajectory: Trajectory, overrides: Overrides) -> dict[str, float]:
    """Return the values at which a motion begins, by name, where they are not those that were given."""
    system = trajectory.system
    if not system.constrained or not overrides.initial:
        return {}
    evaluate = system.model.evaluator(dict(overrides.parameters))
    found = {}
    for name, value in overrides.initial.items():
        wanted = float(evaluate(value)) if isinstance(value, str) else float(value)  # type: ignore[arg-type]
        begins = float(trajectory[name].values[0]) if name in system.signal_table else wanted
        if abs(begins - wanted) > _CHANGE_TOLERANCE * max(1.0, abs(wanted)):
            found[name] = begins
    return found
