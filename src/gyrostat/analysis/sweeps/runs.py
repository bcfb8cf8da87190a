"""Runs of one problem: many at a time in SIMD lanes, or one after the other."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.integrators import Integrator, RotationUpdate
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.runge_kutta import RungeKutta
from gyrostat.analysis.kernels.batch import Batch, FixedMethod
from gyrostat.analysis.kernels.library import batched_loop
from gyrostat.analysis.kernels.problem import Rotations
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    CLOCK_SIZE,
    COUNTS_SIZE,
    DONE,
    END,
    OUTPUT,
    PAUSED,
    REJECTED,
    STEP,
    TIME,
)
from gyrostat.analysis.simulation.budget import Budget
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property

_VALUE_LIMIT = 16_384
"""Largest number of values of motions that are integrated together, so that they fit in the cache."""
_EVALUATIONS = 4_000_000
"""Evaluations of all motions together per call of the loop, between which the user can interrupt it."""
_BATCHED_STEP_LIMIT = 1e10
"""Motions with more steps are left to the ordinary simulation, which ends where they would take years."""


def can_batch(integrator: Integrator, grid: Floats) -> bool:
    """Tell whether an integrator makes the same steps in all motions, explicit and fixed, and not too many of them."""
    fixed = isinstance(integrator, RungeKutta) and not integrator.control[0]
    return fixed and float(grid[-1] - grid[0]) <= _BATCHED_STEP_LIMIT * integrator.first_step


@dataclass(frozen=True, eq=False)
class BatchedRuns:
    """Motions without constraints, events and Python functions over the same output times.

    `run` is any one of them; all share its programs, tables and discontinuities.
    """

    run: Run
    integrator: RungeKutta
    grid: Floats

    def states(self, rows: Floats) -> Iterator[tuple[slice, Floats]]:
        """Yield indices of some rows of x, and their states, (rows, times, size of y).

        States of a motion that diverges are not finite.
        """
        method = self._method
        for first in range(0, len(rows), self._together):
            part = slice(first, min(first + self._together, len(rows)))
            batch = self._batch(rows[part].copy())
            clock, counts = np.zeros(CLOCK_SIZE), np.zeros(COUNTS_SIZE, dtype=np.int64)
            clock[[TIME, ANCHOR, END]] = self.grid[0], self.grid[0], self.grid[-1]
            clock[STEP] = self.integrator.first_step
            counts[OUTPUT] = 1
            steps = max(1, _EVALUATIONS // (len(batch.x) * method.stages))
            go_on = batched_loop.bind(method, batch, clock, counts, steps)
            done = go_on(True)
            while not done:
                done = go_on(False)
            lost = ~(np.isfinite(batch.y).all(axis=1) & np.isfinite(batch.k[method.stages]).all(axis=1))
            batch.states[lost] = np.nan
            yield part, batch.states

    @cached_property
    def _method(self) -> FixedMethod:
        tableau = self.integrator.tableau
        a, c = tableau.all_stages
        return FixedMethod(a, c, tableau.dense_weights, tableau.stages)

    @cached_property
    def _together(self) -> int:
        """Number of motions that are integrated together: a multiple of the SIMD lanes."""
        rates = self.run.rates
        numbers = (self._method.stages + 4) * rates.output_size + rates.input_size
        return max(1, _VALUE_LIMIT // (numbers * rates.lanes)) * rates.lanes

    def _batch(self, x: Floats) -> Batch:
        run = self.run
        rotations = Rotations(run.rotations, self.integrator.rotations is RotationUpdate.EXPONENTIAL)
        return Batch.of(
            self._method, run.rates.batch_address, run.tables, rotations, run.breaks, x, self.grid, run.y.size
        )


_CHUNK = 20_000
_STEP_LIMIT = 200_000
"""Runs with more steps are left to the ordinary simulation."""


class RepeatedRuns:
    """Successive runs without constraints, events and Python functions over the same output times."""

    def __init__(self, run: Run, integrator: Integrator, grid: Floats, budget: Budget) -> None:
        self._run, self._grid = run, grid
        self._most_steps = _STEP_LIMIT if budget.most_steps is None else min(_STEP_LIMIT, budget.most_steps)
        self._most_seconds = math.inf if budget.most_seconds is None else budget.most_seconds
        self._go_on = integrator.stepper(run)
        self._clock, self._counts = run.clock.copy(), run.counts.copy()

    def states(self, row: Floats) -> Floats | None:
        """Return the states at the output times, (times, size of y), of the run that begins with a row of x.

        None if it does not reach its end or needs too much; the ordinary simulation then gives its status.
        """
        run = self._run
        run.x[:], run.y[:] = row, row[run.state]
        run.clock[:], run.counts[:] = self._clock, self._counts
        began = time.perf_counter()
        reason = self._go_on(_CHUNK)
        while reason == PAUSED and run.steps + run.counts[REJECTED] < self._most_steps:
            if time.perf_counter() - began > self._most_seconds:
                break
            run.enlarge_records()
            reason = self._go_on(_CHUNK)
        if reason != DONE or run.steps > self._most_steps or run.counts[OUTPUT] != len(self._grid) - 1:
            return None
        return np.concatenate((row[None, run.state], run.log.states))
