"""Arrays of numbers as fields of records: nested tuples of floats, read from lists and NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gyrostat.model.kinds.kind import Naming, Path, Plain, Schema
from gyrostat.model.place import Place


@dataclass(frozen=True)
class ArrayKind:
    """Numbers with a fixed number of axes: a matrix has two."""

    axes: int

    def read(self, value: object, place: Place) -> tuple[Any, ...]:
        """Read nested sequences of numbers of one shape."""
        try:
            found = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            place.report(f"{value!r:.60} is not an array of numbers.", "Give rows of equal length.")
            return ()
        if found.ndim != self.axes or not np.isfinite(found).all():
            fact = f"an array of shape {found.shape} was given, or numbers that are not finite."
            place.report(fact, f"Give finite numbers with {self.axes} axes.")
            return ()
        frozen: tuple[Any, ...] = _frozen(found.tolist())
        return frozen

    def write(self, value: tuple[Any, ...]) -> Plain:
        """Return nested lists."""
        return _plain(value)

    def schema(self) -> Schema:
        """Return the JSON Schema of nested arrays."""
        found: Schema = {"type": "number"}
        for _ in range(self.axes):
            found = {"type": "array", "items": found}
        return found

    def uses(self, value: tuple[Any, ...], path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: tuple[Any, ...], naming: Naming) -> tuple[Any, ...]:
        """Return the numbers, which have no names."""
        return value


def _frozen(rows: Any) -> Any:
    return tuple(_frozen(row) for row in rows) if isinstance(rows, list) else rows


def _plain(rows: Any) -> Any:
    return [_plain(row) for row in rows] if isinstance(rows, tuple) else rows
