"""Repeated functions: formulas of one link, spring or constraint that a mechanism has many times."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from gyrostat.scalar.tape import Tape

P = ParamSpec("P")
R = TypeVar("R")
Record = TypeVar("Record", bound=tuple[object, ...])

_RECURRING_TYPES = set[type]()


class _Active(threading.local):
    tape: Tape | None = None


_ACTIVE_TAPE = _Active()


def active_tape() -> Tape | None:
    """Return the tape on which this thread records, if it does."""
    return _ACTIVE_TAPE.tape


def repeated(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a pure function of scalars that a mechanism repeats; while instructions are recorded, a call is one of them.

    Its arguments are scalars, and tuples and records of scalars; anything else in them is part of its pattern.
    """

    @wraps(function)
    def recorded(*arguments: P.args, **options: P.kwargs) -> R:
        tape = _ACTIVE_TAPE.tape
        if tape is None:
            return function(*arguments, **options)
        assert not options, "arguments of repeated functions are given by position"
        result: R = tape.call(function, arguments)
        return result

    return recorded


def recurring(kind: type[Record]) -> type[Record]:
    """Mark a class of named tuples each of which is an argument of several calls: while recorded, it is read once."""
    _RECURRING_TYPES.add(kind)
    return kind


def is_recurring(kind: type) -> bool:
    """Tell whether a class of records is marked as `recurring`."""
    return kind in _RECURRING_TYPES


@contextmanager
def recording(tape: Tape | None) -> Iterator[None]:
    """Context manager within which calls of repeated functions are entered on a tape; with None they are not."""
    before = _ACTIVE_TAPE.tape
    _ACTIVE_TAPE.tape = tape
    try:
        yield
    finally:
        _ACTIVE_TAPE.tape = before
