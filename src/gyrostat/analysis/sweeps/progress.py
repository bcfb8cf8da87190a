"""Progress of a sweep: how far it is, how fast, how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

_INTERVAL = 0.2
_PATIENCE = 1.0
"""Seconds before a line appears on a terminal."""


@dataclass(frozen=True)
class SweepProgress:
    """How far a sweep is."""

    done: int
    """Points that are done or failed, with those that were there when it began."""
    total: int
    failed: int
    """Points that failed since it began."""
    reused: int
    """Points that were there when it began."""
    seconds: float

    @property
    def rate(self) -> float:
        """Points per second."""
        return (self.done - self.reused) / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float:
        """Seconds that the rest will take, infinite where nothing is known."""
        return (self.total - self.done) / self.rate if self.rate > 0 else float("inf")

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        left = "" if self.seconds_left == float("inf") else f", {_clock(self.seconds_left)} left"
        return f"{self.done} of {self.total} points{failed}, {self.rate:.3g}/s{left}"


Listener: TypeAlias = Callable[[SweepProgress], None]


class ProgressTeller:
    """Tells a function of the user's, or a line on a terminal, a few times a second how far a sweep is."""

    def __init__(self, progress: Listener | bool | None, total: int, reused: int) -> None:
        self._listener = progress if callable(progress) else None
        self._line = self._listener is None and progress is not False and (progress or sys.stderr.isatty())
        self._total, self._reused, self._done, self._failed = total, reused, reused, 0
        self._began = self._told = time.perf_counter()
        self._shown = False

    def add(self, done: int, failed: int) -> None:
        """Count points that are done, some of them failed."""
        self._done, self._failed = self._done + done, self._failed + failed
        now = time.perf_counter()
        if now - self._told < _INTERVAL:
            return
        self._told = now
        if self._listener is not None:
            self._listener(self.state)
        elif self._line and now - self._began > _PATIENCE:
            sys.stderr.write(f"\r\x1b[Ksweep: {self.state}")
            sys.stderr.flush()
            self._shown = True

    @property
    def state(self) -> SweepProgress:
        """How far the sweep is now."""
        return SweepProgress(self._done, self._total, self._failed, self._reused, time.perf_counter() - self._began)

    def finish(self) -> None:
        """Tell a listener the last state, and take the line away."""
        if self._listener is not None:
            self._listener(self.state)
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _clock(seconds: float) -> str:
    """Return a duration as a reader wants it.

    >>> _clock(8.4), _clock(75), _clock(7300)
    ('8 s', '1 min 15 s', '2 h 1 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
