"""Kinds built from other kinds: optional values, lists, named values, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from gyrostat.model.kinds.kind import Kind, Naming, Path, Plain, Schema, Use
from gyrostat.model.kinds.quantities import sequence_of
from gyrostat.model.names import fault_of, output_fault, path_fault
from gyrostat.model.place import Place

if TYPE_CHECKING:
    from gyrostat.model.record import Component, Record
    from gyrostat.model.registry import Registry

Named: TypeAlias = "FrozenMapping"


class FrozenMapping(Mapping[str, Any]):
    """An immutable, hashable mapping in insertion order."""

    __slots__ = ("_entries",)

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self._entries = MappingProxyType(dict(entries))

    def __getitem__(self, key: str) -> Any:
        return self._entries[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def items(self) -> ItemsView[str, Any]:
        """Return the entries."""
        return self._entries.items()

    def values(self) -> ValuesView[Any]:
        """Return the values of the entries."""
        return self._entries.values()

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of an entry, or the default."""
        return self._entries.get(key, default)

    def __hash__(self) -> int:
        return hash(frozenset(self._entries.items()))

    def __repr__(self) -> str:
        return repr(dict(self._entries))

    def __reduce__(self) -> tuple[type[FrozenMapping], tuple[dict[str, Any]]]:
        return (FrozenMapping, (dict(self._entries),))


@dataclass(frozen=True)
class OptionalKind:
    """Another kind, or None."""

    kind: Kind[Any]

    def read(self, value: object, place: Place) -> Any:
        """Read a value of the other kind, or None."""
        return None if value is None else self.kind.read(value, place)

    def write(self, value: Any) -> Plain:
        """Return the written value, or None."""
        return None if value is None else self.kind.write(value)

    def schema(self) -> Schema:
        """Return the other kind's schema; an absent field means None."""
        return self.kind.schema()

    def uses(self, value: Any, path: Path = ()) -> Iterable[Use]:
        """Yield the formulas and references of the value, if there is one."""
        return () if value is None else self.kind.uses(value, path)

    def renamed(self, value: Any, naming: Naming) -> Any:
        """Return the value, if there is one, with other names."""
        return None if value is None else self.kind.renamed(value, naming)


@dataclass(frozen=True)
class ListKind:
    """A list of values of one kind."""

    kind: Kind[Any]

    def read(self, value: object, place: Place) -> tuple[Any, ...]:
        """Read a list or tuple."""
        parts = sequence_of(value)
        if parts is None:
            place.report(f"{value!r:.60} is not a list.", "Write [ … ].")
            return ()
        return tuple(self.kind.read(part, place.inside(i)) for i, part in enumerate(parts))

    def write(self, value: tuple[Any, ...]) -> Plain:
        """Return a list."""
        return [self.kind.write(part) for part in value]

    def schema(self) -> Schema:
        """Return the JSON Schema of a list."""
        return {"type": "array", "items": self.kind.schema()}

    def uses(self, value: tuple[Any, ...], path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the entries."""
        for i, part in enumerate(value):
            yield from self.kind.uses(part, (*path, i))

    def renamed(self, value: tuple[Any, ...], naming: Naming) -> tuple[Any, ...]:
        """Return the entries with other names."""
        return tuple(self.kind.renamed(part, naming) for part in value)


@dataclass(frozen=True)
class MappingKind:
    """Values of one kind by name, such as a body's points; the names in `outputs` are refused."""

    kind: Kind[Any]
    outputs: frozenset[str] = frozenset()
    paths: bool = False
    """Whether names may have dots."""

    def read(self, value: object, place: Place) -> Named:
        """Read a mapping from names."""
        if not isinstance(value, Mapping):
            place.report(f"{value!r:.60} is not a mapping from names.", "Write {name: value, …}.")
            return FrozenMapping({})
        entries = {}
        for name, content in value.items():
            fault = (path_fault if self.paths else fault_of)(name) or output_fault(name, self.outputs)
            if fault:
                place.inside(f"{name!s:.60}").report(*fault)
            else:
                entries[name] = self.kind.read(content, place.inside(name))
        return FrozenMapping(entries)

    def write(self, value: Named) -> Plain:
        """Return a dictionary."""
        return {name: self.kind.write(content) for name, content in value.items()}

    def schema(self) -> Schema:
        """Return the JSON Schema of an object."""
        return {"type": "object", "additionalProperties": self.kind.schema()}

    def uses(self, value: Named, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the entries."""
        for name, content in value.items():
            yield from self.kind.uses(content, (*path, name))

    def renamed(self, value: Named, naming: Naming) -> Named:
        """Return the entries with other names in their formulas and references; their keys stay."""
        return FrozenMapping({name: self.kind.renamed(content, naming) for name, content in value.items()})


@dataclass(frozen=True)
class LabelledKind:
    """One value, or several by label: the initial value of a hinge, or {angle: …, displacement: …} of a cylinder.

    A single value has the empty label until its record assigns the label.
    """

    kind: Kind[Any]
    is_value: Callable[[object], bool] = lambda value: False
    """Whether a mapping is a single value, not values by label."""

    def read(self, value: object, place: Place) -> Named:
        """Read one value or a mapping; labels may have dots."""
        if isinstance(value, Mapping) and not self.is_value(value):
            return FrozenMapping({str(k): self.kind.read(v, place.inside(str(k))) for k, v in value.items()})
        return FrozenMapping({"": self.kind.read(value, place)})

    def write(self, value: Named) -> Plain:
        """Return a single unlabelled value, or a mapping."""
        if tuple(value) == ("",):
            return self.kind.write(value[""])
        return {label: self.kind.write(content) for label, content in value.items()}

    def schema(self) -> Schema:
        """Return the schema of the value or an object."""
        return {"anyOf": [self.kind.schema(), {"type": "object", "additionalProperties": self.kind.schema()}]}

    def uses(self, value: Named, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the values."""
        for label, content in value.items():
            yield from self.kind.uses(content, (*path, label) if label else path)

    def renamed(self, value: Named, naming: Naming) -> Named:
        """Return the values with other names in their formulas and references; their labels stay."""
        return FrozenMapping({label: self.kind.renamed(content, naming) for label, content in value.items()})


@dataclass(frozen=True)
class RecordKind:
    """A record of one class, written as a mapping of its fields."""

    cls: type[Record]

    def read(self, value: object, place: Place) -> Any:
        """Read a record or a mapping."""
        if isinstance(value, self.cls):
            return value
        return self.cls.from_plain(value, place)

    def write(self, value: Record) -> Plain:
        """Return the fields."""
        return value.to_plain()

    def schema(self) -> Schema:
        """Return the record's schema."""
        return self.cls.schema()

    def uses(self, value: Record, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the record."""
        return value.uses(path)

    def renamed(self, value: Record, naming: Naming) -> Any:
        """Return the record with other names in its formulas and references."""
        return value.renamed(naming)


@dataclass(frozen=True)
class NamedRecordsKind:
    """Several named records of one class: a list in Python, a mapping from names in a file."""

    cls: type[Component]

    def read(self, value: object, place: Place) -> tuple[Any, ...]:
        """Read a list of records or a mapping."""
        records: list[Any] = []
        if isinstance(value, Mapping):
            for name, content in value.items():
                read = self.cls.from_plain(content, place.inside(str(name)), name=name)
                records.extend([read] if read else [])
        else:
            parts = sequence_of(value)
            for i, record in enumerate((value,) if parts is None else parts):
                if isinstance(record, self.cls):
                    records.append(record)
                else:
                    place.inside(i).report(
                        f"{record!r:.60} is not a {self.cls.__name__}.", f"Use {self.cls.__name__}(…)."
                    )
        names = Counter(record.name for record in records)
        for name in sorted(name for name, count in names.items() if count > 1):
            place.report(f"the name {name!r} is used twice.", "Give each its own name.")
        return tuple(records)

    def write(self, value: tuple[Component, ...]) -> Plain:
        """Return a mapping from names."""
        return {record.name: record.to_plain() for record in value}

    def schema(self) -> Schema:
        """Return the JSON Schema of an object of objects."""
        return {"type": "object", "additionalProperties": self.cls.schema()}

    def uses(self, value: tuple[Component, ...], path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the records."""
        for record in value:
            yield from record.uses((*path, record.name))

    def renamed(self, value: tuple[Component, ...], naming: Naming) -> tuple[Any, ...]:
        """Return the records with other names in their formulas and references; their own names stay."""
        return tuple(record.renamed(naming) for record in value)


@dataclass(frozen=True)
class TaggedKind:
    """A record of any class in a registry, written as {tag: {fields}}."""

    registry: Callable[[], Registry[Any]]

    def read(self, value: object, place: Place) -> Any:
        """Read a record or a mapping with one entry."""
        registry = self.registry()
        if isinstance(value, registry.base):
            return value
        if not isinstance(value, Mapping) or len(value) != 1:
            place.report(
                f"{value!r:.60} is not a {registry.family}.",
                f"Write {{{registry.tags[0]}: {{…}}}}. {registry.hint('')}",
            )
            return None
        [(tag, content)] = value.items()
        cls = registry.get(tag)
        if cls is None:
            place.inside(f"{tag!s:.60}").report(f"there is no {registry.family} of this name.", registry.hint(tag))
            return None
        return cls.from_plain(content, place.inside(tag))

    def write(self, value: Record) -> Plain:
        """Return {tag: {fields}}."""
        return {self.registry().tag_of(value): value.to_plain()}

    def schema(self) -> Schema:
        """Return a reference to the JSON Schema of the family."""
        return {"$ref": f"#/$defs/{self.registry().family.replace(' ', '_')}"}

    def uses(self, value: Record, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of the record; paths begin with its tag."""
        return value.uses((*path, self.registry().tag_of(value)))

    def renamed(self, value: Record, naming: Naming) -> Any:
        """Return the record with other names in its formulas and references."""
        return value.renamed(naming)
