"""The content of a file from any source, with a limit on its size, and the refusal of files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from gyrostat.errors import Fault, ModelFileError

TEXT_LIMIT: Final = 32_000_000
"""The largest text of a file, in bytes."""


def refusal(file: Path, fact: str, remedy: str) -> ModelFileError:
    """Return the error of a file that is not read."""
    return ModelFileError(Fault(file.name, fact, remedy))


def file_bytes(file: Path, most: int, remedy: str = "Is this the right file?") -> bytes:
    """Return the bytes of a file; raise `ModelFileError` if it cannot be read or has more than `most`.

    Pipes and devices are refused: opening a pipe without a writer never returns.
    """
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise refusal(file, "it is a pipe or a device, not a file.", "Write its content to a file first.")
        with file.open("rb") as stream:
            content = stream.read(most + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refusal(file, f"it cannot be read: {reason}.", "Check the path and its permissions.") from None
    if len(content) > most:
        raise refusal(file, f"it has more than {most:,} bytes.", remedy)
    return content


def file_text(file: Path) -> str:
    """Return the text of a file in UTF-8; raise `ModelFileError` if it has none or more than `TEXT_LIMIT` bytes."""
    try:
        return file_bytes(file, TEXT_LIMIT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise refusal(file, f"it is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from None
