"""A pool of worker processes on this machine; the points of a worker that dies are run again.

Workers are separate interpreters that receive the job through a pipe. Nothing of the user's session is copied or
imported, and scripts need no `if __name__ == "__main__"` guard.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from gyrostat.analysis.sweeps.analysis import Solver
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece, Points, PointStatus, timed
from gyrostat.analysis.sweeps.staff import Replies, Worker, dismiss, hired
from gyrostat.errors import StateError

_ORDERS_PER_WORKER = 2
"""Number of orders queued per worker, so that it never idles."""
_OWN_WORK_DURATION = 0.15
"""Duration (s) of this process' own work between two readings of the workers' messages."""
_FIRST_WORK_DURATION = 0.05
"""The same while a worker initialises, which then waits for its first order."""
_OWN_POINTS = 16
"""Least number of points of this process' own tasks, to fill the SIMD lanes."""
_DEATH_LIMIT = 3
_ATTEMPTS = 2
"""Number of trials of points that kill workers, before they are halved; a single point then fails."""


class Pool:
    """Worker processes that share the points of a sweep; with `own`, this process is one of them."""

    def __init__(self, data: Callable[[], bytes], workers: int, layout: Layout, own: Solver | None = None) -> None:
        self._data, self._layout, self._own = data, layout, own
        self._count = workers if own is None else workers - 1
        self._replies: Replies = queue.SimpleQueue()
        self._workers: list[Worker] = []
        self._again: deque[Points] = deque()
        self._attempts: dict[tuple[int, int], int] = {}
        self._deaths_at_start = 0
        self._own_rate = 0.0
        self._begun: Points | None = None

    def run(self, tasks: Iterator[Points]) -> Iterator[Piece]:
        """Yield a piece for every task in order of completion; a task is taken when a worker has room."""
        done = False
        try:
            for _ in range(self._count):
                self._hire()
            self._fill(tasks)
            while True:
                if self._own is not None and self._replies.empty():
                    points = self._take_own(tasks)
                    if points is not None:
                        piece = timed(self._own, points)
                        self._own_rate = points.count / max(piece.seconds, 1e-9)
                        yield piece
                        continue
                if self._replies.empty() and not self._again and not any(worker.orders for worker in self._workers):
                    done = True
                    return
                worker, reply = self._next()
                if isinstance(reply, EOFError):
                    yield from self._bury(worker)
                elif isinstance(reply, Piece):
                    worker.orders.popleft()
                    yield reply
                elif reply is None:
                    worker.ready, self._deaths_at_start = True, 0
                else:
                    raise StateError(f"A worker process could not begin the sweep: {reply}")
                self._fill(tasks)
        finally:
            for worker in self._workers:
                dismiss(worker, keep=done and self._own is not None)  # workers that ran the user's code end
            self._workers.clear()

    def _next(self) -> tuple[Worker, Any]:
        """Wait for a worker's message."""
        while True:
            with suppress(queue.Empty):
                return self._replies.get(timeout=1.0)  # so that interruptions are handled on every operating system

    def _hire(self) -> None:
        self._workers.append(hired(self._data, self._replies, fresh=self._own is None))

    def _fill(self, tasks: Iterator[Points]) -> None:
        """Distribute orders to workers with room, first one to each; only to ready ones if this process works too."""
        for depth in range(1, _ORDERS_PER_WORKER + 1):
            for worker in self._workers:
                if len(worker.orders) < depth and (worker.ready or self._own is None):
                    points = self._take(tasks)
                    if points is None:
                        return
                    worker.send(points)

    def _take(self, tasks: Iterator[Points]) -> Points | None:
        """Return the next points: those of a dead worker, of the next task, or the rest of this process' own task."""
        if self._again:
            return self._again.popleft()
        points = next(tasks, None)
        if points is None:
            points, self._begun = self._begun, None
        return points

    def _take_own(self, tasks: Iterator[Points]) -> Points | None:
        """Return the next points of this process: a part of a task."""
        points, self._begun = self._begun, None
        if points is None:
            points = self._take(tasks)
        aim = _OWN_WORK_DURATION if all(worker.ready for worker in self._workers) else _FIRST_WORK_DURATION
        few = max(_OWN_POINTS, int(aim * self._own_rate))
        if points is None or points.count <= few:
            return points
        self._begun = points.part(few, points.count)
        return points.part(0, few)

    def _bury(self, worker: Worker) -> Iterator[Piece]:
        """Take back the orders of a dead worker, replace it, and record points that kill workers as failed."""
        worker.end()
        self._workers.remove(worker)
        code = worker.process.returncode
        if not worker.ready:
            self._deaths_at_start += 1
            if self._deaths_at_start >= _DEATH_LIMIT:
                raise StateError(
                    f"Worker processes end before they begin, with code {code}. Sweep with workers=1 to see why."
                )
        orders = list(worker.orders)
        if worker.ready and orders:
            first, *rest = orders
            tried = self._attempts.get((first.start, first.count), 0) + 1
            self._attempts[first.start, first.count] = tried
            if tried < _ATTEMPTS:
                orders = [first, *rest]
            elif first.count > 1:
                orders = [*first.halves(), *rest]
            else:
                orders = rest
                yield self._failed_piece(first, code)
        self._again.extendleft(reversed(orders))
        self._hire()

    def _failed_piece(self, point: Points, code: int) -> Piece:
        reason = f"the worker process died {_ATTEMPTS} times at this point, with code {code}."
        status = np.array([PointStatus.FAILED], dtype=np.int8)
        return Piece(point.start, self._layout.nothing(1), status, {point.start: reason})
