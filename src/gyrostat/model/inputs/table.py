"""Tables: functions of time given by values at times, with interpolation between them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from os import PathLike
from typing import Any, TypeAlias, cast

import numpy as np

from gyrostat.errors import StateError
from gyrostat.model.inputs.csv_columns import read_columns
from gyrostat.once import cached_property

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]


class Interpolation(Enum):
    """Interpolation of a table between its times."""

    LINEAR = "linear"
    CUBIC = "cubic"
    """A cubic spline: values, rates and accelerations are continuous."""
    QUINTIC = "quintic"
    """A spline of fifth order: the next two derivatives are continuous as well."""
    PREVIOUS = "previous"
    """The last value holds until the next."""


def of_numbers(times: object, values: object, interpolation: Interpolation | str = Interpolation.LINEAR) -> Table:
    """Return a table from rows of numbers, checked as `Table` checks them."""
    return Table(np.array(times, dtype=float), np.array(values, dtype=float), cast(Interpolation, interpolation))


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
                f"A table's interpolation is {self.interpolation!r}. Use 'linear', 'cubic', 'quintic' or 'previous'."
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

    def moved(self, delay: float) -> Table:
        """Return the table whose values come later by a delay."""
        return Table(self.times + delay, self.values, self.interpolation)

    @property
    def smooth(self) -> bool:
        """Whether accelerations are continuous, as those of a driver must be."""
        return self.interpolation in (Interpolation.CUBIC, Interpolation.QUINTIC)

    @property
    def continuous(self) -> bool:
        """Whether values are continuous."""
        return self.interpolation is not Interpolation.PREVIOUS or len(self.times) == 1

    @cached_property
    def coefficients(self) -> Floats:
        """Polynomials in the time since each knot, shape (knots, order + 1, at least 4); constant after the last."""
        if self.smooth:
            return _spline(self.times, self.values, 5 if self.interpolation is Interpolation.QUINTIC else 3)
        found = np.zeros((len(self.times), 4))
        found[:, 0] = self.values
        if self.interpolation is Interpolation.LINEAR:
            found[:-1, 1] = np.diff(self.values) / np.diff(self.times)
        return found

    def derivative(self, order: int) -> Floats:
        """Return the coefficients of a derivative, in the shape of those of the table; zero after the last knot."""
        found = self.coefficients
        for _ in range(order):
            powers = np.arange(1, found.shape[1])
            found = np.hstack((found[:, 1:] * powers, np.zeros((len(found), 1))))
        return found

    def at(self, t: Any, derivative: int = 0) -> Floats:
        """Return the values, or those of a derivative, at times; at the last knot the derivative before it."""
        time = np.asarray(t, dtype=float)
        piece = np.clip(np.searchsorted(self.times, time, side="right") - 1, 0, None)
        if derivative:
            piece = np.where(time == self.times[-1], max(len(self.times) - 2, 0), piece)
        s = np.maximum(time - self.times[piece], 0.0)
        c = self.derivative(derivative)[piece]
        value: Floats = c[..., -1]
        for k in reversed(range(c.shape[-1] - 1)):
            value = value * s + c[..., k]
        return np.asarray(value)


def _spline(times: Floats, values: Floats, order: int) -> Floats:
    """Return the coefficients of an interpolating spline, of lower order where there are few knots."""
    from scipy.interpolate import CubicSpline, make_interp_spline

    found = np.zeros((len(times), order + 1))
    found[:, 0] = values
    if len(times) == 1:
        return found
    if len(times) == 2:
        found[0, 1] = (values[1] - values[0]) / (times[1] - times[0])
        return found
    if order == 3 or len(times) <= order:
        found[:-1, :4] = CubicSpline(times, values).c[::-1].T
        return found
    whole = make_interp_spline(times, values, order)
    for k in range(order + 1):
        found[:-1, k] = whole(times[:-1], k) / math.factorial(k)
    return found
