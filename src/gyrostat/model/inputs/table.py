"""Tables: functions of time given by values at times, with interpolation between them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from os import PathLike
from typing import Any, TypeAlias, cast

import numpy as np

from gyrostat.errors import StateError
from gyrostat.model.inputs.csv_columns import read_columns

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


class Interpolation(Enum):
    """Interpolation of a table between its times."""

    LINEAR = "linear"
    CUBIC = "cubic"
    """A cubic spline."""
    PREVIOUS = "previous"
    """The last value holds until the next."""


def of_numbers(times: object, values: object, interpolation: Interpolation | str = Interpolation.LINEAR) -> Table:
    """Return a table from rows of numbers, checked as `Table` checks them."""
    rows = (np.array(part, dtype=float) for part in (times, values))
    return Table(*rows, cast(Interpolation, interpolation))


@dataclass(frozen=True, eq=False)
class Table:
    """A function of time given by values at times; it must cover the whole simulation.

    >>> Table([0, 1, 2], [0, 5, 5]).at(0.5)
    array(2.5)
    """

    times: Floats
    values: Floats
    interpolation: Interpolation = Interpolation.LINEAR

    def __post_init__(self) -> None:
        times, values = (np.array(part, dtype=float) for part in (self.times, self.values))
        if times.ndim != 1 or times.shape != values.shape or not len(times):
            raise StateError(
                f"A table has times of shape {times.shape} and values of shape {values.shape}. Give two rows of equal "
                "length."
            )
        if not (np.isfinite(times).all() and np.isfinite(values).all()):
            raise StateError("A table has times or values that are not finite numbers. Remove or replace them.")
        if (np.diff(times) <= 0).any():
            place = int(np.argmax(np.diff(times) <= 0))
            raise StateError(
                f"A table's times must rise; {times[place]:g} is followed by {times[place + 1]:g}. Sort them, and give "
                "each time once."
            )
        object.__setattr__(self, "times", times)
        object.__setattr__(self, "values", values)
        try:
            object.__setattr__(self, "interpolation", Interpolation(self.interpolation))
        except ValueError:
            raise StateError(
                f"A table's interpolation is {self.interpolation!r}. Use 'linear', 'cubic' or 'previous'."
            ) from None

    @staticmethod
    def from_csv(
        path: str | PathLike[str], *, time: str, value: str, interpolation: Interpolation | str = Interpolation.LINEAR
    ) -> Table:
        """Return the table of two columns of a CSV file, by the names in its first line."""
        times, values = read_columns(path, (time, value))
        return Table(np.array(times), np.array(values), Interpolation(interpolation))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[bytes, bytes, Interpolation]:
        return self.times.tobytes(), self.values.tobytes(), self.interpolation

    @property
    def coefficients(self) -> Floats:
        """Polynomials in the time since each knot, shape (knots, 4); constant after the last."""
        found = np.zeros((len(self.times), 4))
        found[:, 0] = self.values
        if self.interpolation is Interpolation.LINEAR:
            found[:-1, 1] = np.diff(self.values) / np.diff(self.times)
        elif self.interpolation is Interpolation.CUBIC and len(self.times) > 2:
            from scipy.interpolate import CubicSpline

            found[:-1] = CubicSpline(self.times, self.values).c[::-1].T
        elif self.interpolation is Interpolation.CUBIC:
            return Table(self.times, self.values).coefficients
        return found

    def at(self, t: Any) -> Floats:
        """Return the values at times."""
        time = np.asarray(t, dtype=float)
        piece = np.clip(np.searchsorted(self.times, time, side="right") - 1, 0, None)
        s = np.maximum(time - self.times[piece], 0.0)
        c = self.coefficients[piece]
        value: Floats = np.asarray(c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3])))
        return value
