"""Summaries of a run: of an output over time, or of the run itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.status import Status
from gyrostat.coordinates.arguments import Floats


@dataclass(frozen=True)
class OutputSummary(ABC):
    """A summary of one output over the output times of a run; vectors are summarised component by component."""

    word: ClassVar[str]
    """The word for the summary in names of variables and on the command line."""
    phrase: ClassVar[str]
    """The description of the summary."""
    whole: ClassVar[bool] = True
    """Whether it needs the values at all output times, not only the last."""
    output: str

    @property
    def name(self) -> str:
        """The default name of the variable."""
        return f"{self.word}({self.output})"

    @abstractmethod
    def of(self, times: Floats, values: Floats) -> Floats:
        """Return the summaries of runs, (runs, …), from values at times, (runs, times, …)."""


@dataclass(frozen=True)
class Last(OutputSummary):
    """The last value: at the end of the run, or at the event that stopped it."""

    word: ClassVar[str] = "last"
    phrase: ClassVar[str] = "last value of"
    whole: ClassVar[bool] = False

    def of(self, times: Floats, values: Floats) -> Floats:
        """Return the last values."""
        return values[:, -1]


@dataclass(frozen=True)
class Maximum(OutputSummary):
    """The largest value at the output times."""

    word: ClassVar[str] = "maximum"
    phrase: ClassVar[str] = "largest value of"

    def of(self, times: Floats, values: Floats) -> Floats:
        """Return the largest values."""
        return np.asarray(values.max(axis=1))


@dataclass(frozen=True)
class Minimum(OutputSummary):
    """The smallest value at the output times."""

    word: ClassVar[str] = "minimum"
    phrase: ClassVar[str] = "smallest value of"

    def of(self, times: Floats, values: Floats) -> Floats:
        """Return the smallest values."""
        return np.asarray(values.min(axis=1))


@dataclass(frozen=True)
class Mean(OutputSummary):
    """The mean over time, by the trapezoidal rule between output times."""

    word: ClassVar[str] = "mean"
    phrase: ClassVar[str] = "mean of"

    def of(self, times: Floats, values: Floats) -> Floats:
        """Return the means."""
        return _mean(times, values)


@dataclass(frozen=True)
class RootMeanSquare(OutputSummary):
    """The root of the mean square over time, by the trapezoidal rule between output times."""

    word: ClassVar[str] = "rms"
    phrase: ClassVar[str] = "root mean square of"

    def of(self, times: Floats, values: Floats) -> Floats:
        """Return the roots of mean squares."""
        return np.asarray(np.sqrt(_mean(times, values**2)))


def _mean(times: Floats, values: Floats) -> Floats:
    span = times[-1] - times[0]
    if span == 0.0:
        return values[:, -1]
    widths = np.diff(times).reshape(-1, *[1] * (values.ndim - 2))
    return np.asarray((0.5 * widths * (values[:, 1:] + values[:, :-1])).sum(axis=1) / span)


OUTPUT_SUMMARIES: dict[str, type[OutputSummary]] = {
    cls.word: cls for cls in (Last, Maximum, Minimum, Mean, RootMeanSquare)
}
"""Summaries of outputs by word."""


class RunSummary(ABC):
    """A summary of a run as a whole: of its events or its end."""

    unit: ClassVar[str] = ""

    @property
    @abstractmethod
    def name(self) -> str:
        """The default name of the variable."""

    @property
    @abstractmethod
    def description(self) -> str:
        """The description of the summary."""

    @abstractmethod
    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the summary."""


@dataclass(frozen=True)
class EventTime(RunSummary):
    """The time of the first occurrence of an event, or of several; NaN without an occurrence."""

    unit: ClassVar[str] = "s"
    events: tuple[str, ...]

    def __init__(self, *events: str) -> None:
        object.__setattr__(self, "events", events)

    @property
    def name(self) -> str:
        """The default name of the variable."""
        return f"time({','.join(self.events)})"

    @property
    def description(self) -> str:
        """The description of the summary."""
        return f"time of the first {' or '.join(self.events)}"

    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the time."""
        return min((one.time for one in occurrences if one.event in self.events), default=np.nan)


@dataclass(frozen=True)
class EventCount(RunSummary):
    """The number of occurrences of an event."""

    unit: ClassVar[str] = "1"
    event: str

    @property
    def name(self) -> str:
        """The default name of the variable."""
        return f"count({self.event})"

    @property
    def description(self) -> str:
        """The description of the summary."""
        return f"number of times that {self.event} happened"

    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the number."""
        return float(sum(one.event == self.event for one in occurrences))


@dataclass(frozen=True)
class EndTime(RunSummary):
    """The end time of the run: the duration, or earlier if an event stopped it."""

    unit: ClassVar[str] = "s"

    @property
    def name(self) -> str:
        """The default name of the variable."""
        return "end"

    @property
    def description(self) -> str:
        """The description of the summary."""
        return "time at which the run ended"

    def of(self, occurrences: Sequence[Occurrence], status: Status) -> float:
        """Return the time."""
        return status.time
