"""Turns: of several processes that need the same thing, one makes it while the others wait.

Waiting is a courtesy, nothing depends on it: where files cannot be written or locked, where the one that makes the
thing is stopped, or where a disk tells machines different things, it is made more than once, which is right as well.
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
"""Seconds after which a process waits no longer, and makes the thing itself."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1e-3, 0.1


def made_once(path: str, find: Callable[[], T | None], make: Callable[[], T]) -> T:
    """Return what `find` gives, else what `make` gives, which leaves it where all processes find it.

    `path` is the file by which they know of each other; it is there only while something is made. A process that ends
    in the middle, however it does, gives its turn to the next.
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
    """Return what another process made; None when it is this one's turn, or when it has waited long enough."""
    pause, end = _FIRST_PAUSE, time.monotonic() + PATIENCE
    while not turn.begin():
        time.sleep(pause)
        pause = min(2.0 * pause, _LONGEST_PAUSE)
        found = find()
        if found is not None or time.monotonic() > end:
            return found
    return find()  # it may have come since the first look


class _Turn:
    """A locked file. Its last owner removes it; who locked a file that was removed tries again."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._mine = False

    def begin(self) -> bool:
        """Tell whether it is this process's turn, as it is wherever there is no way to agree with others."""
        try:
            if self._descriptor is None:
                os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            if not lock_file(self._descriptor):
                return False
            self._mine = self._is_there()
        except OSError:
            return True
        if not self._mine:
            self._close()
        return self._mine

    def _is_there(self) -> bool:
        """Whether the locked file is still the one that others find."""
        assert self._descriptor is not None
        try:
            return os.path.samestat(os.fstat(self._descriptor), os.stat(self._path))
        except FileNotFoundError:
            return False

    def end(self) -> None:
        """Let the next one begin."""
        if os.name != "posix":  # open files cannot be removed there, so that those that others wait for stay
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
