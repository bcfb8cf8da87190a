"""One value of a kind, or a list of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gyrostat.model.kinds.containers import ListKind
from gyrostat.model.kinds.kind import Kind, Naming, Path, Plain, Schema, Use
from gyrostat.model.kinds.quantities import sequence_of
from gyrostat.model.place import Place


@dataclass(frozen=True)
class OneOrMoreKind:
    """A list of values of one kind; a single value may stand for a list with one entry."""

    kind: Kind[Any]

    @property
    def _list(self) -> ListKind:
        return ListKind(self.kind)

    def read(self, value: object, place: Place) -> tuple[Any, ...]:
        """Read one value, or a list or tuple."""
        return self._list.read(value, place) if sequence_of(value) is not None else (self.kind.read(value, place),)

    def write(self, value: tuple[Any, ...]) -> Plain:
        """Return a single value by itself, others as a list."""
        return self.kind.write(value[0]) if len(value) == 1 else self._list.write(value)

    def schema(self) -> Schema:
        """Return the JSON Schema of the value, or of a list."""
        return {"anyOf": [self.kind.schema(), self._list.schema()]}

    def uses(self, value: tuple[Any, ...], path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the entries."""
        return self._list.uses(value, path)

    def renamed(self, value: tuple[Any, ...], naming: Naming) -> tuple[Any, ...]:
        """Return the entries with other names."""
        return self._list.renamed(value, naming)
