"""Worker processes of this machine, kept idle for some minutes for the next sweep."""

from __future__ import annotations

import atexit
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, BinaryIO, TypeAlias, cast

from gyrostat.analysis.sweeps.points import Points
from gyrostat.analysis.sweeps.worker import Order, read_message, write_message

_IDLE_WORKER_LIMIT = 64
_THREAD_VARIABLES = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(eq=False)
class Worker:
    """A worker process, the queue that receives its messages, its orders, oldest first, and whether it is ready."""

    process: subprocess.Popen[bytes]
    replies: Replies = field(default_factory=queue.SimpleQueue)
    orders: deque[Points] = field(default_factory=deque)
    ready: bool = False
    fresh: bool = True
    """Whether it has not run a job yet."""
    ended: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, data: bytes, replies: Replies) -> None:
        """Send the worker a job."""
        with self._lock:
            self.replies, self.ready, self.fresh = replies, False, False
            if self.ended:  # before a queue was attached
                replies.put((self, EOFError()))
        self._send(Order(list(sys.path), {**os.environ, **_THREAD_VARIABLES}, os.getcwd(), data))

    def forward(self, message: Any) -> None:
        """Forward a message to the attached queue; EOFError is the last one."""
        with self._lock:
            self.ended = isinstance(message, EOFError)
            self.replies.put((self, message))

    def send(self, points: Points) -> None:
        """Send the worker points."""
        self.orders.append(points)
        self._send(points)

    def _send(self, message: Any) -> None:
        with suppress(OSError):  # the end of a worker is noticed by its reader
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
"""Messages of workers: pieces, None for a job that has started, the reason if it has not, or EOFError at the end."""


def prepare(count: int) -> None:
    """Start processes until `count` are idle, so that they initialise while a job is being prepared."""
    while len(_idle()) < count:
        _idle().append(_started())


def hired(data: Callable[[], bytes], replies: Replies, *, fresh: bool) -> Worker:
    """Return a worker that starts a job; a `fresh` one has run no job before."""
    worker = _idle_worker(fresh=fresh) or _started()
    try:
        worker.begin(data(), replies)
    except BaseException:
        worker.end()
        raise
    return worker


def dismiss(worker: Worker, *, keep: bool) -> None:
    """End a worker, or keep it for the next sweep; an idle worker ends after some minutes."""
    if not keep or worker.orders or len(_idle()) >= _IDLE_WORKER_LIMIT:
        worker.end()
        return
    worker.replies = queue.SimpleQueue()
    _idle().append(worker)


@cache
def _idle() -> list[Worker]:
    """The idle workers; they end with this process."""
    idle: list[Worker] = []

    def end_all() -> None:
        for worker in idle:
            worker.end()

    atexit.register(end_all)
    return idle


def _idle_worker(*, fresh: bool) -> Worker | None:
    for worker in _idle()[::-1]:
        if worker.fresh or not fresh:
            _idle().remove(worker)
            if worker.process.poll() is None:
                return worker
            worker.end()
    return None


def _started() -> Worker:
    process = subprocess.Popen(
        [sys.executable, "-m", "gyrostat.analysis.sweeps.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **_THREAD_VARIABLES, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    worker = Worker(process)
    threading.Thread(target=_listen, args=(worker,), daemon=True).start()
    return worker


def _listen(worker: Worker) -> None:
    """Forward the messages of a worker, and its end."""
    stream = cast(BinaryIO, worker.process.stdout)
    while True:
        try:
            message = read_message(stream)
        except (EOFError, OSError, ValueError):
            worker.forward(EOFError())
            return
        except Exception as error:  # unpickling a message may raise errors of any kind
            worker.forward(f"{type(error).__name__}: {error}")
            return
        worker.forward(message)
