"""Execution on a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any

import numpy as np

from gyrostat.analysis.sweeps.job import solve_packed
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece, Points, PointStatus
from gyrostat.errors import StateError

_TASKS_PER_THREAD = 3
"""Number of queued tasks per thread of the cluster, so that none idles."""
_TIMEOUT = 10.0
"""Time limit for the scheduler's answer (s)."""
_DEADLINE = 60.0
"""Time limit for the first worker (s)."""


class Cluster:
    """A client of a Dask scheduler: the user's own, or one that is opened and closed here."""

    def __init__(self, scheduler: Any, data: bytes, layout: Layout) -> None:
        self._data, self._layout = data, layout
        self._distributed = _distributed()
        self._client, self._own = _client(self._distributed, scheduler)

    def run(self, tasks: Iterator[Points]) -> Iterator[Piece]:
        """Yield a piece for every task in order of completion; the scheduler repeats the tasks of workers that die."""
        open_tasks: dict[Any, Points] = {}
        try:
            self._require_workers()
            first = [self._submit(points) for _, points in zip(range(self._room()), tasks, strict=False)]
            open_tasks.update(first)
            completed = self._distributed.as_completed([future for future, _ in first], loop=self._client.loop)
            for future in completed:
                points = open_tasks.pop(future)
                piece, again = self._result(future, points)
                if piece is not None:
                    yield piece
                room = self._room()  # the cluster may grow
                while len(open_tasks) + len(again) < room and (task := next(tasks, None)) is not None:
                    again.append(task)
                for task in again:
                    new, _ = pair = self._submit(task)
                    open_tasks.update([pair])
                    completed.add(new)
        finally:
            with suppress(Exception):
                self._client.cancel(list(open_tasks))
            if self._own:
                with suppress(Exception):
                    self._client.close()

    def _require_workers(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_DEADLINE)
        except TimeoutError as error:
            raise StateError(
                f"The scheduler {self._client.scheduler.address!r} has had no workers for {_DEADLINE:g} s. Start some: "
                "dask worker ADDRESS."
            ) from error

    def _room(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return _TASKS_PER_THREAD * max(1, threads)

    def _submit(self, points: Points) -> tuple[Any, Points]:
        return self._client.submit(solve_packed, self._data, points, pure=False), points

    def _result(self, future: Any, points: Points) -> tuple[Piece | None, list[Points]]:
        """Return the piece of a task, or smaller tasks in its place if it killed workers."""
        try:
            return future.result(), []
        except self._distributed.KilledWorker:
            if points.count > 1:
                return None, list(points.halves())
            reason = "workers of the cluster died at this point, again and again."
            status = np.array([PointStatus.FAILED], dtype=np.int8)
            return Piece(points.start, self._layout.nothing(1), status, {points.start: reason}), []
        except Exception as error:  # Dask re-raises errors of any kind from the workers
            raise StateError(
                f"A worker of the cluster could not do its part of the sweep: {type(error).__name__}: {error}. Check "
                "that gyrostat is installed there in the same version."
            ) from error


def _distributed() -> Any:
    """Return the package `distributed`."""
    try:
        return import_module("dask.distributed")
    except ImportError as error:
        raise StateError(
            "A sweep on a cluster needs Dask, which is not installed. Install it: pip install 'gyrostat[cluster]'"
        ) from error


def _client(distributed: Any, scheduler: Any) -> tuple[Any, bool]:
    """Return a client, and whether it must be closed at the end."""
    if isinstance(scheduler, distributed.Client):
        return scheduler, False
    if not isinstance(scheduler, str):
        raise StateError(
            f"The scheduler is {scheduler!r:.60}. Give its address, scheduler='tcp://host:8786', or a Dask client."
        )
    try:
        return distributed.Client(scheduler, timeout=_TIMEOUT, set_as_default=False), True
    except (OSError, ValueError, TypeError) as error:
        raise StateError(
            f"The scheduler {scheduler!r} does not answer ({error}). Check the address, and that it runs: "
            "dask scheduler."
        ) from error
