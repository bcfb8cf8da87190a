"""Numbers of Ritz terms by direction as a field of a record."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gyrostat.model.kinds import FrozenMapping, Naming, Path, Plain, Schema
from gyrostat.model.names import did_you_mean
from gyrostat.model.place import Place

DIRECTIONS: Final = ("v", "w", "phi", "u")
"""Bending along y and along z, twist, stretch: the order of the elastic coordinates."""

TERM_LIMIT: Final = 20
"""The largest number of terms in one direction."""


@dataclass(frozen=True)
class TermsKind:
    """Numbers of terms: those that are not given are zero."""

    def read(self, value: object, place: Place) -> FrozenMapping:
        """Read a mapping from directions to numbers."""
        if not isinstance(value, Mapping):
            place.report(f"{value!r:.60} is not a mapping of terms.", 'Write {"v": 4, "w": 4, "phi": 2}.')
            return FrozenMapping({})
        found: dict[str, int] = {}
        for name, count in value.items():
            if name not in DIRECTIONS:
                remedy = f"v and w are bending along y and z, phi is twist, u stretch. {did_you_mean(name, DIRECTIONS)}"
                place.inside(f"{name!s:.60}").report("there is no such displacement.", remedy)
            elif (
                isinstance(count, bool) or not isinstance(count, numbers.Integral) or not 0 <= int(count) <= TERM_LIMIT
            ):
                fact = f"{count!r:.60} is not a number of terms."
                place.inside(name).report(fact, f"Give a whole number from 0 to {TERM_LIMIT}.")
            else:
                found[name] = int(count)
        return FrozenMapping({name: found.get(name, 0) for name in DIRECTIONS})

    def write(self, value: FrozenMapping) -> Plain:
        """Return the numbers that are not zero."""
        return {name: count for name, count in value.items() if count}

    def schema(self) -> Schema:
        """Return the JSON Schema of the numbers."""
        count: Schema = {"type": "integer", "minimum": 0, "maximum": TERM_LIMIT}
        return {"type": "object", "properties": dict.fromkeys(DIRECTIONS, count), "additionalProperties": False}

    def uses(self, value: FrozenMapping, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: FrozenMapping, naming: Naming) -> FrozenMapping:
        """Return the numbers, which have no names."""
        return value
