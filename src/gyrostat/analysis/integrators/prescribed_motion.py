"""Kinematically determinate motion: drivers and constraints give positions from time alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.integrator import Integrator, Stepper
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.library import project
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.progress import (
    CHECKPOINTS,
    DONE,
    END,
    EVALUATIONS,
    NOT_CONVERGED,
    OUTPUT,
    PAUSED,
    REJECTED,
    STEP,
    TIME,
)
from gyrostat.coordinates import row
from gyrostat.errors import StateError

_LARGEST_CHANGE = 0.1
"""The largest change of a coordinate in one step: radians, or sizes of the mechanism."""
_SHORTEST_STEP = 1e-10
"""The shortest step, in terms of the whole time, before a position counts as a dead point."""


@dataclass(frozen=True)
class PrescribedMotion(Integrator):
    """Follows a mechanism whose drivers leave it no freedom: in each step Newton's method closes the loops.

    Steps are short enough for the mechanism to stay on its branch; where no continuation exists, the run stops there.
    """

    repeatable: ClassVar[bool] = False

    @property
    def advice(self) -> str:
        """The remedy at a dead point."""
        return "There the drivers cannot move the mechanism any further: drive it elsewhere, or check its lengths."

    def stepper(self, run: Run) -> Stepper:
        """Return the function that advances a run."""
        if run.events is not None:
            raise StateError(
                "PrescribedMotion locates no events, as it has no states between its steps. Use "
                "integrator=gs.Rodas5P(), which follows prescribed motions too."
            )
        projection = run.projection
        n, n_q = run.y.size, projection.n_q
        rates, x = np.empty(max(run.rates.output_size, 1)), run.x
        clock, counts = run.clock, run.counts
        size = max(projection.size, 1.0)
        bring_back = project.bind(run.equations(exponential=False))

        def settle(t: float, y: Floats) -> bool:
            good = bring_back(t, t, y)
            return bool(good and np.isfinite(y).all())

        def go_on(steps: int) -> int:
            span = clock[END] - clock[TIME] if clock[END] > clock[TIME] else 1.0
            for _ in range(steps):
                t = float(clock[TIME])
                if t >= clock[END]:
                    return DONE
                if counts[CHECKPOINTS] >= run.log.checkpoint_times.size:
                    return PAUSED
                grid = run.log.grid
                goal = grid[counts[OUTPUT]] if counts[OUTPUT] < len(grid) else clock[END]
                if goal <= t:
                    run.log.states[counts[OUTPUT]] = run.y
                    counts[OUTPUT] += 1
                    continue
                x[row.TIME], x[run.state] = t, run.y
                run.rates(x, rates[: run.rates.output_size])
                counts[EVALUATIONS] += 1
                fastest = float(np.abs(rates[:n_q]).max(initial=0.0)) / size
                h = min(goal - t, _LARGEST_CHANGE / fastest if fastest > 0.0 else np.inf)
                while True:
                    reached = goal if h >= goal - t else t + h
                    new = run.y + (reached - t) * rates[:n]
                    expected = new[:n_q].copy()
                    good = settle(reached, new)
                    if good and float(np.abs(new[:n_q] - expected).max(initial=0.0)) <= size * _LARGEST_CHANGE:
                        break
                    counts[REJECTED] += 1
                    h *= 0.5
                    if h < _SHORTEST_STEP * span:
                        return NOT_CONVERGED
                run.count_step(h)
                run.y[:] = new
                clock[TIME], clock[STEP] = reached, h
                if counts[OUTPUT] < len(grid) and grid[counts[OUTPUT]] <= reached:
                    run.log.states[counts[OUTPUT]] = new
                    counts[OUTPUT] += 1
            return DONE if clock[TIME] >= clock[END] else PAUSED

        return go_on
