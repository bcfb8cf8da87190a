"""The contract of an analysis that a sweep makes at every point."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece, Points, PointStatus
from gyrostat.analysis.sweeps.targets import Targets
from gyrostat.system import System

Solver: TypeAlias = Callable[[Points], Piece]
"""Does an analysis at some points. Whatever happens at one of them is written down, not raised."""


class SweepAnalysis(ABC):
    """An analysis as a record of its settings, which can be sent to other processes.

    `layout` says beforehand what every point gives; `solver` is asked for once in every process. Where points are
    independent of each other, a subclass of `PointAnalysis` is shorter.
    """

    @abstractmethod
    def layout(self, system: System, targets: Targets, probes: Iterable[Points]) -> Layout:
        """Return what every point gives; refuse settings that do not fit the system. `probes` are the first points."""

    @abstractmethod
    def solver(self, system: System, targets: Targets, layout: Layout) -> Solver:
        """Return the function that does the analysis at some points."""

    def runs_foreign_code(self) -> bool:
        """Tell whether functions of the user are called: these are kept out of this process if others do the work."""
        return True

    @abstractmethod
    def plain(self) -> Any:
        """Return the settings as plain data, by which a sweep is recognised when it is resumed."""


@dataclass
class PieceBuilder:
    """A piece as it grows, point by point."""

    points: Points
    layout: Layout

    def __post_init__(self) -> None:
        self.values = self.layout.nothing(self.points.count)
        self.status = np.full(self.points.count, PointStatus.DONE, dtype=np.int8)
        self.reasons: dict[int, str] = {}

    def fail(self, place: int, reason: str) -> None:
        """Write down that a point failed; its values are not-a-number."""
        self.status[place] = PointStatus.FAILED
        self.reasons[self.points.start + place] = reason
        for values in self.values.values():
            values[place] = np.nan

    def piece(self) -> Piece:
        """Return the piece."""
        return Piece(self.points.start, self.values, self.status, self.reasons)
