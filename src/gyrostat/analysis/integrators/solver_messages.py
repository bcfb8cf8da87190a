"""Messages of SUNDIALS on standard output, which its callers turn into errors of their own."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_MESSAGE = re.compile(r"\s*\[\w+, Error: -?\d+\].*\s*", re.DOTALL)
"""Messages that SUNDIALS prints."""


class _WithoutMessages:
    """A stream without the messages of the solver of one thread, and the line ends that follow them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._thread, self._dropped = stream, threading.get_ident(), False

    def write(self, text: str) -> int:
        if threading.get_ident() == self._thread:
            if _MESSAGE.fullmatch(text):
                self._dropped = True
                return len(text)
            if self._dropped and text == "\n":
                self._dropped = False
                return len(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def without_solver_messages() -> Iterator[None]:
    """Suppress messages of SUNDIALS on standard output; other output, such as that of input functions, is kept."""
    before = sys.stdout
    if before is None:
        yield
        return
    sys.stdout = _WithoutMessages(before)
    try:
        yield
    finally:
        sys.stdout = before
