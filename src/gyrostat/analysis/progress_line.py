"""Progress of a long computation: a line on a terminal, or a function of the user's."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 1.0
"""Seconds before a line appears."""
_INTERVAL = 0.1


@contextmanager
def progress_line(
    start: float, end: float, progress: Callable[[float], None] | bool | None
) -> Iterator[Callable[[float], None] | None]:
    """Yield a function that is told the time reached; None where nobody wants to know.

    A function of the user's gets the fraction done, from 0 to 1, at most ten times a second, and 1 at the end.
    """
    span = max(end - start, 1e-300)
    if callable(progress):
        last = [0.0]

        def tell(t: float) -> None:
            now = time.perf_counter()
            if now - last[0] >= _INTERVAL:
                last[0] = now
                progress((t - start) / span)

        yield tell
        progress(1.0)
        return
    if progress is False or not sys.stderr.isatty():
        yield None
        return
    began, shown = time.perf_counter(), [0.0]

    def show(t: float) -> None:
        now = time.perf_counter()
        if now - began < _PATIENCE or now - shown[0] < _INTERVAL:
            return
        shown[0] = now
        done = (t - start) / span
        left = (now - began) * (1.0 - done) / done if done > 0.0 else float("inf")
        remaining = f", {left:.0f} s left" if left < 1e6 else ""
        sys.stderr.write(f"\r\x1b[Ksimulating: t = {t:.6g} of {end:g} s, {100 * done:.0f} %{remaining}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if shown[0]:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
