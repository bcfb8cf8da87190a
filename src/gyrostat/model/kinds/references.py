"""Kinds of names and words: ends on bodies, joints, coordinates, choices, text, booleans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gyrostat.lazy import later
from gyrostat.model.kinds.kind import Naming, Path, Plain, Reference, Schema, Use
from gyrostat.model.kinds.quantities import Triple, VectorKind, sequence_of
from gyrostat.model.names import did_you_mean, fault_of, path_fault
from gyrostat.model.place import Place

if TYPE_CHECKING:
    from gyrostat.model import frame
    from gyrostat.model.frame import Frame
else:
    (frame,) = later("gyrostat.model", "frame")  # a frame is a record, which has fields of kinds


@dataclass(frozen=True)
class End:
    """An attachment point on a body: the body's frame, a named point or frame, a position, or a frame given in place.

    Text with dots is split at the last one when it is read. When a model is frozen, text that is the name of a body,
    such as that of the part "left.axle", becomes an end at the frame of that body.
    """

    body: str
    name: str | None = None
    at: Triple | Frame | None = None

    def __str__(self) -> str:
        if isinstance(self.at, tuple):
            return f"{self.body} at ({', '.join(str(x) for x in self.at)})"
        if self.at is not None:
            return f"{self.body} at {self.at.to_plain()}"
        return f"{self.body}.{self.name}" if self.name else self.body


@dataclass(frozen=True)
class EndKind:
    """ "body", "body.point", "body.frame", ("body", (x, y, z)) or ("body", Frame(…))."""

    def read(self, value: object, place: Place) -> End:
        """Read text or a pair; `Model.check` checks whether the body exists, which may be a part of an owner."""
        if isinstance(value, End):
            return value
        pair = sequence_of(value)
        if pair is not None and len(pair) == 2 and isinstance(pair[0], str):
            return End(_path(pair[0], place.inside(0)), None, _position(pair[1], place.inside(1)))
        if isinstance(value, str):
            body, dot, name = value.rpartition(".")
            return End(_path(body, place), _name(name, place)) if dot else End(_name(value, place))
        place.report(f"{value!r:.60} is not a place on a body.", "Write 'body', 'body.point' or ('body', (x, y, z)).")
        return End("ground")

    def write(self, value: End) -> Plain:
        """Return text or a pair."""
        if isinstance(value.at, tuple):
            return [value.body, VectorKind().write(value.at)]
        return str(value) if value.at is None else [value.body, value.at.to_plain()]

    def schema(self) -> Schema:
        """Return text or a pair."""
        return {"$ref": "#/$defs/end"}

    def uses(self, value: End, path: Path = ()) -> list[Use]:
        """Return the reference, and the formulas of a position or frame."""
        if value.at is None:
            return [Reference("end", str(value), path)]
        body, inner = Reference("body", value.body, (*path, 0)), (*path, 1)
        if isinstance(value.at, tuple):
            return [body, *VectorKind().uses(value.at, inner)]
        base = value.at.base
        stands = body if base is None else Reference("end", f"{value.body}.{base}", path)
        return [stands, *value.at.uses(inner)]

    def renamed(self, value: End, naming: Naming) -> End:
        """Return the end under another name, and the formulas of a position or frame with other names."""
        if isinstance(value.at, tuple):
            value = End(value.body, None, VectorKind().renamed(value.at, naming))
        elif value.at is not None:
            value = End(value.body, None, value.at.renamed(naming))
        return naming.end(value)


def _position(value: object, place: Place) -> Triple | Frame:
    """Read a position, or a frame that a mapping may describe."""
    if isinstance(value, Mapping):
        read = frame.Frame.from_plain(value, place)
        return frame.Frame() if read is None else read
    return value if hasattr(value, "turn") and isinstance(value, frame.Frame) else VectorKind().read(value, place)


@dataclass(frozen=True)
class ReferenceKind:
    """The name of a body, a joint, a coordinate ("a1", "c.angle"), a node of a network or a rope."""

    role: Literal["body", "joint", "coordinate", "node", "rope"]

    def read(self, value: object, place: Place) -> str:
        """Read a name, with dots for a coordinate of a joint or a part of an owner."""
        if not isinstance(value, str):
            place.report(f"{value!r:.60} is not the name of a {self.role}.", "Write the name as text.")
            return "ground"
        return _path(value, place)

    def write(self, value: str) -> Plain:
        """Return the name."""
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema of text."""
        return {"type": "string"}

    def uses(self, value: str, path: Path = ()) -> tuple[Use]:
        """Return the reference."""
        return (Reference(self.role, value, path),)

    def renamed(self, value: str, naming: Naming) -> str:
        """Return the new name."""
        return naming.name(value)


@dataclass(frozen=True)
class ChoiceKind:
    """One of a list of words."""

    words: tuple[str, ...]

    def read(self, value: object, place: Place) -> str:
        """Read one of the words."""
        if isinstance(value, str) and value in self.words:
            return value
        hint = did_you_mean(value, self.words) if isinstance(value, str) else f"Known: {', '.join(self.words)}."
        place.report(f"{value!r:.60} is not one of the choices.", hint)
        return self.words[0]

    def write(self, value: str) -> Plain:
        """Return the word."""
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema of the list of words."""
        return {"enum": list(self.words)}

    def uses(self, value: str, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: str, naming: Naming) -> str:
        """Return the value, which has no names."""
        return value


@dataclass(frozen=True)
class TextKind:
    """Any text, such as a description; control characters are refused."""

    def read(self, value: object, place: Place) -> str:
        """Read text."""
        if not isinstance(value, str):
            place.report(f"{value!r:.60} is not text.", "Write it in quotes.")
            return ""
        if not all(c.isprintable() or c in "\n\t" for c in value):
            place.report(f"{value!a:.60} contains characters that cannot be printed.", "Remove them.")
        return value

    def write(self, value: str) -> Plain:
        """Return the text."""
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema of text."""
        return {"type": "string"}

    def uses(self, value: str, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: str, naming: Naming) -> str:
        """Return the value, which has no names."""
        return value


@dataclass(frozen=True)
class FlagKind:
    """A boolean."""

    def read(self, value: object, place: Place) -> bool:
        """Read a boolean."""
        if not isinstance(value, bool):
            place.report(f"{value!r:.60} is neither true nor false.", "Write true or false.")
            return False
        return value

    def write(self, value: bool) -> Plain:
        """Return the boolean."""
        return value

    def schema(self) -> Schema:
        """Return the schema of a boolean."""
        return {"type": "boolean"}

    def uses(self, value: bool, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: bool, naming: Naming) -> bool:
        """Return the value, which has no names."""
        return value


def _name(name: str, place: Place) -> str:
    if fault := fault_of(name):
        place.report(*fault)
    return name


def _path(name: str, place: Place) -> str:
    if fault := path_fault(name):
        place.report(*fault)
    return name
