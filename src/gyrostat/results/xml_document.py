"""XML files from any source: elements, with limits on their number, depth and size; no document types, no entities."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

from gyrostat.errors import ModelFileError
from gyrostat.results.file_content import file_text, refusal

ELEMENT_LIMIT: Final = 200_000
ATTRIBUTE_LIMIT: Final = 100
LONGEST_ATTRIBUTE: Final = 100_000
NESTING_LIMIT: Final = 100


def read_xml(path: str | os.PathLike[str], *, text: bool = False) -> ElementTree.Element:
    """Return the root element of a file, with `text` within elements or without it.

    Raise `ModelFileError` if the file is not XML, or exceeds a limit.
    """
    file = Path(path)
    content = file_text(file)
    for declaration in ("<!DOCTYPE", "<!ENTITY"):
        if declaration in content:
            remedy = "Document types and entities are refused, as they can make files of any size; remove them."
            raise refusal(file, f"it contains {declaration}.", remedy)
    parser = ElementTree.XMLParser(target=_Builder(file, text))
    try:
        parser.feed(content.lstrip())
        root: ElementTree.Element = parser.close()
    except ElementTree.ParseError as error:
        raise refusal(file, f"it is not XML: {error}.", "Check its tags and quotes.") from None
    return root


class _Builder:
    """A builder of elements that counts them."""

    def __init__(self, file: Path, text: bool) -> None:
        self._file, self._text = file, text
        self._tree = ElementTree.TreeBuilder()
        self._depth = self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> Any:
        """Begin an element."""
        self._depth += 1
        self._count += 1
        if self._depth > NESTING_LIMIT:
            raise self._too_large(f"elements are nested more than {NESTING_LIMIT} levels deep.")
        if self._count > ELEMENT_LIMIT:
            raise self._too_large(f"it has more than {ELEMENT_LIMIT:,} elements.")
        if len(attributes) > ATTRIBUTE_LIMIT or any(len(text) > LONGEST_ATTRIBUTE for text in attributes.values()):
            raise self._too_large(f"element <{tag:.40}> has too many or too long attributes.")
        return self._tree.start(tag, attributes)

    def end(self, tag: str) -> Any:
        """End an element."""
        self._depth -= 1
        return self._tree.end(tag)

    def data(self, text: str) -> None:
        """Take text in, where it is wanted."""
        if self._text:
            self._tree.data(text)

    def close(self) -> ElementTree.Element:
        """Return the root element."""
        return self._tree.close()

    def _too_large(self, fact: str) -> ModelFileError:
        return refusal(self._file, fact, "Is this the right file?")
