"""A compiled loop, bound to a run."""

from __future__ import annotations

from typing import Any

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.native_kernel import NativeKernel


class CompiledLoop:
    """Moves a run on by a kernel with arguments (*first, watch, log, breaks, x, y, clock, counts, steps); a Stepper."""

    def __init__(self, kernel: NativeKernel[int], run: Run, *first: Any) -> None:
        self._kernel, self._run, self._first = kernel, run, first
        self._bind()

    def _bind(self) -> None:
        run = self._run
        self._log = run.log
        self._go_on = self._kernel.bind(
            *self._first, run.watch, run.log, run.breaks, run.x, run.y, run.clock, run.counts
        )

    def __call__(self, steps: int) -> int:
        """Make at most so many steps; return a constant of `kernels.progress`."""
        if self._run.log is not self._log:  # there was no room left in the old one
            self._bind()
        return self._go_on(steps)
