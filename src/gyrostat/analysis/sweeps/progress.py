"""Progress of a sweep: points done and failed, rate, time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.progress import Pace, TerminalLine, duration_text


@dataclass(frozen=True)
class SweepProgress:
    """The progress of a sweep."""

    done: int
    """Points that are done or failed, including those of the store at the start."""
    total: int
    failed: int
    """Points that failed since the start."""
    reused: int
    """Points of the store at the start."""
    seconds: float

    @property
    def rate(self) -> float:
        """Points per second."""
        return (self.done - self.reused) / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float:
        """Estimated remaining time (s); infinite without an estimate."""
        return (self.total - self.done) / self.rate if self.rate > 0 else float("inf")

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        left = "" if self.seconds_left == float("inf") else f", {duration_text(self.seconds_left)} left"
        return f"{self.done} of {self.total} points{failed}, {self.rate:.3g}/s{left}"


Listener: TypeAlias = Callable[[SweepProgress], None]


class ProgressTeller:
    """Reports the progress of a sweep to a function of the user, or by a line on a terminal."""

    def __init__(self, progress: Listener | bool | None, total: int, reused: int) -> None:
        self._listener = progress if callable(progress) else None
        shown = self._listener is None and progress is not False and (progress or sys.stderr.isatty())
        self._line = TerminalLine(forced=progress is True) if shown else None
        self._total, self._reused, self._done, self._failed = total, reused, reused, 0
        self._began, self._pace = time.perf_counter(), Pace()

    def add(self, done: int, failed: int) -> None:
        """Count points that are done, some of them failed."""
        self._done, self._failed = self._done + done, self._failed + failed
        if self._line is not None:
            self._line.show(self, self._done / self._total)
        elif self._listener is not None and self._pace.due():
            self._listener(self.state)

    @property
    def state(self) -> SweepProgress:
        """The present progress."""
        return SweepProgress(self._done, self._total, self._failed, self._reused, time.perf_counter() - self._began)

    def __str__(self) -> str:
        return f"sweep: {self.state}"

    def finish(self) -> None:
        """Report the last state to a listener, or remove the line."""
        if self._listener is not None:
            self._listener(self.state)
        if self._line is not None:
            self._line.close()
