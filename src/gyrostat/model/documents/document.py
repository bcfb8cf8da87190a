"""Text files of plain data that remember where each value stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gyrostat.errors import Fault, ModelFileError, Position

MOST_BYTES: Final = 8_000_000
MOST_NODES: Final = 400_000
DEEPEST: Final = 24
LONGEST_NUMBER: Final = 400


@dataclass(slots=True)
class Node:
    """A value in a file: a scalar, a list of nodes or a mapping from text to nodes, with its place and size."""

    content: Any
    line: int
    column: int
    size: int = 1

    def plain(self) -> Any:
        """Return the value without places."""
        if isinstance(self.content, list):
            return [node.plain() for node in self.content]
        if isinstance(self.content, dict):
            return {key: node.plain() for key, node in self.content.items()}
        return self.content


@dataclass(frozen=True)
class Document:
    """A file that has been read: its plain data and the places of its parts."""

    root: Node
    name: str = ""

    @property
    def data(self) -> Any:
        """The plain data."""
        return self.root.plain()

    def position(self, path: Sequence[str | int]) -> Position:
        """Return the place of the value at a path, or of the innermost part on the way that exists."""
        node = self.root
        for step in path:
            content = node.content
            if isinstance(content, dict) and step in content:
                node = content[step]
                continue
            if not isinstance(content, list) or not isinstance(step, int) or step >= len(content):
                break
            node = content[step]
        return Position(node.line, node.column)


def too_large(fact: str, position: Position | None = None) -> ModelFileError:
    """Return the error for a file over the limits."""
    return ModelFileError(Fault("", fact, "Model files are much smaller; is this the right file?", (), position))


def check_size(size: int, position: Position) -> None:
    """Refuse more values than a model can sensibly have; aliases count as often as they are used."""
    if size > MOST_NODES:
        raise too_large(f"the file holds more than {MOST_NODES:,} values once its aliases are written out.", position)


def check_depth(depth: int, position: Position) -> None:
    """Refuse nesting deeper than any model needs."""
    if depth > DEEPEST:
        raise too_large(f"lists and mappings are nested more than {DEEPEST} deep.", position)
