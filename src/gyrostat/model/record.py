"""Frozen records with declared kinds of fields.

Every part of a model (bodies, joints, forces, solids, shapes, frames, …) is a `Record`: a frozen dataclass whose fields
are declared with `value(kind, …)`. The kind determines how a field is read from Python or a model file, written,
described in the JSON Schema, and searched for formulas and references.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Self

from gyrostat.errors import ModelError
from gyrostat.model.kinds.containers import FrozenMapping, OptionalKind
from gyrostat.model.kinds.kind import Kind, Naming, Path, Plain, Schema, Use
from gyrostat.model.kinds.references import ChoiceKind, FlagKind, TextKind
from gyrostat.model.names import did_you_mean, path_fault
from gyrostat.model.place import Place
from gyrostat.model.record_type import RecordType
from gyrostat.once import cached_property

if TYPE_CHECKING:
    from gyrostat.model.parameter import Parameter

_FORMULA_FREE_KINDS = (ChoiceKind, FlagKind, TextKind)
_CONTAINERS = (tuple, FrozenMapping)


def value(kind: Kind[Any], default: Any = MISSING, *, doc: str = "", keyword: bool = False) -> Any:
    """Declare a field of a record: its kind, its default (required if there is none), and its description.

    With `keyword` the field is keyword-only. A default is given in the form that users write.
    """
    if isinstance(default, dict):
        default = FrozenMapping(default)  # dataclasses refuse mutable defaults
    return dataclasses.field(default=default, kw_only=keyword, metadata={"kind": kind, "doc": doc})


@dataclass(frozen=True)
class Record(metaclass=RecordType):
    """Base of all records; validates its fields by their kinds on construction."""

    tag: ClassVar[str] = ""
    """The keyword of this record in model files."""

    def __post_init__(self) -> None:
        place, held = Place(self.describe()), self.__dict__
        for name, kind, default, read in _readers(type(self)):
            given = held[name]
            held[name] = read if given is default else kind.read(given, place.inside(name))
        if not place.faults:
            self.validate(place)
        place.raise_faults()

    def describe(self) -> str:
        """Return the description of this record in messages."""
        return self.tag or type(self).__name__

    def validate(self, place: Place) -> None:
        """Report faults between fields; the single fields are validated before."""

    def uses(self, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas and references of all fields, with paths that begin with the record's own path."""
        for name, kind in _kinds_with_uses(type(self)):
            held = getattr(self, name)
            if held is None or (type(held) in _CONTAINERS and not held):
                continue
            yield from kind.uses(held, (*path, name))

    @cached_property
    def all_uses(self) -> tuple[Use, ...]:
        """The formulas and references of all fields (cached)."""
        return tuple(self.uses())

    def renamed(self, naming: Naming) -> Self:
        """Return the record with the names in its formulas and references changed."""
        if not self.all_uses:
            return self
        changed = {}
        for name, kind in _kinds_with_uses(type(self)):
            held = getattr(self, name)
            new = held if held is None else kind.renamed(held, naming)
            if new != held:
                changed[name] = new
        return dataclasses.replace(self, **changed) if changed else self

    def with_held(self, **held: Any) -> Self:
        """Return a copy with other values of fields, given as the record holds them: they are not read or checked."""
        other: Self = object.__new__(type(self))
        other.__dict__.update({name: self.__dict__[name] for name in _field_names(type(self))}, **held)
        return other

    def to_plain(self) -> dict[str, Plain]:
        """Return the fields that differ from their defaults, in file form."""
        plain: dict[str, Plain] = {}
        defaults = _plain_defaults(type(self))
        for name, kind in kinds_of(type(self)).items():
            held = kind.write(getattr(self, name))
            if name not in defaults or held != defaults[name]:
                plain[name] = held
        return plain

    @classmethod
    def from_plain(cls, plain: object, place: Place, **given: Any) -> Self | None:
        """Return a record from a mapping of a model file; report faults and return None if there are any."""
        if not isinstance(plain, Mapping):
            place.report(f"{plain!r:.60} is not a mapping of fields.", f"Fields: {', '.join(kinds_of(cls))}.")
            return None
        known = kinds_of(cls)
        values: dict[str, Any] = dict(given)
        complete = True
        for key, content in plain.items():
            if key in known and key not in given:
                values[key] = content
            else:
                complete = False
                if not place.full:
                    hint = did_you_mean(str(key), set(known) - set(given))
                    place.inside(str(key)).report("is not a field here.", hint)
        for field in fields(cls):
            if field.name in known and field.default is MISSING and field.name not in values:
                complete = False
                place.report(f"{field.name!r} is missing.", field.metadata["doc"])
        if not complete:
            return None
        try:
            return cls(**values)
        except ModelError as error:
            place.adopt(error)
            return None

    @classmethod
    def schema(cls) -> Schema:
        """Return the JSON Schema of the written form."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for field in fields(cls):
            kind = field.metadata.get("kind")
            if kind is None:
                continue
            described = kind.schema()
            if doc := field.metadata["doc"]:
                described = {"description": doc, **described}
            properties[field.name] = described
            if field.default is MISSING:
                required.append(field.name)
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            schema["required"] = required
        return schema


@cache
def kinds_of(cls: type[Record]) -> dict[str, Kind[Any]]:
    """Return the kinds of a record's fields, by field name."""
    return {field.name: field.metadata["kind"] for field in fields(cls) if "kind" in field.metadata}


@cache
def _field_names(cls: type[Record]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cls))


@cache
def _kinds_with_uses(cls: type[Record]) -> tuple[tuple[str, Kind[Any]], ...]:
    """Return the fields that may contain formulas or references: all but choices, text and booleans."""
    bare = ((name, kind.kind if isinstance(kind, OptionalKind) else kind) for name, kind in kinds_of(cls).items())
    return tuple(
        (name, kind) for name, kind in bare if not isinstance(getattr(kind, "kind", kind), _FORMULA_FREE_KINDS)
    )


@cache
def _readers(cls: type[Record]) -> list[tuple[str, Kind[Any], Any, Any]]:
    """Return name, kind, default and what is read from the default of each field; without default MISSING twice."""
    declared: tuple[Field[Any], ...] = fields(cls)
    place = Place(cls.__name__)
    defaults = {field.name: field.default for field in declared}
    found = [
        (name, kind, defaults[name], MISSING if defaults[name] is MISSING else kind.read(defaults[name], place))
        for name, kind in kinds_of(cls).items()
    ]
    place.raise_faults()
    return found


@cache
def _plain_defaults(cls: type[Record]) -> dict[str, Plain]:
    return {name: kind.write(read) for name, kind, default, read in _readers(cls) if default is not MISSING}


@dataclass(frozen=True)
class Component(Record):
    """A named component of a model: a body, a joint, a force.

    A component may own parts, further components with names such as "left.axle" that stand in its place, or beside it,
    when a model is frozen.
    """

    name: str

    file_section: ClassVar[str] = ""
    """The section of these components in a model file."""

    word: ClassVar[str] = "component"
    """The noun for these components in messages."""

    formed: ClassVar[bool] = False
    """Whether only flattening forms these components, not users."""

    suffixes: ClassVar[frozenset[str]] = frozenset()
    """Suffixes of the outputs of these components: "bar.velocity" is an output of the body named bar.

    A name within a component, such as that of a point on a body, is refused if it is one of these.
    """

    open_suffixes: ClassVar[frozenset[str]] = frozenset()
    """Further suffixes of outputs, which a name within a component may have: then it takes the output's place."""

    def describe(self) -> str:
        """Return, for example, joint 'a1'."""
        return f"{self.word} {self.name!r:.60}"

    def __post_init__(self) -> None:
        if fault := path_fault(self.name):
            place = Place(self.describe())
            place.report(*fault)
            place.raise_faults()
        super().__post_init__()

    def inner_names(self) -> Mapping[str, str]:
        """Return descriptions of what "name.…" stands for within this component, by the word after the dot."""
        return {suffix: f"output {suffix!r}" for suffix in self.suffixes}

    # --- parts --------------------------------------------------------------------------------------------------

    def part_name(self, name: str) -> str:
        """Return the name of a part in the model: that of its owner, a dot, and its own."""
        return f"{self.name}.{name}"

    def parts(self) -> Iterable[Component]:
        """Return the parts, in order, with names of `part_name`; they may own parts themselves.

        References and formulas of a part use names of the model, also for other parts of the same owner. Parts must
        follow from the fields alone, since a model file contains the owner and not its parts.
        """
        return ()

    def part_parameters(self) -> Mapping[str, Parameter]:
        """Return the parameters that the component adds to the model, by their names in it (`part_name`)."""
        return {}

    def resolved(self, components: Mapping[str, Component]) -> Self:
        """Return the component with what it takes from others of a flat model, such as the shapes of bodies."""
        return self

    def as_part(self, owner: str, naming: Naming) -> Self:
        """Return this component as a part of an owner, with the names in its formulas and references changed."""
        return dataclasses.replace(self.renamed(naming), name=f"{owner}.{self.name}")
