"""Arguments of a system's numeric methods: names and shapes checked, leading axes broadcast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gyrostat.errors import StateError
from gyrostat.model.names import LIST_LIMIT, did_you_mean, first_few

Floats: TypeAlias = NDArray[np.float64]
Values: TypeAlias = ArrayLike | Mapping[str, ArrayLike]
"""States in order, or values by name."""
Inputs: TypeAlias = Values | None
"""Inputs; those not given are zero."""
Parameters: TypeAlias = Mapping[str, object] | None
"""Parameters whose values are changed."""


def column_of(values: Values | None, names: Sequence[str], defaults: Sequence[float], what: str) -> Floats:
    """Return an array of shape (…, number of names) from an array, or from values by name with defaults."""
    if values is None:
        return np.array(defaults, dtype=float)
    if isinstance(values, Mapping):
        unknown = [name for name in values if name not in names]
        if unknown:
            raise StateError(f"There is no {what} {unknown[0]!r}. {did_you_mean(str(unknown[0]), names)}")
        parts = [_array(values.get(name, default), what, name) for name, default in zip(names, defaults, strict=True)]
        try:
            array = np.stack(np.broadcast_arrays(*parts), axis=-1) if parts else np.empty(0)
        except ValueError:
            shapes = ", ".join(f"{name} {part.shape}" for name, part in zip(names, parts, strict=True) if part.shape)
            raise StateError(
                f"The {what}s by name have shapes that do not fit each other: {shapes}. Give equal shapes, or numbers."
            ) from None
    else:
        array = _array(values, what)
        if array.ndim == 0 or array.shape[-1] != len(names):
            shape = "one number" if array.ndim == 0 else f"shape {array.shape}"
            raise StateError(
                f"The {what}s have {shape}; the last axis must have {len(names)} entries: {_listed(names)}."
            )
    finite = np.isfinite(array)
    if not finite.all():
        place = int(np.argwhere(~finite)[0][-1])
        raise StateError(f"The {what} {names[place]!r} is {_first_nonfinite(array, place)}. Give finite values.")
    return array


def time_of(t: ArrayLike) -> Floats:
    """Return time as an array of shape (…, 1)."""
    time = _array(t, "time")
    if not np.isfinite(time).all():
        raise StateError("The time is not finite. Give a finite value.")
    return time[..., None]


def stacked(parts: Sequence[Floats]) -> tuple[Floats, tuple[int, ...]]:
    """Return all arguments side by side as rows, and the shape of the leading axes."""
    try:
        leading = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
    except ValueError:
        shapes = ", ".join(str(part.shape[:-1]) for part in parts)
        raise StateError(f"The leading axes {shapes} do not fit each other. Give equal shapes, or one state.") from None
    rows = np.concatenate([np.broadcast_to(part, (*leading, part.shape[-1])) for part in parts], axis=-1)
    return np.ascontiguousarray(rows.reshape(-1, rows.shape[-1])), leading


def _array(value: object, what: str, name: str = "") -> Floats:
    try:
        array = np.asarray(value)
        if not np.iscomplexobj(array):  # NumPy would drop imaginary parts
            return array.astype(float, copy=False)
    except (TypeError, ValueError):
        pass
    raise StateError(f"The {what}{f' {name!r}' if name else 's'} cannot be read as numbers: {value!r:.60}.")


def _first_nonfinite(array: Floats, place: int) -> float:
    column = array[..., place].reshape(-1)
    return float(column[~np.isfinite(column)][0])


def _listed(names: Sequence[str]) -> str:
    return first_few(names) + (f" ({len(names)} in all)" if len(names) > LIST_LIMIT else "") if names else "none"
