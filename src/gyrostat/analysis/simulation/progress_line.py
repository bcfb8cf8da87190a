"""Progress of a long computation: a line on a terminal, or a function of the user's."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeAlias

_PATIENCE = 1.0
"""Seconds before a line appears."""
_INTERVAL = 0.1


Told: TypeAlias = Callable[[float], None]
"""Is told the time reached, or the fraction done."""

_NOBODY: AbstractContextManager[None] = nullcontext()


def progress_line(start: float, end: float, progress: Told | bool | None) -> AbstractContextManager[Told | None]:
    """Return what gives a function that is told the time reached; None where nobody wants to know.

    A function of the user's gets the fraction done, from 0 to 1, at most ten times a second, and 1 at the end.
    """
    if callable(progress):
        return _told(start, end, progress)
    return _NOBODY if progress is False or not sys.stderr.isatty() else _shown(start, end)


@contextmanager
def _told(start: float, end: float, progress: Told) -> Iterator[Told]:
    last, span = 0.0, _span(start, end)

    def tell(t: float) -> None:
        nonlocal last
        now = time.perf_counter()
        if now - last >= _INTERVAL:
            last = now
            progress((t - start) / span)

    yield tell
    progress(1.0)


@contextmanager
def _shown(start: float, end: float) -> Iterator[Told]:
    span = _span(start, end)
    began, shown = time.perf_counter(), 0.0

    def show(t: float) -> None:
        nonlocal shown
        now = time.perf_counter()
        if now - began < _PATIENCE or now - shown < _INTERVAL:
            return
        shown = now
        done = (t - start) / span
        left = (now - began) * (1.0 - done) / done if done > 0.0 else float("inf")
        remaining = f", {left:.0f} s left" if left < 1e6 else ""
        sys.stderr.write(f"\r\x1b[Ksimulating: t = {t:.6g} of {end:g} s, {100 * done:.0f} %{remaining}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _span(start: float, end: float) -> float:
    return max(end - start, 1e-300)
