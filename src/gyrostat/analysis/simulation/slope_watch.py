"""The end of runs in which a beam of first or second order has diverged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.simulation.budget import Watch
from gyrostat.analysis.simulation.status import Ending, Outcome
from gyrostat.lazy import later
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.assembly import slopes
else:
    (slopes,) = later("gyrostat.analysis.assembly", "slopes")


def watch_on_slopes(system: System, parameters: Mapping[str, float]) -> Watch:
    """Return what ends a run in which the slope of a beam has no meaning any more."""

    def watch(run: Run) -> Ending | None:
        reason = slopes.divergence(system, system.row.split(run.y)[0], parameters, run.time)
        return None if reason is None else (Outcome.DIVERGED, reason)

    return watch
