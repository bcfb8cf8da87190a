"""A worker process of a sweep: reads a job and then points from its standard input, writes pieces to its output.

python -m gyrostat.analysis.sweeps.worker
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")


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


def main() -> None:
    """Work until the other side closes the pipe; its user's interruption is not for this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what functions of the user print must not come between messages
    orders = sys.stdin.buffer
    try:
        path, data = read_message(orders)
        sys.path[:] = path
        try:
            from gyrostat.analysis.sweeps.points import timed

            solve = pickle.loads(data).solve
        except Exception as error:
            write_message(replies, f"{type(error).__name__}: {error}")
            return
        write_message(replies, None)
        while True:
            write_message(replies, timed(solve, read_message(orders)))
    except (EOFError, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
