"""Model files that use other model files: which ones may be read, and how many."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from gyrostat.errors import Fault, ModelError
from gyrostat.model.subsystems.used_model import UsedModel

NESTING_LIMIT: Final = 20
"""The largest number of files that use each other in a row."""

FILE_LIMIT: Final = 500
"""The largest number of different files that a model file may use, those of all levels together."""

BYTE_LIMIT: Final = 32_000_000
"""The largest number of bytes in these files together."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|[/\\]{2}")
"""The beginning of a network address: a scheme of at least two letters, or two slashes."""


@dataclass
class Inclusion:
    """The files read so far for one outermost model file; `open` are those being read, the outermost first."""

    folder: Path
    """The folder of the outermost file, with links resolved: no file outside it is read."""
    open: list[Path]
    read: dict[Path, UsedModel] = field(default_factory=dict)
    faulty: set[Path] = field(default_factory=set)
    """Files with faults, which are read and reported once."""
    size: int = 0

    @staticmethod
    def of(file: Path) -> Inclusion:
        """Return the record for an outermost file."""
        whole = file.resolve()
        return Inclusion(whole.parent, [whole])

    def locate(self, text: str) -> Path:
        """Return the file that a path, relative to the file being read, leads to; raise `ModelError` if it may not."""
        return self.locate_from(self.open[-1].parent, text)

    def locate_from(self, start: Path, text: str) -> Path:
        """Return the file that a path, relative to a folder, leads to; raise `ModelError` if it may not be read."""
        if _ADDRESS.match(text):
            raise _refusal(f"{text!r:.80} is a network address or a drive.", _PATH_REMEDY)
        if PurePosixPath(text).is_absolute() or PureWindowsPath(text).drive or "\\" in text:
            raise _refusal(f"{text!r:.80} is an absolute path, or has backslashes.", _PATH_REMEDY)
        try:
            file = (start / text).resolve()
        except (OSError, ValueError, RuntimeError):
            raise _refusal(f"{text!r:.80} is not the path of a file.", _PATH_REMEDY) from None
        if not file.is_relative_to(self.folder):
            fact = f"{text!r:.80} leads out of the folder of the outermost model file."
            raise _refusal(fact, "Models use files in that folder and in folders within it; copy the file there.")
        if file in self.open:
            circle = [each.name for each in (*self.open[self.open.index(file) :], file)]
            raise _refusal(f"files use each other in a circle: {' → '.join(circle)}.", "Take one of the uses out.")
        return file

    def admit(self, file: Path) -> None:
        """Count a file that is about to be read; raise `ModelError` if that exceeds a limit."""
        if len(self.open) > NESTING_LIMIT:
            raise _refusal(f"more than {NESTING_LIMIT} files use each other in a row.", "Nest fewer.")
        if len(self.read) + len(self.faulty) >= FILE_LIMIT:
            raise _refusal(f"the model uses more than {FILE_LIMIT} files.", "Use fewer.")
        try:
            self.size += file.stat().st_size
        except OSError:
            return  # reading it will explain
        if self.size > BYTE_LIMIT:
            raise _refusal(f"the files of the model have more than {BYTE_LIMIT:,} bytes together.", "Use smaller ones.")


_PATH_REMEDY = "Write a path relative to this model file, with forward slashes."


def _refusal(fact: str, remedy: str) -> ModelError:
    return ModelError(Fault("", fact, remedy))
