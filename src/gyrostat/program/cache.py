"""The object cache: compiled programs on disk, shared by all processes of one user.

Loading object code executes it, so only intact regular files that belong to the current user are read, and only from a
directory of the user's in which no other user may create files; symbolic links are not followed. A cache that cannot be
used is announced once by a warning, and programs are compiled anew.

A file is: magic, three lengths (metadata as JSON, graph, object code), the key, a checksum of all that follows, then
the three parts.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import struct
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gyrostat.program.warning import GyrostatWarning

_MAGIC = b"gyrostat program 1\n"
_HEAD = struct.Struct("<QQQ32s32s")
_SUFFIX = ".program"
_TEMPORARY_PREFIX = ".new-"
_LOCK = ".lock"

_SAFE_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""Flags for opening files that exist: no symbolic links, and no waiting for the writer of a named pipe."""
_announced: set[str] = set()
"""Directories that were announced as unusable."""

# Above this size the least recently used files are removed, down to three quarters of it.
LIMIT_BYTES = 512 * 1024**2


# All files are looked at when a process stores its first one, and after each such share of the limit that it writes: in
# a full cache of some thousand files that takes a tenth of a second.
_CLEANINGS = 64
_written: dict[str, int] = {}
"""Bytes written since a directory was last cleaned."""


@dataclass(frozen=True)
class Entry:
    """Content of one file: metadata (plain JSON data), a graph's bytes, object code; each may be empty."""

    metadata: dict[str, Any]
    graph: bytes = b""
    code: bytes = b""


def cache_directory() -> Path:
    """Return the directory of the cache: $GYROSTAT_CACHE_DIR, else the platform's directory for caches."""
    return Path(_directory())


def _directory() -> str:
    """Return the directory of the cache as text."""
    chosen = os.environ.get("GYROSTAT_CACHE_DIR")
    if chosen:
        return chosen
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/AppData/Local")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "gyrostat")


def usable() -> bool:
    """Tell whether the cache directory may be used: it belongs to the user alone, or does not exist yet.

    Another directory is refused, with a warning on the first occasion.
    """
    directory = _directory()
    try:
        status = os.stat(directory)
    except OSError:
        return True  # it is created when the first entry is stored
    if _is_owned(status):
        return True
    whose = "may be written by other users" if status.st_uid == os.getuid() else "belongs to another user"
    _announce(
        directory,
        f"is not used, because it {whose}, who could place code there.",
        f"Protect it (chmod go-w {directory})" if status.st_uid == os.getuid() else "Remove it",
    )
    return False


def load(key: str) -> Entry | None:
    """Return the entry stored under a key (64 hexadecimal digits); None when there is no file that can be trusted."""
    if not usable():
        return None
    path = _path(key)
    try:
        descriptor = os.open(path, os.O_RDONLY | _SAFE_FLAGS)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not (stat.S_ISREG(status.st_mode) and _is_owned(status)):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            entry = _decode(file.read(), key)
        if entry is not None:
            with contextlib.suppress(OSError):  # the clean-up keeps the most recently used files
                os.utime(descriptor if os.utime in os.supports_fd else path)
        return entry
    except OSError:
        return None
    finally:
        os.close(descriptor)


def store(key: str, entry: Entry) -> None:
    """Write an entry. The file appears whole or not at all, whatever other processes do at the same time."""
    if not usable():
        return
    directory = _directory()
    temporary = os.path.join(directory, f"{_TEMPORARY_PREFIX}{os.getpid()}-{os.urandom(8).hex()}")
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        data = _encode(key, entry)
        with os.fdopen(os.open(temporary, flags, 0o600), "wb") as file:
            file.write(data)
        _publish(temporary, _path(key))
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        _announce(directory, f"cannot be written: {error.strerror or error}.", "Make it writable")
        return
    written = _written.get(directory)
    if written is None or written + len(data) > LIMIT_BYTES // _CLEANINGS:
        with contextlib.suppress(OSError):
            _clean(directory)
        written = 0
    _written[directory] = written + len(data)


def _publish(temporary: str, path: str) -> None:
    """Give a finished file its name; a file that another process reads (Windows) or has removed is no failure."""
    try:
        os.replace(temporary, path)
    except FileNotFoundError:
        return
    except PermissionError:
        if os.name == "posix":
            raise
        os.unlink(temporary)


def _announce(directory: str, fact: str, remedy: str) -> None:
    """Warn that the cache is not used, once for each directory."""
    if directory not in _announced:
        _announced.add(directory)
        warnings.warn(
            f"The cache directory {directory} {fact} Programs are compiled anew in each process. {remedy}, or set "
            "GYROSTAT_CACHE_DIR to another directory.",
            GyrostatWarning,
            stacklevel=3,
        )


def lock_path(key: str) -> str:
    """Return the lock file of a key, held by the process that makes the entry."""
    return os.path.join(_directory(), key + _LOCK)


def _path(key: str) -> str:
    return os.path.join(_directory(), key + _SUFFIX)


def _is_owned(status: os.stat_result) -> bool:
    """Whether a file or directory belongs to the user and no other user may write to it."""
    if os.name != "posix":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def _encode(key: str, entry: Entry) -> bytes:
    text = json.dumps(entry.metadata).encode()
    payload = text + entry.graph + entry.code
    checksum = hashlib.sha256(payload).digest()
    lengths = (len(text), len(entry.graph), len(entry.code))
    return _MAGIC + _HEAD.pack(*lengths, bytes.fromhex(key), checksum) + payload


def _decode(data: bytes, key: str) -> Entry | None:
    start = len(_MAGIC) + _HEAD.size
    if len(data) < start or not data.startswith(_MAGIC):
        return None
    text, graph, code, stored_key, checksum = _HEAD.unpack_from(data, len(_MAGIC))
    payload = memoryview(data)[start:]
    if stored_key != bytes.fromhex(key) or len(payload) != text + graph + code:
        return None
    if hashlib.sha256(payload).digest() != checksum:
        return None
    metadata = json.loads(bytes(payload[:text]))
    return Entry(metadata, bytes(payload[text : text + graph]), bytes(payload[text + graph :]))


def _clean(directory: str) -> None:
    """Remove the least recently used files while the total size is above the limit."""
    files = []
    with os.scandir(directory) as listing:
        for item in listing:
            if item.name.endswith((_SUFFIX, _LOCK)) or item.name.startswith(_TEMPORARY_PREFIX):
                with contextlib.suppress(OSError):
                    status = item.stat(follow_symlinks=False)
                    files.append((status.st_mtime, status.st_size, item.path))
    total = sum(size for _, size, _ in files)
    if total <= LIMIT_BYTES:
        return
    for _, size, path in sorted(files):
        with contextlib.suppress(OSError):
            os.unlink(path)
            total -= size
        if total <= LIMIT_BYTES * 3 // 4:
            return
