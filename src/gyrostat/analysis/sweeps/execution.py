"""Execution of a sweep: in this process, in a pool of processes, or on a cluster."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gyrostat.analysis.sweeps.analysis import Solver
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece, Points, timed
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.program.warning import GyrostatWarning

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps import cluster, pool, staff
else:
    cluster, pool, staff = later("gyrostat.analysis.sweeps", "cluster", "pool", "staff")

_TRIAL_DURATION = 0.3
"""Time (s) after which the decision for or against worker processes is made."""
_LEAST_WORK = 3.0
"""Estimated remaining work (s) that justifies worker processes."""


@dataclass(frozen=True, eq=False)
class Execution:
    """The number of workers, 0 for a number chosen by the remaining work, or a scheduler."""

    workers: int
    scheduler: Any

    @staticmethod
    def of(workers: int | None, scheduler: Any) -> Execution:
        """Read and validate the user's arguments."""
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise StateError(f"workers is {workers!r}. Give a number of processes, 1 or more.")
        if workers is not None and scheduler is not None:
            raise StateError("The scheduler of a cluster has workers of its own. Leave workers=… or scheduler=… out.")
        return Execution(workers or 0, scheduler)

    @property
    def parts(self) -> int:
        """Number of processes that work in parallel on this machine."""
        return self.workers or processors()

    def prepare(self) -> None:
        """Start the requested processes early, so that they initialise while this one prepares the job."""
        if self.workers > 1:
            staff.prepare(self.workers - 1)

    def run(
        self,
        tasks: Iterator[Points],
        solve: Solver,
        layout: Layout,
        data: Callable[[], bytes],
        total: int,
        *,
        foreign: bool,
    ) -> Generator[Piece, None, None]:
        """Yield a piece for every task; `data` serialises the job for other processes.

        This process is one of the workers unless the job calls `foreign` code, which might end the process.
        """
        if self.scheduler is not None:
            yield from cluster.Cluster(self.scheduler, data(), layout).run(tasks)
            return
        workers = self.parts
        if not self.workers and workers > 1:
            began, done = time.perf_counter(), 0
            for points in tasks:
                yield timed(solve, points)
                done += points.count
                spent = time.perf_counter() - began
                if spent > _TRIAL_DURATION and spent * (total - done) > _LEAST_WORK * done:
                    break
            else:
                return
            workers = workers if _can_travel(data) else 1
        if workers == 1:
            for points in tasks:
                yield timed(solve, points)
            return

        yield from pool.Pool(data, workers, layout, None if foreign else solve).run(tasks)


def _can_travel(data: Callable[[], bytes]) -> bool:
    """Tell whether the job can be sent to other processes; an error only if the user requested workers."""
    try:
        data()
    except StateError as error:
        warnings.warn(f"The sweep runs in this process alone. {error}", GyrostatWarning, stacklevel=2)
        return False
    return True


def processors() -> int:
    """Return the number of processors available to this process."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
