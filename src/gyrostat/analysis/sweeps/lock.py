"""The lock of a store, which excludes concurrent writers."""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from gyrostat.errors import ResultFileError
from gyrostat.program.file_lock import lock_file


class StoreLock:
    """A file that is locked while a process writes; the operating system releases it when the process ends.

    The file names its owner. A file without a lock whose owner ran on this machine is stale and is taken over; one of
    another machine is not, because locks of some network disks do not reach other machines.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.taken_over: str = ""
        """The previous owner, if a process ended without releasing the lock."""
        self._file = path.open("a+", encoding="utf-8")
        if not _locked(self._file):
            owner = self._owner()
            self._file.close()
            raise ResultFileError(
                f"{path.parents[1]} is being written by another sweep{_holder(owner)}. Wait for it, stop it, or choose "
                "another store."
            )
        owner = self._owner()
        if owner and owner.get("host") != socket.gethostname():
            self._close()
            raise ResultFileError(
                f"{path.parents[1]} was left by a sweep{_holder(owner)}, which may still run there. If it does not, "
                f"delete {path}."
            )
        self.taken_over = _holder(owner).strip() if owner else ""
        self._write({"process": os.getpid(), "host": socket.gethostname()})

    def release(self) -> None:
        """Release the lock."""
        if not self._file.closed:
            self._write(None)
            self._close()

    def _owner(self) -> dict[str, Any]:
        self._file.seek(0)
        try:
            found = json.loads(self._file.read() or "{}")
        except (ValueError, OSError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, content: dict[str, Any] | None) -> None:
        with suppress(OSError):  # a full disk: the lock holds without the owner's name
            self._file.seek(0)
            self._file.truncate()
            self._file.write("" if content is None else json.dumps(content))
            self._file.flush()

    def _close(self) -> None:
        with suppress(OSError):
            self._file.close()


def _holder(owner: dict[str, Any]) -> str:
    return f" (process {owner['process']} on {owner['host']})" if {"process", "host"} <= owner.keys() else ""


def _locked(file: Any) -> bool:
    """Lock a file for this process; return whether it succeeded."""
    try:
        return lock_file(file.fileno())
    except OSError:
        return False
