"""A worker process of sweeps: reads jobs and points from its standard input, writes pieces to its output.

python -m gyrostat.analysis.sweeps.worker
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import struct
import sys
import threading
import warnings
from functools import partial
from typing import Any, BinaryIO, NamedTuple

_LENGTH = struct.Struct("<Q")
_IDLE_TIMEOUT = 300.0
"""Seconds without work after which a process ends."""

_JOB_MODULES = ("gyrostat.analysis.sweeps.job", "gyrostat.model.documents.json_document", "gyrostat.model.model_file")
"""Modules that every job needs, imported before the job arrives."""


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write one message."""
    data = pickle.dumps(message, protocol=5)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """Read one message; EOFError if the pipe is closed."""
    head = _read(stream, _LENGTH.size)
    return pickle.loads(_read(stream, _LENGTH.unpack(head)[0]))


def _read(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


class Order(NamedTuple):
    """The first message to a worker: its paths and environment, and the job as bytes."""

    path: list[str]
    environment: dict[str, str]
    folder: str
    data: bytes


def main() -> None:
    """Work until the pipe is closed, or until some minutes have passed without work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles interruptions
    warnings.filterwarnings("ignore", "The cache directory ")  # the parent process has given this warning
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed output of the user's functions must not mix with messages
    for name in _JOB_MODULES:
        importlib.import_module(name)
    solve: Any = None
    try:
        while True:
            message = _wait(sys.stdin.buffer)
            if isinstance(message, Order):
                solve, reply = _begun(message)
            else:
                reply = solve(message)
            write_message(replies, reply)
    except (EOFError, BrokenPipeError):
        return


def _wait(orders: BinaryIO) -> Any:
    """Return the next message; the process ends after some minutes without one."""
    retire = threading.Timer(_IDLE_TIMEOUT, os._exit, (0,))
    retire.daemon = True
    retire.start()
    try:
        return read_message(orders)
    finally:
        retire.cancel()


def _begun(order: Order) -> tuple[Any, str | None]:
    """Return the function that analyses points, and None, or the reason for its failure."""
    sys.path[:] = order.path
    os.environ.clear()
    os.environ.update(order.environment)
    try:
        os.chdir(order.folder)
        from gyrostat.analysis.sweeps.points import timed

        return partial(timed, pickle.loads(order.data).solve), None
    except Exception as error:  # any error is reported to the parent
        return None, f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    from gyrostat.analysis.sweeps import (
        worker,
    )  # messages are pickled as its classes, not __main__'s

    worker.main()
