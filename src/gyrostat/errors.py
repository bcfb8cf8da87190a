"""Exceptions of the package: each names the item, states the fact and gives the remedy.

A `Fault` is one finding. Exceptions carry all faults that were found in one run, so that a user corrects a model once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Position:
    """A place in a text file; line and column count from one."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@dataclass(frozen=True)
class Fault:
    """One finding about one item.

    `item` is the faulty component ("joint 'a1'"), `fact` the fault, `remedy` its correction. `path` leads to the
    faulty value inside the item (("points", "tip", 1)); `position` is its place in a model file, if there is one.
    """

    item: str
    fact: str
    remedy: str = ""
    path: tuple[str | int, ...] = ()
    position: Position | None = None

    def __str__(self) -> str:
        where = f"{self.position}: " if self.position else ""
        place = _place(self.path)
        subject = f"{self.item}{', ' + place if place else ''}" if self.item else place
        text = f"{where}{subject}: {self.fact}" if subject else f"{where}{self.fact}"
        return f"{text} {self.remedy}".rstrip()

    def within(self, item: str, *path: str | int) -> Fault:
        """Return the same fault seen from a container: its path grows in front, the outermost item names it."""
        return replace(self, item=item or self.item, path=(*path, *self.path))

    def at(self, position: Position | None) -> Fault:
        """Return the same fault with its place in a file."""
        return replace(self, position=position)


def _place(path: tuple[str | int, ...]) -> str:
    """Write a path as a reader would: points.tip[1]."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{_legible(step)}" if text else _legible(step)
    return text


def _legible(step: str) -> str:
    """Return a step of a path as it is where it can be read, else escaped; long ones are cut."""
    if len(step) <= _LONGEST_STEP and step.isprintable():
        return step
    shown = ascii(step[:_LONGEST_STEP])
    return f"{shown}…" if len(step) > _LONGEST_STEP else shown


_LONGEST_STEP = 60
_LONGEST_LINE = 700
_FAULT_LIMIT = 40
_LONGEST_MESSAGE = 7000
"""The largest numbers of faults and of their characters in a message; the exception has all faults."""


def _lines(faults: tuple[Fault, ...]) -> list[str]:
    """Return a line for each fault, up to a limit."""
    lines: list[str] = []
    room = _LONGEST_MESSAGE
    for fault in faults[:_FAULT_LIMIT]:
        text = str(fault)
        line = text if len(text) <= _LONGEST_LINE else f"{text[:_LONGEST_LINE]}…"
        room -= len(line)
        if room < 0:
            break
        lines.append(line)
    if hidden := len(faults) - len(lines):
        lines.append(f"… and {hidden} more fault{'s' if hidden > 1 else ''}.")
    return lines


class GyrostatError(Exception):
    """The base of all exceptions that the package raises on purpose."""


class ModelError(GyrostatError):
    """A model, or a file that describes one, has faults; `faults` lists all of them."""

    def __init__(self, faults: Fault | Iterable[Fault], heading: str = "") -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        self.heading = heading
        lines = _lines(self.faults)
        if heading:
            lines = [heading, *("  " + line for line in lines)]
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[ModelError], tuple[tuple[Fault, ...], str]]:
        return (type(self), (self.faults, self.heading))


class FormulaError(ModelError):
    """A formula cannot be read, or has no meaning in its context."""


class ModelFileError(ModelError):
    """A model file cannot be read at all: missing, not text, not YAML or JSON, or over the limits."""


class TopologyError(GyrostatError):
    """A graph, or a choice of tree on it, is not possible; the message names vertices and edges."""


class ProgramError(GyrostatError):
    """An expression graph cannot be compiled or evaluated."""


class StateError(GyrostatError):
    """A state, input or parameter value given to a system does not fit it."""


class SizeError(StateError):
    """A written expression would exceed the size limit; the message names a compact form."""


class PictureError(GyrostatError):
    """A picture cannot be made or written; the message names what is missing or wrong."""


class ResultFileError(GyrostatError):
    """A result cannot be written, or a file is no whole result; the message names the file."""
