"""The staff: worker processes of this machine, hired for a sweep and kept for the next one while they are idle."""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO, TypeAlias, cast

from gyrostat.analysis.sweeps.points import Points
from gyrostat.analysis.sweeps.worker import Order, read_message, write_message

_MOST_IDLE = 64
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(eq=False)
class Worker:
    """A process, who listens to it, the orders that it has, oldest first, and whether it has begun."""

    process: subprocess.Popen[bytes]
    replies: Replies
    orders: deque[Points] = field(default_factory=deque)
    ready: bool = False

    def begin(self, data: bytes, replies: Replies) -> None:
        """Send the worker a job."""
        self.replies, self.ready = replies, False
        self._send(Order(list(sys.path), {**os.environ, **_ONE_THREAD}, os.getcwd(), data))

    def give(self, points: Points) -> None:
        """Send the worker points."""
        self.orders.append(points)
        self._send(points)

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # a worker that is gone is noticed by its silence
            write_message(cast(BinaryIO, self.process.stdin), message)

    def end(self) -> None:
        """End the process."""
        with suppress(OSError):
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        self.process.wait()


Replies: TypeAlias = "queue.SimpleQueue[tuple[Worker, Any]]"
"""What workers say, as it comes: pieces, None for a job that is begun, why it is not, or EOFError at their end."""


def hired(data: bytes, replies: Replies, *, fresh: bool) -> Worker:
    """Return a worker that begins a job; unless it must be `fresh`, one that is idle starts at once."""
    worker = _started(replies) if fresh else _idle_worker() or _started(replies)
    worker.begin(data, replies)
    return worker


def dismiss(worker: Worker, *, keep: bool) -> None:
    """End a worker, or keep it for the next sweep; it ends by itself after some minutes without work."""
    if not keep or worker.orders or len(_idle()) >= _MOST_IDLE:
        worker.end()
        return
    worker.replies = queue.SimpleQueue()
    _idle().append(worker)


@cache
def _idle() -> list[Worker]:
    """The workers without work; they end with this process."""
    idle: list[Worker] = []

    def end_all() -> None:
        for worker in idle:
            worker.end()

    atexit.register(end_all)
    return idle


def _idle_worker() -> Worker | None:
    while _idle():
        worker = _idle().pop()
        if worker.process.poll() is None:
            return worker
        worker.end()
    return None


def _started(replies: Replies) -> Worker:
    process = subprocess.Popen(
        [sys.executable, "-m", "gyrostat.analysis.sweeps.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **_ONE_THREAD, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    worker = Worker(process, replies)
    threading.Thread(target=_listen, args=(worker,), daemon=True).start()
    return worker


def _listen(worker: Worker) -> None:
    """Pass on what a worker says, and that it is gone."""
    stream = cast(BinaryIO, worker.process.stdout)
    while True:
        try:
            message = read_message(stream)
        except (EOFError, OSError, ValueError):
            worker.replies.put((worker, EOFError()))
            return
        except Exception as error:  # of any kind: unpickling what it says may raise whatever it likes
            worker.replies.put((worker, f"{type(error).__name__}: {error}"))
            return
        worker.replies.put((worker, message))
