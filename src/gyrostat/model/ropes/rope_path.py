"""The path of a rope with mass all along: its ends, which may be free, and the pulleys between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.model.kinds import End, Naming, Path, Plain, Schema, Use
from gyrostat.model.kinds.quantities import sequence_of
from gyrostat.model.place import Place
from gyrostat.model.ropes.path_kind import PathKind
from gyrostat.model.ropes.pulley import Pulley

RopePath: TypeAlias = tuple[End | Pulley | None, ...]
"""An end, pulleys, an end; None is a free end."""

_ENTRY = PathKind()


@dataclass(frozen=True)
class RopePathKind:
    """A list of an end, pulleys and an end; a free end is None."""

    def read(self, value: object, place: Place) -> RopePath:
        """Read a list; its first and last entries are places on bodies or None, the others pulleys."""
        entries = sequence_of(value)
        if entries is None or len(entries) < 2:
            place.report(f"{value!r:.60} is not a path.", "Write [end, Pulley(…), …, end]; a free end is None.")
            return ()
        last = len(entries) - 1
        found = tuple(
            None if entry is None and i in (0, last) else _ENTRY.read(entry, place.inside(i))
            for i, entry in enumerate(entries)
        )
        for i, entry in enumerate(found):
            if isinstance(entry, Pulley) and i in (0, last):
                place.inside(i).report("a path begins and ends at places.", "Name a place, or None for a free end.")
            elif not isinstance(entry, Pulley) and i not in (0, last):
                place.inside(i).report(f"{entry} is not a pulley.", "Write Pulley(name, frame, radius, side).")
        return found

    def write(self, value: RopePath) -> Plain:
        """Return a list of places and of mappings that describe pulleys."""
        return [None if entry is None else _ENTRY.write(entry) for entry in value]

    def schema(self) -> Schema:
        """Return the JSON Schema of a list of ends and pulleys."""
        return {"type": "array", "minItems": 2, "items": {"anyOf": [_ENTRY.schema(), {"type": "null"}]}}

    def uses(self, value: RopePath, path: Path = ()) -> Iterator[Use]:
        """Yield the references to bodies, and the formulas of pulleys."""
        for i, entry in enumerate(value):
            if entry is not None:
                yield from _ENTRY.uses(entry, (*path, i))

    def renamed(self, value: RopePath, naming: Naming) -> RopePath:
        """Return the path with other names of bodies and parameters."""
        return tuple(None if entry is None else _ENTRY.renamed(entry, naming) for entry in value)
