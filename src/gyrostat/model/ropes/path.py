"""The path of a rope: its ends, and the pulleys between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from gyrostat.model.kinds import End, EndKind, Naming, Path, Plain, RecordKind, Schema, Use
from gyrostat.model.kinds.quantities import sequence_of
from gyrostat.model.place import Place
from gyrostat.model.ropes.pulley import Pulley

RopePath: TypeAlias = tuple[End | Pulley | None, ...]
"""An end, pulleys, an end; None is a free end."""


@dataclass(frozen=True)
class RopePathKind:
    """A list of an end, pulleys and an end; a free end is None."""

    def read(self, value: object, place: Place) -> RopePath:
        """Read a list; its first and last entries are places on bodies or None."""
        entries = sequence_of(value)
        if entries is None or len(entries) < 2:
            place.report(f"{value!r:.60} is not a path.", "Write [end, Pulley(…), …, end]; a free end is None.")
            return ()
        return tuple(_entry(entry, place.inside(i), i in (0, len(entries) - 1)) for i, entry in enumerate(entries))

    def write(self, value: RopePath) -> Plain:
        """Return a list of places and of mappings that describe pulleys."""
        return [
            None if entry is None else entry.to_plain() if isinstance(entry, Pulley) else EndKind().write(entry)
            for entry in value
        ]

    def schema(self) -> Schema:
        """Return the JSON Schema of a list of ends and pulleys."""
        return {
            "type": "array",
            "minItems": 2,
            "items": {"anyOf": [EndKind().schema(), RecordKind(Pulley).schema(), {"type": "null"}]},
        }

    def uses(self, value: RopePath, path: Path = ()) -> Iterator[Use]:
        """Yield the references to bodies, and the formulas of pulleys."""
        for i, entry in enumerate(value):
            if isinstance(entry, Pulley):
                yield from entry.uses((*path, i))
            elif entry is not None:
                yield from EndKind().uses(entry, (*path, i))

    def renamed(self, value: RopePath, naming: Naming) -> RopePath:
        """Return the path with other names of bodies and parameters."""
        return tuple(
            None
            if entry is None
            else entry.renamed(naming)
            if isinstance(entry, Pulley)
            else EndKind().renamed(entry, naming)
            for entry in value
        )


def _entry(entry: object, place: Place, at_an_end: bool) -> End | Pulley | None:
    """Read an entry of a path: a place or None at its ends, otherwise a pulley."""
    if isinstance(entry, Pulley) or (isinstance(entry, Mapping) and not at_an_end):
        if at_an_end:
            place.report("a path begins and ends at places on bodies.", "Name a place, or None for a free end.")
            return None
        pulley: Pulley | None = RecordKind(Pulley).read(entry, place)
        return pulley
    if not at_an_end:
        place.report(f"{entry!r:.60} is not a pulley.", "Write Pulley(name, frame, radius, side).")
        return None
    return None if entry is None else EndKind().read(entry, place)
