"""Who runs the points of a sweep: this process, a pool of processes, a cluster."""

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

_FEEL = 0.3
"""Seconds after which it is known whether other processes are worth their start."""
_WORTH = 3.0
"""Seconds of work that are left when they are."""


@dataclass(frozen=True, eq=False)
class Execution:
    """The choice of the user: a number of workers, 0 for as many as there is use for, or a scheduler."""

    workers: int
    scheduler: Any

    @staticmethod
    def of(workers: int | None, scheduler: Any) -> Execution:
        """Read what the user gave."""
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise StateError(f"workers is {workers!r}. Give a number of processes, 1 or more.")
        if workers is not None and scheduler is not None:
            raise StateError("The scheduler of a cluster has workers of its own. Leave workers=… or scheduler=… out.")
        return Execution(workers or 0, scheduler)

    @property
    def parts(self) -> int:
        """How many work at a time on this machine."""
        return self.workers or processors()

    def prepare(self) -> None:
        """Start the processes that the user asked for, which get ready while this one finds out what they are to do."""
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
        """Yield a piece for every task; `data` gives the job as bytes, where it must travel.

        This process is one of several workers, unless code of the user, which might end it, is `foreign` to it.
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
                if spent > _FEEL and spent * (total - done) > _WORTH * done:
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
    """Tell whether the job can be sent to other processes; where nobody asked for them, this one does it all."""
    try:
        data()
    except StateError as error:
        warnings.warn(f"The sweep runs in this process alone. {error}", GyrostatWarning, stacklevel=2)
        return False
    return True


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
