"""Coordination of processes that need the same cache entry: one makes it while the others wait.

Waiting only saves work: where files cannot be written or locked, where the process that makes the entry is suspended,
or where a network file system is inconsistent, the entry is made more than once, with the same content.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from gyrostat.program.file_lock import lock_file

T = TypeVar("T")

PATIENCE = 300.0
"""Seconds after which a process stops waiting and makes the entry itself."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1e-3, 0.1


def made_once(path: str, find: Callable[[], T | None], make: Callable[[], T]) -> T:
    """Return the result of `find`, else that of `make`, which stores it where `find` of all processes succeeds.

    `path` is the lock file; it exists only while the entry is made. A process that ends before it has finished, for
    any reason, releases the lock.
    """
    found = find()
    if found is not None:
        return found
    turn = _Turn(path)
    try:
        found = _awaited(turn, find)
        return make() if found is None else found
    finally:
        turn.end()


def _awaited(turn: _Turn, find: Callable[[], T | None]) -> T | None:
    """Return the entry that another process made; None when it is this process's turn, or after the longest wait."""
    pause, end = _FIRST_PAUSE, time.monotonic() + PATIENCE
    while not turn.begin():
        time.sleep(pause)
        pause = min(2.0 * pause, _LONGEST_PAUSE)
        found = find()
        if found is not None or time.monotonic() > end:
            return found
    return find()  # it may have been stored since the first attempt


class _Turn:
    """A lock file. Its last owner removes it; a process that has locked a removed file tries again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._mine = False

    def begin(self) -> bool:
        """Tell whether it is this process's turn; true where files cannot be locked."""
        try:
            if self._descriptor is None:
                os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
                flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
                self._descriptor = os.open(self._path, flags, 0o600)
            if not lock_file(self._descriptor):
                return False
            self._mine = self._is_there()
        except OSError:
            return True
        if not self._mine:
            self._close()
        return self._mine

    def _is_there(self) -> bool:
        """Whether the locked file still exists under its path."""
        assert self._descriptor is not None
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.lstat(self._path))
        except FileNotFoundError:
            return False

    def end(self) -> None:
        """Release the lock."""
        if os.name != "posix":  # Windows does not remove open files, so a file that others wait for remains
            self._close()
        if self._mine:
            with suppress(OSError):
                os.unlink(self._path)
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None
