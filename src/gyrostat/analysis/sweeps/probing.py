"""What functions of the user give: learnt from the first points at which they succeed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gyrostat.analysis.sweeps.layout import Layout, Variable
from gyrostat.analysis.sweeps.points import Points
from gyrostat.errors import GyrostatError, StateError


def function_variables(
    names: Sequence[str], function: Callable[[Mapping[str, Any]], Mapping[str, Any]], probes: Iterable[Points]
) -> Layout:
    """Return the variables of what a function of a point's values gives by name."""
    reason, tried = "", 0
    for points in probes:
        for values in points:
            try:
                found = function(values)
            except Exception as error:  # of any kind, by the user's code too: the next point may do
                reason, tried = explained(error), tried + 1
                continue
            return _layout({name: found[name] for name in names} if names else found)
    raise StateError(f"The analysis fails at the first {tried} points, so that nobody knows what it gives: {reason}")


def explained(error: BaseException) -> str:
    """Return why something failed, in words; an error of the package says it itself."""
    return str(error) if isinstance(error, GyrostatError) else f"{type(error).__name__}: {error}"


def as_numbers(name: str, value: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return what a function gave as an array of numbers."""
    try:
        array = np.asarray(getattr(value, "values", value))
        if array.dtype.kind in "biuf":
            return array.astype(float)
    except (TypeError, ValueError):
        pass
    raise StateError(f"{name!r} of the analysis is {value!r:.60}. Return numbers, or labelled arrays of numbers.")


def _layout(found: Mapping[str, Any]) -> Layout:
    variables: list[Variable] = []
    labels: dict[str, Any] = {}
    for name, value in found.items():
        array = as_numbers(name, value)
        dims = tuple(str(dim) for dim in getattr(value, "dims", ())) or tuple(
            f"{name}_{i}" if array.ndim > 1 else f"{name}_entry" for i in range(array.ndim)
        )
        attributes = getattr(value, "attrs", {})
        variables.append(
            Variable(name, dims, array.shape, str(attributes.get("units", "")), str(attributes.get("long_name", "")))
        )
        coords = getattr(value, "coords", {})
        labels |= {dim: np.asarray(coords[dim].values) for dim in dims if dim in coords}
    return Layout(tuple(variables), labels)
