"""A port: one named input or output of a program, and its place in the flat vector of all of them."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]


@dataclass(frozen=True)
class Port:
    """One named input or output.

    `size` numbers are stored, column by column; `rows` × `columns` is the full shape. `pattern` is None when all
    entries are stored, else the pair (row, column) of the stored entries, each of shape (size,).

    >>> Port("q", 3, 3, 1).shape
    (3,)
    """

    name: str
    size: int
    rows: int
    columns: int
    pattern: tuple[Integers, Integers] | None = field(default=None, compare=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the port's array: (rows,) for a column, else (rows, columns)."""
        return (self.rows,) if self.columns == 1 else (self.rows, self.columns)

    def full(self, stored: Floats) -> Floats:
        """Return the stored entries, shape (size,), as an array of the port's shape; absent entries are zero."""
        if self.pattern is None:
            return stored.reshape((self.rows, self.columns), order="F").reshape(self.shape).copy()
        values = np.zeros((self.rows, self.columns))
        values[self.pattern] = stored
        return values.reshape(self.shape)

    def as_json(self) -> dict[str, Any]:
        """Return plain data from which `from_json` makes the port again."""
        # Patterns may have a million entries; as text of their bytes they are read fastest.
        pattern = (
            None
            if self.pattern is None
            else [b64encode(axis.astype("<i4").tobytes()).decode() for axis in self.pattern]
        )
        return {"name": self.name, "rows": self.rows, "columns": self.columns, "size": self.size, "pattern": pattern}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Port:
        """Return the port that `as_json` described."""
        pattern = data["pattern"]
        if pattern is not None:
            rows, columns = (np.frombuffer(b64decode(axis), "<i4").astype(np.int32) for axis in pattern)
            pattern = (rows, columns)
        return Port(str(data["name"]), int(data["size"]), int(data["rows"]), int(data["columns"]), pattern)


def slices(ports: tuple[Port, ...]) -> dict[str, slice]:
    """Return the slice of each port in the flat vector, by name."""
    places: dict[str, slice] = {}
    start = 0
    for port in ports:
        places[port.name] = slice(start, start + port.size)
        start += port.size
    return places


def total_size(ports: tuple[Port, ...]) -> int:
    """Return the length of the flat vector."""
    return sum(port.size for port in ports)
