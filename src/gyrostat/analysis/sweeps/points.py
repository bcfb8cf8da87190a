"""Points of a sweep: their values, results and failures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]
"""Arrays of values by name, one entry per point: numbers, or texts of formulas."""


@dataclass(frozen=True)
class PointValues:
    """The swept values of one point by name: parameters, initial values and inputs."""

    parameters: Mapping[str, float] = field(default_factory=dict)
    initial: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, Any] = field(default_factory=dict)


class PointStatus(IntEnum):
    """The state of a point; the numbers are the values of the variable `status`."""

    NOT_RUN = 0
    DONE = 1
    FAILED = 2


@dataclass(frozen=True, eq=False)
class Points:
    """Points number `start` to `stop` (not included) of a sweep, with their values."""

    start: int
    columns: Columns
    count: int

    @property
    def stop(self) -> int:
        """One past the number of the last point."""
        return self.start + self.count

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for i in range(self.count):
            yield self.at(i)

    def at(self, place: int) -> dict[str, Any]:
        """Return the values of one point by name."""
        return {name: column[place].item() for name, column in self.columns.items()}

    def part(self, first: int, last: int) -> Points:
        """Return a range of these points."""
        return Points(
            self.start + first, {name: column[first:last] for name, column in self.columns.items()}, last - first
        )

    def halves(self) -> tuple[Points, Points]:
        """Return the first and the second half."""
        middle = self.count // 2
        return self.part(0, middle), self.part(middle, self.count)


@dataclass(frozen=True, eq=False)
class Piece:
    """Results of consecutive points: variables by name, (points, own shape), status, and reasons for failures."""

    start: int
    values: Mapping[str, NDArray[Any]]
    status: NDArray[np.int8]
    reasons: Mapping[int, str] = field(default_factory=dict)
    """Reasons for failures, and notes on points that are done, by the number of the point."""
    seconds: float = 0.0
    """Computing time."""

    @property
    def stop(self) -> int:
        """One past the number of the last point."""
        return self.start + len(self.status)

    @property
    def failed(self) -> int:
        """Number of failed points."""
        return int((self.status == PointStatus.FAILED).sum())

    @staticmethod
    def joined(pieces: list[Piece]) -> Piece:
        """Join consecutive pieces."""
        if len(pieces) == 1:
            return pieces[0]
        ordered = sorted(pieces, key=lambda piece: piece.start)
        values = {name: np.concatenate([one.values[name] for one in ordered]) for name in ordered[0].values}
        reasons = {number: text for one in ordered for number, text in one.reasons.items()}
        return Piece(ordered[0].start, values, np.concatenate([one.status for one in ordered]), reasons)


def timed(solve: Callable[[Points], Piece], points: Points) -> Piece:
    """Return the piece of some points with its computing time."""
    began = time.perf_counter()
    piece = solve(points)
    return replace(piece, seconds=time.perf_counter() - began)


@dataclass(frozen=True)
class Failure:
    """A failed point: its number, its values by name, and the reason."""

    number: int
    values: Mapping[str, Any]
    reason: str

    def __str__(self) -> str:
        return f"{_described(self.number, self.values)}: {self.reason}"


@dataclass(frozen=True)
class PointNote:
    """A note on the result of a point that is done: its number, its values by name, and the text."""

    number: int
    values: Mapping[str, Any]
    text: str

    def __str__(self) -> str:
        return f"{_described(self.number, self.values)}: {self.text}"


def _described(number: int, values: Mapping[str, Any]) -> str:
    at = ", ".join(f"{name} = {_short(value)}" for name, value in values.items())
    return f"point {number} ({at})"


def _short(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
