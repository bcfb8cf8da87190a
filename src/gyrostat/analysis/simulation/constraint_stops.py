"""Why constraints stop a motion: they contradict each other, lead beyond the reach, or meet a singular position."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import END
from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats
from gyrostat.recipes.ports import working_owners
from gyrostat.system import System

_OPEN = 1e-7
"""A loop that stays open by more, in sizes of the mechanism, cannot be closed."""
_SINGULAR = 1e-3
"""Below this the smallest singular value of the constraints, in terms of the largest, shows a singular position."""
_TAKING_PART = 0.2
"""The least part, in terms of the largest, that a constraint has in what fails, if it is named."""


def constraint_failure(system: System, run: Run) -> str:
    """Return which constraints cannot be satisfied any longer after the last good state, or nothing if all can."""
    if not system.constrained or not np.isfinite(run.y).all():
        return ""
    parameters = dict(zip(system.model.parameters, run.x[system.row.parameters].tolist(), strict=True))
    closer = Closer(system, run.time, parameters)
    q, left = closer.closed(system.row.split(run.y)[0])
    ahead = 0.0
    if not _is_open(system, left):
        ahead, left = _open_ahead(system, run, closer, q)
    if _is_open(system, left):
        return _cannot_close(system, closer, q, left, run.time, ahead)
    return _singular(system, closer, q, run.time)


def _is_open(system: System, left: Floats) -> bool:
    return bool(np.abs(left).max(initial=0.0) > _OPEN * system.model_size)


def _open_ahead(system: System, run: Run, closer: Closer, q: Floats) -> tuple[float, Floats]:
    """Return how much later loops cannot be closed, looking ever farther ahead, and what stays open then."""
    span = max(float(run.clock[END]) - run.time, 1e-6)
    left = np.zeros(len(system.constraints))
    for ahead in span * np.logspace(-7, -2, 6):
        later = Closer(system, run.time + ahead, closer.parameters)
        _, left = later.closed(q)
        if _is_open(system, left):
            return float(ahead), left
    return 0.0, left


def _cannot_close(system: System, closer: Closer, q: Floats, left: Floats, t: float, ahead: float) -> str:
    rows = system.constraints
    worst = int(np.argmax(np.abs(left)))
    gap = f"{abs(left[worst]):.2g} {'m' if rows[worst].unit == 'N' else 'rad'}"
    when = f"at t = {t + ahead:.6g} s" if ahead else "there"
    fact = f"after t = {t:.6g} s {rows[worst].owner!r} cannot be closed any more: {when} it stays open by {gap}."
    drivers = (*system.coordinates.driven, *working_owners(system.coordinates))
    if system.rank.redundant:
        given = f" The motions given for {_listed(drivers)} do not go together." if len(drivers) > 1 else ""
        return f"{fact} The constraints contradict each other.{given} Leave one of them out, or make them agree."
    what = f"The motion given for {_listed(drivers)}" if drivers else "The motion"
    return f"{fact} {what} leads beyond the reach of the mechanism. Limit it, or check the lengths."


def _singular(system: System, closer: Closer, q: Floats, t: float) -> str:
    """Return which constraints become dependent, if some do."""
    matrix = closer.at(q, np.zeros(system.coordinates.n_u)).matrix * closer.scales
    independent = min(system.rank.general, *matrix.shape)
    loads, sizes, _ = np.linalg.svd(matrix, full_matrices=False)
    if not independent or sizes[independent - 1] > _SINGULAR * sizes[0]:
        return ""
    parts = np.abs(loads[:, independent - 1])
    owners = dict.fromkeys(
        row.owner for row, part in zip(system.constraints, parts, strict=True) if part > _TAKING_PART * parts.max()
    )
    return (
        f"at t = {t:.6g} s the mechanism is at a singular position: a dead point, or one where branches of its motion "
        f"meet. There the constraints of {_listed(owners)} do not determine the motion. Drive it elsewhere, or begin "
        "beyond that position."
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
