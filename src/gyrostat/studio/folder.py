"""The folder that the studio may read and write, and the files in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gyrostat.errors import GyrostatError
from gyrostat.model.documents.document import BYTE_LIMIT
from gyrostat.results.whole_file import whole_file

SUFFIXES = (".yaml", ".yml", ".json")
_FILE_LIMIT = 200

TEMPLATE = """\
# A new model. Ctrl+Space completes; faults are marked while you type.
gyrostat: 1
name: pendulum
gravity: [0, -g, 0]
parameters:
  m: {value: 1, unit: kg, description: mass of the bar}
  l: {value: 1, unit: m, description: length of the bar}
  g: {value: 9.81, unit: m/s², description: acceleration of gravity}
bodies:
  bar:
    properties: {rod: {mass: m, length: l, along: y}}
    points: {top: [0, l/2, 0], tip: [0, -l/2, 0]}
joints:
  hinge: {type: Revolute, parent: ground, child: bar.top, axis: z, symbol: theta, initial: 0.8}
"""


@dataclass(frozen=True)
class OpenedFile:
    """The text of a file as the editor has it, and what is needed to write it back as it was."""

    name: str
    """The path relative to the folder; empty for a text that is in no file of the folder."""
    text: str
    stamp: tuple[int, int] | None = None
    """Time and size of the file when it was read."""
    crlf: bool = False
    bom: bool = False


@dataclass(frozen=True)
class StudioFolder:
    """A folder: nothing outside it is read or written; examples are read only."""

    folder: Path
    examples: Mapping[str, Path] = field(default_factory=dict)

    def files(self) -> list[str]:
        """Return the model files of the folder by name."""
        try:
            names = sorted(path.name for path in self.folder.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError:
            return []
        return names[:_FILE_LIMIT]

    def read(self, name: str) -> OpenedFile:
        """Return the text of a file of the folder."""
        return _read(self._inside(name), name)

    def has(self, name: str) -> bool:
        """Return whether the folder has a file."""
        return _stamp(self._inside(name)) is not None

    def example(self, name: str) -> OpenedFile:
        """Return the text of an example, which has no file in the folder."""
        if name not in self.examples:
            raise GyrostatError(f"There is no example {name!r}. Known: {', '.join(self.examples)}.")
        opened = _read(self.examples[name], name)
        return OpenedFile("", opened.text)

    def write(self, opened: OpenedFile, name: str, text: str, *, replace: bool) -> OpenedFile:
        """Write a text to a file of the folder, whole or not at all; refuse to lose what others wrote meanwhile."""
        file = self._inside(name)
        if not replace:
            stamp = _stamp(file)
            if name != opened.name and stamp is not None:
                raise GyrostatError(f"{name} exists already. Save again to replace it, or choose another name.")
            if name == opened.name and stamp is not None and stamp != opened.stamp:
                raise GyrostatError(
                    f"{name} was changed by another program after it was opened here. Save again to replace it, or "
                    "open it to see the change."
                )
        same = name == opened.name
        lines = text.replace("\r\n", "\n")
        data = (lines.replace("\n", "\r\n") if same and opened.crlf else lines).encode()
        with whole_file(file, force=True) as temporary:
            temporary.write_bytes((b"\xef\xbb\xbf" if same and opened.bom else b"") + data)
        return OpenedFile(name, text, _stamp(file), same and opened.crlf, same and opened.bom)

    def changed(self, opened: OpenedFile) -> str:
        """Return what happened to a file since it was opened, as a sentence; empty where nothing did."""
        if not opened.name:
            return ""
        stamp = _stamp(self._inside(opened.name))
        if stamp is None:
            return f"{opened.name} is no longer in the folder. Its text is kept here; saving writes it again."
        return "" if stamp == opened.stamp else f"{opened.name} was changed by another program."

    def path(self, name: str) -> Path:
        """Return the path by which a text's own references to other files are found."""
        return self._inside(name) if name else self.folder / "unsaved.yaml"

    def _inside(self, name: str) -> Path:
        """Return the path of a file of the folder; refuse names that lead out of it, also by links."""
        if not name or "\0" in name or Path(name).suffix.lower() not in SUFFIXES:
            raise GyrostatError(f"{name!r:.80} is not the name of a model file. Use one that ends in .yaml or .json.")
        folder = self.folder.resolve()
        try:
            file = (folder / name).resolve()
        except (OSError, RuntimeError, ValueError):
            raise GyrostatError(f"{name!r:.80} is not a path. Choose another name.") from None
        if not file.is_relative_to(folder):
            raise GyrostatError(f"{name!r:.80} leads out of the folder {folder}. Choose a name within it.")
        return file


def _read(file: Path, name: str) -> OpenedFile:
    try:
        stamp = _stamp(file)
        if stamp is None:
            raise GyrostatError(f"{name} is not in the folder any more. Choose another file.")
        if stamp[1] > BYTE_LIMIT:
            raise GyrostatError(f"{name} has more than {BYTE_LIMIT:,} bytes; model files are much smaller.")
        data = file.read_bytes()
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GyrostatError(f"{name} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None
    except OSError as error:
        raise GyrostatError(f"{name} cannot be read: {error.strerror}. Check its permissions.") from None
    return OpenedFile(name, text.replace("\r\n", "\n"), stamp, b"\r\n" in data, data.startswith(b"\xef\xbb\xbf"))


def _stamp(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
