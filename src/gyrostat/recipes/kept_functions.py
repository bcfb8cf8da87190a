"""Programs of functions that belong to no system, such as those of contact laws; the last ones are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from gyrostat.program import Program, load_or_compile


@dataclass(frozen=True)
class FunctionSource:
    """A function: the text that determines it, and how it is traced."""

    text: str
    trace: Callable[[], Any] = field(compare=False)


@lru_cache(maxsize=128)
def kept_program(source: FunctionSource) -> Program:
    """Return the program of a function; those of the last ones are kept."""
    return load_or_compile(source.text, source.trace)
