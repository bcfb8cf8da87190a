"""Exceptions of the package: each names the item, states the fact and gives the remedy.

A `Fault` is one finding. Exceptions carry all faults that were found in one run, so that a user mends a model once.
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

    `item` says what it is about ("joint 'a1'"), `fact` what is wrong, `remedy` what to do. `path` leads to the
    faulty value inside the item (("points", "tip", 1)); `position` is where that stands in a model file, if it does.
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
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


_MOST_SHOWN = 40
"""How many faults a message prints; all of them are in the exception."""


class GyrostatError(Exception):
    """The base of all exceptions that the package raises on purpose."""


class ModelError(GyrostatError):
    """A model, or a file that describes one, has faults; `faults` lists all of them."""

    def __init__(self, faults: Fault | Iterable[Fault], heading: str = "") -> None:
        self.faults: tuple[Fault, ...] = (faults,) if isinstance(faults, Fault) else tuple(faults)
        self.heading = heading
        lines = [str(fault) for fault in self.faults[:_MOST_SHOWN]]
        if len(self.faults) > _MOST_SHOWN:
            lines.append(f"… and {len(self.faults) - _MOST_SHOWN} more faults.")
        if heading:
            lines = [heading, *("  " + line for line in lines)]
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[type[ModelError], tuple[tuple[Fault, ...], str]]:
        return (type(self), (self.faults, self.heading))


class FormulaError(ModelError):
    """A formula cannot be read, or means nothing where it stands."""


class ModelFileError(ModelError):
    """A model file cannot be read at all: missing, not text, not YAML or JSON, or over the limits."""


class TopologyError(GyrostatError):
    """A graph, or a choice of tree on it, is not possible; the message names vertices and edges."""


class ProgramError(GyrostatError):
    """An expression graph cannot be compiled or evaluated."""


class StateError(GyrostatError):
    """A state, input or parameter value given to a system does not fit it."""
