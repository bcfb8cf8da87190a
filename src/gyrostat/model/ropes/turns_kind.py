"""Whole turns of a rope."""

from __future__ import annotations

import numbers
from dataclasses import dataclass

from gyrostat.model.kinds import Naming, Path, Plain, Schema
from gyrostat.model.place import Place

_TURN_LIMIT = 1000


@dataclass(frozen=True)
class TurnsKind:
    """A number of whole turns, which may be none."""

    def read(self, value: object, place: Place) -> int:
        """Read a whole number."""
        if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 0 <= int(value) <= _TURN_LIMIT:
            place.report(
                f"{value!r:.60} is not a number of whole turns.", f"Give a whole number from 0 to {_TURN_LIMIT}."
            )
            return 0
        return int(value)

    def write(self, value: int) -> Plain:
        """Return the number."""
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema of a whole number."""
        return {"type": "integer", "minimum": 0, "maximum": _TURN_LIMIT}

    def uses(self, value: int, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: int, naming: Naming) -> int:
        """Return the number, which has no names."""
        return value
