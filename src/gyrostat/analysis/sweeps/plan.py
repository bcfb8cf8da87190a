"""The plan of a sweep: its axes, and the grid of points."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.orientation import EulerAngles
from gyrostat.analysis.sweeps.designs import Design, Distribution
from gyrostat.analysis.sweeps.points import Columns, Points
from gyrostat.errors import FormulaError, StateError
from gyrostat.model.formula import Formula

SAMPLE = "sample"
"""The axis of samples of distributions."""
POINT = "point"
"""The axis of a list of points."""

_POINT_LIMIT = 10**9


@dataclass(frozen=True, eq=False)
class Axis:
    """One dimension of a sweep: values of one name, or of several names that vary together."""

    dim: str
    columns: Columns

    @property
    def size(self) -> int:
        """The length of the axis."""
        return len(next(iter(self.columns.values())))


@dataclass(frozen=True, eq=False)
class Plan:
    """All points of a sweep: the Cartesian product of its axes, the last axis fastest."""

    axes: tuple[Axis, ...]
    design: Design | None = None
    """The design of the axis of samples."""

    @staticmethod
    def of(over: object, design: Design | None = None) -> Plan:
        """Read the user's arguments: values and distributions by name, or a list of points."""
        if isinstance(over, Mapping):
            return _of_names(over, design)
        if isinstance(over, Sequence) and not isinstance(over, str):
            if design is not None:
                raise StateError("A list of points is swept as it is; points=… samples distributions. Leave it out.")
            return Plan((_listed_points(over),))
        raise StateError(
            f"A sweep is over {over!r:.60}. Give values by name, over={{'m2': [1, 2, 3]}}, or a list of points, "
            "over=[{'m2': 1}, {'m2': 2}]."
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names that are swept."""
        return tuple(name for axis in self.axes for name in axis.columns)

    @property
    def taken(self) -> tuple[str, ...]:
        """All names of coordinates and dimensions of the results."""
        return tuple(dict.fromkeys((*self.names, *self.dims)))

    @property
    def dims(self) -> tuple[str, ...]:
        """The dimensions of the results."""
        return tuple(axis.dim for axis in self.axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        return tuple(axis.size for axis in self.axes)

    @property
    def size(self) -> int:
        """The number of points."""
        return math.prod(self.shape)

    def points(self, start: int, stop: int) -> Points:
        """Return the points of a range of numbers."""
        places = np.unravel_index(np.arange(start, stop), self.shape)
        columns = {
            name: column[place]
            for axis, place in zip(self.axes, places, strict=True)
            for name, column in axis.columns.items()
        }
        return Points(start, columns, stop - start)


# --- reading ----------------------------------------------------------------------------------------------------------


def _of_names(over: Mapping[Any, Any], design: Design | None) -> Plan:
    if not over:
        raise StateError("The sweep has no names. Give values by name: over={'m2': [1, 2, 3]}.")
    drawn = {name: value for name, value in over.items() if isinstance(value, Distribution)}
    axes = [Axis(_name(name), {name: _column(name, value)}) for name, value in over.items() if name not in drawn]
    if drawn and design is None:
        raise StateError(
            f"The values of {next(iter(drawn))!r} are drawn from a distribution. Give the design of the samples: "
            "points=gs.LatinHypercube(1000), gs.SobolSequence(1024) or gs.Saltelli(1024)."
        )
    if design is not None:
        if not isinstance(design, Design):
            raise StateError(f"points is {design!r:.60}. Use an object such as gs.LatinHypercube(1000).")
        if not drawn:
            raise StateError(
                f"{design} samples distributions, of which there are none. Give one, as gs.uniform(0.8, 1.2), or leave "
                "points=… out."
            )
        axes.append(Axis(SAMPLE, _samples(drawn, design)))
    plan = Plan(tuple(axes), design)
    if plan.size > _POINT_LIMIT:
        raise StateError(f"The sweep has {plan.size:.3g} points; {_POINT_LIMIT:.0e} is the limit. Take fewer values.")
    return plan


def _samples(drawn: Mapping[Any, Distribution], design: Design) -> dict[str, NDArray[Any]]:
    cube = design.samples(len(drawn))
    found = {}
    for (name, distribution), column in zip(drawn.items(), cube.T, strict=True):
        values = np.asarray(distribution.ppf(column), dtype=float)
        if values.shape != column.shape or not np.isfinite(values).all():
            raise StateError(f"The distribution of {name!r} gives values that are not finite numbers. Use another.")
        found[_name(name)] = values
    return found


def _listed_points(points: Sequence[Any]) -> Axis:
    if not points:
        raise StateError("The list of points is empty. Give some: over=[{'m2': 1}, {'m2': 2}].")
    for i, point in enumerate(points):
        if not isinstance(point, Mapping) or not point:
            raise StateError(f"Point {i} of the list is {point!r:.60}. Give values by name: {{'m2': 1}}.")
        if set(point) != set(points[0]):
            raise StateError(
                f"Point {i} of the list has values of {_names(point)}, point 0 of {_names(points[0])}. Give every "
                "point values of the same names."
            )
    return Axis(POINT, {_name(name): _column(name, [point[name] for point in points]) for name in points[0]})


def _column(name: object, values: Any) -> NDArray[Any]:
    """Return values as numbers, or as texts if formulas are among them."""
    if isinstance(values, str) or not hasattr(values, "__len__"):
        raise StateError(
            f"The values of {name!r} are {values!r:.60}. Give a list of them, or a distribution such as "
            "gs.uniform(0.8, 1.2)."
        )
    turned = next((one for one in values if isinstance(one, EulerAngles)), None)
    if turned is not None:
        raise StateError(
            f"A value of {_name(name)!r} is an orientation. Sweep its angles as parameters of the model: "
            f"gs.Simulation(…, initial={{{_name(name)!r}: gs.euler({turned.axes!r}, 'yaw', …)}}), {{'yaw': […]}}."
        )
    numeric = isinstance(values, (np.ndarray, range)) or all(type(one) in (int, float) for one in values)
    array = np.asarray(values, dtype=None if numeric else object)
    if array.ndim != 1 or not len(array):
        raise StateError(f"The values of {_name(name)!r} are {'none' if not array.size else 'no row'}. Give some.")
    if array.dtype.kind in "iuf" and np.isfinite(array).all():
        return array.astype(float)
    read = [_value(name, one) for one in array.tolist()]
    if any(isinstance(one, str) for one in read):
        return np.array([str(one) for one in read])
    return np.array(read, dtype=float)


def _value(name: object, given: object) -> float | str:
    """Return a finite number, or the text of a formula with names."""
    try:
        formula = Formula.of(given)
        if formula.names:
            return str(given)
        number = float(formula.value())
    except (FormulaError, ArithmeticError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise StateError(f"A value of {name!r} is {given!r:.60}. Give finite numbers, or formulas.")
    return number


def _name(name: object) -> str:
    if not isinstance(name, str) or not name:
        raise StateError(f"{name!r:.60} is no name of something to sweep. Give a text, such as 'm2'.")
    return name


def _names(point: Mapping[str, object]) -> str:
    return ", ".join(repr(name) for name in point)
