"""Locks of open files, which the operating system releases when their process ends for any reason."""

from __future__ import annotations

import errno
import os
import sys

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_HELD_ERRORS = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)
_LOCK_OFFSET = 1 << 20
"""Offset of the byte that Windows locks: beyond all text in the file, which other processes may read."""


def lock_file(descriptor: int) -> bool:
    """Lock an open file without waiting; return False where another process holds the lock.

    OSError is raised where files cannot be locked at all, as on some network file systems.
    """
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _HELD_ERRORS:
            return False
        raise
    return True
