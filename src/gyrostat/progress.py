"""Progress of long computations: a line on a terminal, or calls of a user's function.

`rich` draws the line. It is imported only when a line appears: on a terminal, after a second.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0
"""Seconds before a line appears on a terminal."""
INTERVAL = 0.1
"""Least seconds between two reports."""

Fraction: TypeAlias = Callable[[float], None]
"""A function that is called with the fraction done, from 0 to 1."""


class Pace:
    """Limits reports to one in `INTERVAL` seconds, after a delay."""

    def __init__(self, delay: float = 0.0) -> None:
        self._next = time.perf_counter() + delay

    def due(self) -> bool:
        """Return whether a report is due; if so, begin the next interval."""
        now = time.perf_counter()
        if now < self._next:
            return False
        self._next = now + INTERVAL
        return True


class TerminalLine:
    """Line on the terminal with a text and, where the fraction done is known, a bar; `close` removes it."""

    def __init__(self, *, forced: bool = False) -> None:
        self._pace, self._forced = Pace(PATIENCE), forced
        self._bar: Bar | None = None

    def show(self, text: object, fraction: float | None = None) -> None:
        """Show a text, and the fraction done; calls in quick succession have no effect."""
        if not self._pace.due():
            return
        if self._bar is None:
            self._bar = _bar(self._forced)
            self._bar.add_task("")
            self._bar.start()
        total = None if fraction is None else 1.0
        self._bar.update(self._bar.task_ids[0], description=str(text), total=total, completed=fraction or 0.0)
        self._bar.refresh()

    def close(self) -> None:
        """Remove the line."""
        if self._bar is not None:
            self._bar.stop()


@contextmanager
def terminal_line() -> Iterator[Callable[[object], None] | None]:
    """Context manager yielding a callback that shows a text on the terminal; None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    line = TerminalLine()
    try:
        yield line.show
    finally:
        line.close()


def time_progress(
    start: float, end: float, progress: Fraction | bool | None
) -> AbstractContextManager[Fraction | None]:
    """Context manager yielding a callback for the simulated time reached, or None.

    A function `progress` gets the fraction done, at most once in `INTERVAL` seconds, and 1 at the end. Otherwise a line
    appears on the terminal, if there is one and `progress` is not False.
    """
    if callable(progress):
        return _calls(start, end, progress)
    if progress is False or not sys.stderr.isatty():
        return nullcontext()
    return _line(start, end)


@contextmanager
def _calls(start: float, end: float, progress: Fraction) -> Iterator[Fraction]:
    span, pace = max(end - start, 1e-300), Pace()
    yield lambda t: progress((t - start) / span) if pace.due() else None
    progress(1.0)


@contextmanager
def _line(start: float, end: float) -> Iterator[Fraction]:
    span, began, line = max(end - start, 1e-300), time.perf_counter(), TerminalLine()

    def show(t: float) -> None:
        done = (t - start) / span
        left = (time.perf_counter() - began) * (1.0 - done) / done if done > 0.0 else float("inf")
        remaining = f", {duration_text(left)} left" if left < 1e6 else ""
        line.show(f"simulating: t = {t:.6g} of {end:g} s, {100 * done:.0f} %{remaining}", done)

    try:
        yield show
    finally:
        line.close()


def duration_text(seconds: float) -> str:
    """Return a duration in its two largest units.

    >>> duration_text(8.4), duration_text(75), duration_text(7300)
    ('8 s', '1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _bar(forced: bool) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        console=Console(stderr=True, force_terminal=True if forced else None),
        transient=True,
        auto_refresh=False,
        redirect_stdout=False,
        redirect_stderr=False,
    )
