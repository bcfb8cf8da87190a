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
from functools import partial
from typing import Any, BinaryIO, NamedTuple

_LENGTH = struct.Struct("<Q")
_PATIENCE = 300.0
"""Seconds without work after which a process ends."""

_NEEDED = ("gyrostat.analysis.sweeps.job", "gyrostat.model.documents.json_document", "gyrostat.model.model_file")
"""What every job needs, imported while it is still on its way."""


def write_message(stream: BinaryIO, message: Any) -> None:
    """Write one message."""
    data = pickle.dumps(message, protocol=5)
    stream.write(_LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_message(stream: BinaryIO) -> Any:
    """Read one message; EOFError where the other side is gone."""
    head = _read(stream, _LENGTH.size)
    return pickle.loads(_read(stream, _LENGTH.unpack(head)[0]))


def _read(stream: BinaryIO, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


class Order(NamedTuple):
    """What a worker is told before it gets points: where it is, and the job as bytes."""

    path: list[str]
    environment: dict[str, str]
    folder: str
    data: bytes


def main() -> None:
    """Work until the other side closes the pipe, or has had no use for this process for some minutes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the user's interruption is for the other side
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what functions of the user print must not come between messages
    for name in _NEEDED:
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
    """Return the next message; a process that nobody needs ends."""
    retire = threading.Timer(_PATIENCE, os._exit, (0,))
    retire.daemon = True
    retire.start()
    try:
        return read_message(orders)
    finally:
        retire.cancel()


def _begun(order: Order) -> tuple[Any, str | None]:
    """Return the function of points that a job gives, and None, or why there is none."""
    sys.path[:] = order.path
    os.environ.clear()
    os.environ.update(order.environment)
    try:
        os.chdir(order.folder)
        from gyrostat.analysis.sweeps.points import timed

        return partial(timed, pickle.loads(order.data).solve), None
    except Exception as error:  # of any kind: the parent is told why there will be no pieces
        return None, f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    from gyrostat.analysis.sweeps import worker  # messages are of that module's classes, not of __main__'s

    worker.main()
