"""Documents of plain data that record the position of each value in the text file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gyrostat.errors import Fault, ModelFileError, Position

BYTE_LIMIT: Final = 8_000_000
NODE_LIMIT: Final = 400_000
SEPARATOR_LIMIT: Final = 1_000_000
NESTING_LIMIT: Final = 100
LONGEST_NUMBER: Final = 400
TEXT_PER_NODE: Final = 20


@dataclass(slots=True)
class Node:
    """A value in a file: a scalar, a list of nodes or a mapping from text to nodes, with its position and size."""

    content: Any
    line: int
    column: int
    size: int = 1

    def plain(self) -> Any:
        """Return the value without positions."""
        if isinstance(self.content, list):
            return [node.plain() for node in self.content]
        if isinstance(self.content, dict):
            return {key: node.plain() for key, node in self.content.items()}
        return self.content


@dataclass(frozen=True)
class Document:
    """The contents of a file: plain data, positions of its parts, and duplicate keys."""

    root: Node
    name: str = ""
    faults: tuple[Fault, ...] = ()

    @property
    def data(self) -> Any:
        """The plain data."""
        return self.root.plain()

    def within(self, path: Sequence[str | int]) -> Document:
        """Return the value at a path as a document of its own, with positions in the same file."""
        *_, node = self._way(path)
        return Document(node, self.name)

    def position(self, path: Sequence[str | int]) -> Position:
        """Return the position of the value at a path, or of the innermost existing part of the path."""
        *_, node = self._way(path)
        return Position(node.line, node.column)

    def holds(self, path: Sequence[str | int]) -> bool:
        """Return whether there is a value at a path."""
        return sum(1 for _ in self._way(path)) > len(path)

    def _way(self, path: Sequence[str | int]) -> Iterator[Node]:
        """Yield the nodes along a path from the root, as far as it exists."""
        node = self.root
        yield node
        for step in path:
            content = node.content
            if isinstance(content, dict):
                inner = content.get(step)
            else:
                inside = isinstance(content, list) and isinstance(step, int) and step < len(content)
                inner = content[step] if inside else None
            if inner is None:
                return
            node = inner
            yield node


def too_large(fact: str, position: Position | None = None) -> ModelFileError:
    """Return the error for a file that exceeds a size limit."""
    return ModelFileError(Fault("", fact, "Model files are much smaller; is this the right file?", (), position))


def twice(key: str, position: Position) -> Fault:
    """Return the fault for a duplicate key in a mapping."""
    return Fault("", f"the key {key!a:.60} occurs twice.", "Keep one of them; names are unique.", (), position)


def size_of_text(text: str) -> int:
    """Return the size of a scalar in nodes; long text counts as several."""
    return 1 + len(text) // TEXT_PER_NODE


def check_length(text: str) -> None:
    """Refuse text with too many commas and line ends, before it is parsed."""
    separators = text.count(",") + text.count("\n")
    if separators > SEPARATOR_LIMIT:
        raise too_large(f"the file has more than {SEPARATOR_LIMIT:,} commas and lines.")


def check_size(size: int, line: int, column: int) -> None:
    """Refuse a document with too many values; an aliased value counts once per use."""
    if size > NODE_LIMIT:
        raise too_large(
            f"the file holds more than {NODE_LIMIT:,} values after expansion of its aliases.", Position(line, column)
        )


def check_depth(depth: int, line: int, column: int) -> None:
    """Refuse nesting beyond the limit."""
    if depth > NESTING_LIMIT:
        raise too_large(f"lists and mappings are nested more than {NESTING_LIMIT} levels deep.", Position(line, column))
