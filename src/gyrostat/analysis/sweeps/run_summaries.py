"""Summaries of runs: one number of its events, or of how it ended."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.status import Status


class RunSummary(ABC):
    """A summary of a run as a whole: of its events, or of how it ended."""

    unit: ClassVar[str] = ""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the variable, unless it is given another."""

    @property
    @abstractmethod
    def description(self) -> str:
        """What it is."""

    @abstractmethod
    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the summary."""


@dataclass(frozen=True)
class EventTime(RunSummary):
    """The time at which an event happened first; not-a-number where it did not. Of several events, the first."""

    unit: ClassVar[str] = "s"
    events: tuple[str, ...]

    def __init__(self, *events: str) -> None:
        object.__setattr__(self, "events", events)

    @property
    def name(self) -> str:
        """The event's name, in words."""
        return f"time({','.join(self.events)})"

    @property
    def description(self) -> str:
        """What it is."""
        return f"time of the first {' or '.join(self.events)}"

    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the time."""
        return min((one.time for one in occurrences if one.event in self.events), default=np.nan)


@dataclass(frozen=True)
class EventCount(RunSummary):
    """How often an event happened."""

    unit: ClassVar[str] = "1"
    event: str

    @property
    def name(self) -> str:
        """The event's name, in words."""
        return f"count({self.event})"

    @property
    def description(self) -> str:
        """What it is."""
        return f"number of times that {self.event} happened"

    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the number."""
        return float(sum(one.event == self.event for one in occurrences))


@dataclass(frozen=True)
class EndTime(RunSummary):
    """The time at which the run ended: the duration, or earlier where an event stopped it."""

    unit: ClassVar[str] = "s"

    @property
    def name(self) -> str:
        """The end."""
        return "end"

    @property
    def description(self) -> str:
        """What it is."""
        return "time at which the run ended"

    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the time."""
        return status.time
