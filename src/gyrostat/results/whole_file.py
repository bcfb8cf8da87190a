"""Atomic writing of files; existing files are replaced only on request."""

from __future__ import annotations

import errno
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gyrostat.errors import ResultFileError


def require_writable(path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Return the path of a file that may be written; raise an error before the work if it may not."""
    given = Path(path)
    try:
        target = Path(os.path.realpath(given))
        if target.is_dir():
            raise ResultFileError(f"{given} is a folder. Give the name of a file.")
        if target.exists() and not force:
            raise ResultFileError(
                f"{given} exists already. Choose another name, or replace it by force=True (--force)."
            )
        if not target.parent.is_dir():
            raise ResultFileError(f"{given} cannot be written: there is no folder {target.parent}. Make it first.")
    except (OSError, ValueError) as error:
        raise _failure(given, error) from None
    if not os.access(target.parent, os.W_OK):
        raise ResultFileError(f"{given} cannot be written: the folder {target.parent} is write-protected.")
    return target


@contextmanager
def whole_file(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[Path]:
    """Yield the path of a new file beside the target; on success it replaces the target atomically.

    After a failure or an interruption the target is unchanged, and the new file is removed.
    """
    target = require_writable(path, force=force)
    temporary = target.with_name(f".{target.stem[:40]}-{uuid.uuid4().hex}.part")
    try:
        yield temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        require_writable(path, force=force)  # another process may have written it meanwhile
        os.replace(temporary, target)
        sync_folder(target.parent)
    except OSError as error:
        raise _failure(Path(path), error) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make the entries of a folder durable, such as a file that was just renamed."""
    if os.name == "nt":  # Windows has no such call; its file systems log renames
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EBADF):  # some network disks cannot
            raise
    finally:
        os.close(handle)


def _failure(path: Path, error: OSError | ValueError) -> ResultFileError:
    reason = getattr(error, "strerror", None) or str(error)
    return ResultFileError(
        f"{path} cannot be written: {reason}. Check the folder, its permissions and the room on its disk."
    )
