"""JSON reader that records positions, and writer. Python's decoder reads the scalars only."""

from __future__ import annotations

import bisect
import json
import re
from typing import Any

from gyrostat.errors import Fault, ModelFileError, Position
from gyrostat.model.documents.document import (
    LONGEST_NUMBER,
    Document,
    Node,
    check_depth,
    check_length,
    check_size,
    size_of_text,
    twice,
)

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?")


def read_json(text: str, name: str = "") -> Document:
    """Read JSON text; raise `ModelFileError` with the position if it is not JSON or exceeds a size limit."""
    check_length(text)
    reader = _Reader(text)
    reader.skip()
    if reader.at == len(text):
        raise ModelFileError(Fault("", "the file is empty.", 'A model file begins with {"gyrostat": 1, …}.'))
    root = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.fault("there is text after the end of the model.")
    return Document(root, name, tuple(reader.faults))


class _Reader:
    """Recursive-descent parser; `at` is the index of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.faults: list[Fault] = []
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._decode = json.JSONDecoder().raw_decode
        self._size = 0

    def value(self, depth: int) -> Node:
        """Read one value; the nesting limit bounds the recursion."""
        self.skip()
        line = bisect.bisect_right(self._lines, self.at)
        column = self.at - self._lines[line - 1] + 1
        check_depth(depth, line, column)
        opening = self.text[self.at : self.at + 1]
        if opening == "{":
            content: Any = self._members(depth)
        elif opening == "[":
            content = self._items(depth)
        else:
            content = self._scalar()
        self._size += size_of_text(content) if isinstance(content, str) else 1
        check_size(self._size, line, column)
        return Node(content, line, column)

    def _members(self, depth: int) -> dict[str, Node]:
        members: dict[str, Node] = {}
        self.at += 1
        first = True
        while not self._closes("}", first=first):
            first = False
            position = self.position()
            if self.text[self.at : self.at + 1] != '"':
                raise self.fault("a key in double quotes is expected here.")
            key: str = self._scalar()
            self._expect(":")
            member = self.value(depth + 1)
            if key in members:
                self.faults.append(twice(key, position))
            else:
                members[key] = member
        return members

    def _items(self, depth: int) -> list[Node]:
        items: list[Node] = []
        self.at += 1
        while not self._closes("]", first=not items):
            items.append(self.value(depth + 1))
        return items

    def _closes(self, bracket: str, *, first: bool) -> bool:
        """Consume the closing bracket, or the comma before the next entry."""
        self.skip()
        if self.text[self.at : self.at + 1] == bracket:
            self.at += 1
            return True
        if not first:
            self._expect(",")
            self.skip()
        return False

    def _scalar(self) -> Any:
        number = _NUMBER.match(self.text, self.at)
        if number and number.end() - self.at > LONGEST_NUMBER:
            raise self.fault(f"a number has {number.end() - self.at} digits.")
        try:
            content, self.at = self._decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.at = error.pos
            fact = error.msg.removesuffix(" at")
            raise self.fault(fact[:1].lower() + fact[1:] + ".") from None
        return content

    def _expect(self, character: str) -> None:
        self.skip()
        if self.text[self.at : self.at + 1] != character:
            raise self.fault(f"{character!r} is expected here.")
        self.at += 1

    def skip(self) -> None:
        """Skip white space."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def position(self) -> Position:
        """Return line and column of the next character."""
        line = bisect.bisect_right(self._lines, self.at)
        return Position(line, self.at - self._lines[line - 1] + 1)

    def fault(self, fact: str) -> ModelFileError:
        """Return an error at the next character."""
        return ModelFileError(
            Fault("", f"this is not JSON: {fact}", "Check brackets, commas and quotes.", (), self.position())
        )


def write_json(data: dict[str, Any]) -> str:
    """Return JSON text."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
