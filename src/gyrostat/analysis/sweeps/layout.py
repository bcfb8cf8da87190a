"""The layout of a sweep's results: variables and labels of their axes; variables of functions by a trial."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.sweeps.points import Points
from gyrostat.errors import GyrostatError, StateError

Values = NDArray[Any]

STATUS = "status"
REASON = "reason"
"""Names of variables that every sweep has."""


@dataclass(frozen=True, eq=False)
class Label:
    """The coordinate values along a dimension."""

    dim: str
    values: Values
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ResultVariable:
    """A variable of the results: at every point a number, or an array with axes of its own."""

    name: str
    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    unit: str = ""
    description: str = ""

    @property
    def size(self) -> int:
        """Number of values per point."""
        return math.prod(self.shape)

    @property
    def attributes(self) -> dict[str, str]:
        """Unit and description as attributes of xarray."""
        given = {"units": self.unit, "long_name": self.description}
        return {key: text for key, text in given.items() if text}


@dataclass(frozen=True, eq=False)
class Layout:
    """The variables of a sweep, and the labels of their own axes by dimension."""

    variables: tuple[ResultVariable, ...]
    labels: Mapping[str, Values] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Number of values of all variables per point."""
        return sum(variable.size for variable in self.variables)

    def require_unique_names(self, taken: tuple[str, ...]) -> None:
        """Raise an error if a variable or its axis has a name that is already in use in the dataset."""
        names = [variable.name for variable in self.variables]
        for name in names:
            if name in (*taken, STATUS, REASON):
                raise StateError(
                    f"The output {name!r} has a name that is in use in the results of the sweep. Give it another: "
                    f"outputs={{'other name': {name!r}}}."
                )
            if names.count(name) > 1:
                raise StateError(f"Two outputs are called {name!r}. Give each a name: outputs={{name: output, …}}.")
        clash = next((dim for dim in self.labels if dim in taken), None)
        if clash is not None:
            raise StateError(
                f"The swept name {clash!r} is also the name of an axis of the results. Rename it in the model."
            )

    def nothing(self, count: int) -> dict[str, Values]:
        """Return arrays of NaN for all variables of `count` points."""
        return {one.name: np.full((count, *one.shape), np.nan) for one in self.variables}


def function_variables(
    names: Sequence[str], function: Callable[[Mapping[str, Any]], Mapping[str, Any]], probes: Iterable[Points]
) -> Layout:
    """Return the variables that a function gives, from the first point at which it succeeds."""
    reason, tried = "", 0
    cause: Exception | None = None
    for points in probes:
        for values in points:
            try:
                found = function(values)
            except Exception as error:  # any error, also of the user's code; the next point is tried
                reason, tried, cause = explained(error), tried + 1, error
                continue
            return _layout({name: found[name] for name in names} if names else found)
    raise StateError(
        f"The analysis fails at the first {tried} points, so that its variables are unknown: {reason}"
    ) from cause


def explained(error: BaseException) -> str:
    """Return the message of an error, preceded by its type unless it is an error of the package."""
    return str(error) if isinstance(error, GyrostatError) else f"{type(error).__name__}: {error}"


def as_numbers(name: str, value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a result of a function as an array of numbers."""
    try:
        array = np.asarray(getattr(value, "values", value))
        if array.dtype.kind in "biuf":
            return array.astype(float)
    except (TypeError, ValueError):
        pass
    raise StateError(f"{name!r} of the analysis is {value!r:.60}. Return numbers, or labelled arrays of numbers.")


def _layout(found: Mapping[str, Any]) -> Layout:
    variables: list[ResultVariable] = []
    labels: dict[str, Any] = {}
    for name, value in found.items():
        array = as_numbers(name, value)
        dims = tuple(str(dim) for dim in getattr(value, "dims", ())) or tuple(
            f"{name}_{i}" if array.ndim > 1 else f"{name}_entry" for i in range(array.ndim)
        )
        attributes = getattr(value, "attrs", {})
        variables.append(
            ResultVariable(
                name, dims, array.shape, str(attributes.get("units", "")), str(attributes.get("long_name", ""))
            )
        )
        coords = getattr(value, "coords", {})
        labels |= {dim: np.asarray(coords[dim].values) for dim in dims if dim in coords}
    return Layout(tuple(variables), labels)
