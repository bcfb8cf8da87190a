"""The path of a rope in a model: ends and pulleys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gyrostat.model.kinds import End, EndKind, Naming, Path, Plain, Schema, Use
from gyrostat.model.place import Place
from gyrostat.model.ropes.pulley import Pulley

_END = EndKind()


@dataclass(frozen=True)
class PathKind:
    """A place on a body, or a pulley, which a file writes as {pulley: name, frame: …, radius: …, side: …}."""

    def read(self, value: object, place: Place) -> End | Pulley:
        """Read a place or a pulley."""
        if isinstance(value, Pulley):
            return value
        if isinstance(value, Mapping):
            fields = {key: content for key, content in value.items() if key != "pulley"}
            name = value.get("pulley")
            if not isinstance(name, str):
                place.report("it has no name.", "Write {pulley: name, frame: …, radius: …, side: …}.")
                return End("ground")
            return Pulley.from_plain(fields, place, name=name) or End("ground")
        return _END.read(value, place)

    def write(self, value: End | Pulley) -> Plain:
        """Return the place, or the fields of the pulley with its name."""
        return {"pulley": value.name, **value.to_plain()} if isinstance(value, Pulley) else _END.write(value)

    def schema(self) -> Schema:
        """Return the schema of a place or a pulley."""
        pulley = Pulley.schema()
        named = {"pulley": {"description": "name of the pulley", "type": "string"}, **pulley["properties"]}
        return {
            "anyOf": [
                _END.schema(),
                {**pulley, "properties": named, "required": ["pulley", *pulley.get("required", ())]},
            ]
        }

    def uses(self, value: End | Pulley, path: Path = ()) -> Iterable[Use]:
        """Return the references and formulas."""
        return value.uses(path) if isinstance(value, Pulley) else _END.uses(value, path)

    def renamed(self, value: End | Pulley, naming: Naming) -> End | Pulley:
        """Return the place or pulley with other names in its references; its own name stays."""
        return value.renamed(naming) if isinstance(value, Pulley) else _END.renamed(value, naming)
