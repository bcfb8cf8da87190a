"""Runs of one problem one after the other, with all that they share made once."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators import Integrator
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.progress import DONE, OUTPUT, PAUSED, REJECTED
from gyrostat.coordinates.arguments import Floats

_CHUNK = 20_000
_MOST_STEPS = 200_000
"""A run that needs more is left to the loop that watches its pace."""


class RepeatedRuns:
    """Runs without constraints, events and Python functions over the same output times, by the loop of single runs."""

    def __init__(self, run: Run, integrator: Integrator, grid: Floats) -> None:
        self._run, self._grid = run, grid
        self._go_on = integrator.stepper(run)
        self._clock, self._counts = run.clock.copy(), run.counts.copy()

    def states(self, row: Floats) -> Floats | None:
        """Return the states at the output times, (times, size of y), of the run that begins with a row of x.

        None where it does not reach its end, or takes long: then there is more to say than states.
        """
        run, n = self._run, self._run.y.size
        run.x[:], run.y[:] = row, row[1 : 1 + n]
        run.clock[:], run.counts[:] = self._clock, self._counts
        reason = self._go_on(_CHUNK)
        while reason == PAUSED and run.steps + run.counts[REJECTED] < _MOST_STEPS:
            run.make_room()
            reason = self._go_on(_CHUNK)
        if reason != DONE or run.counts[OUTPUT] != len(self._grid) - 1:
            return None
        return np.concatenate((row[None, 1 : 1 + n], run.log.states))
