"""The law of an input or driver: a number, a formula, or a table of values at times."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.model.kinds.kind import FormulaUse, Naming, Plain, Schema, Scope, Use
from gyrostat.model.kinds.kind import Path as FieldPath
from gyrostat.model.kinds.quantities import ZERO, QuantityKind, sequence_of
from gyrostat.model.names import did_you_mean
from gyrostat.model.place import Place

if TYPE_CHECKING:
    from gyrostat.model.inputs import table
    from gyrostat.model.inputs.table import Table
else:
    (table,) = later("gyrostat.model.inputs", "table")

Law: TypeAlias = Union[Formula, "Table"]

_NUMBER_KEYS = ("times", "values", "interpolation")
_COLUMN_KEYS = ("table", "time", "value", "interpolation")
_TABLE_REMEDY = "Write {table: file.csv, time: column, value: column} or {times: […], values: […]}."


@dataclass(frozen=True)
class LawKind:
    """A number or formula, a table, or the columns of a CSV file; tables are written with their numbers."""

    scope: Scope
    interpolation: str = "linear"
    """The interpolation of tables for which none is given."""

    def read(self, value: object, place: Place) -> Law:
        """Read a number, text, table, pair (times, values), or a mapping that describes a table."""
        pair = sequence_of(value)
        try:
            if isinstance(value, Mapping):
                return _described({"interpolation": self.interpolation, **value}, place)
            if pair is not None and len(pair) == 2 and all(sequence_of(part) is not None for part in pair):
                times, values = pair
                return table.of_numbers(times, values, self.interpolation)
        except StateError as error:
            place.report(_as_fact(str(error)))
            return ZERO
        except (TypeError, ValueError):
            place.report(f"{value!r:.60} is not a table of numbers.", _TABLE_REMEDY)
            return ZERO
        if hasattr(value, "interpolation") and isinstance(value, table.Table):
            return value
        return QuantityKind(self.scope).read(value, place)

    def write(self, value: Law) -> Plain:
        """Return the number or the text, or the numbers of a table."""
        if isinstance(value, Formula):
            return value.source
        plain: dict[str, Any] = {"times": value.times.tolist(), "values": value.values.tolist()}
        if value.interpolation.value != self.interpolation:
            plain["interpolation"] = value.interpolation.value
        return plain

    def schema(self) -> Schema:
        """Return the JSON Schema of a quantity, a table, or columns of a file."""
        numbers: Schema = {"type": "array", "items": {"type": "number"}, "minItems": 1}
        words = ["linear", "cubic", "quintic", "previous"]
        return {
            "anyOf": [
                {"$ref": "#/$defs/quantity"},
                _object({"times": numbers, "values": numbers}, words),
                _object({name: {"type": "string"} for name in ("table", "time", "value")}, words),
            ]
        }

    def renamed(self, value: Law, naming: Naming) -> Law:
        """Return the formula with other names, or the table."""
        return value.renamed(naming.name, self.scope.variables) if isinstance(value, Formula) else value

    def uses(self, value: Law, path: FieldPath = ()) -> Iterable[Use]:
        """Return the formula, if it is one."""
        return (FormulaUse(value, self.scope, path),) if isinstance(value, Formula) else ()


def describes_table(value: object) -> bool:
    """Tell whether a mapping describes one table, rather than laws by label."""
    return isinstance(value, Mapping) and ("table" in value or ("times" in value and "values" in value))


def located(plain: Any, folder: Path) -> Any:
    """Return plain data of a component with the paths of tables, which are relative to a folder, made complete."""
    if isinstance(plain, list):
        return [located(part, folder) for part in plain]
    if not isinstance(plain, Mapping):
        return plain
    found = {key: located(part, folder) for key, part in plain.items()}
    if isinstance(found.get("table"), str):
        found["table"] = os.fspath(folder / found["table"])
    return found


def _described(value: Mapping[Any, Any], place: Place) -> Law:
    """Return the table that a mapping describes."""
    from_file = "table" in value
    known = _COLUMN_KEYS if from_file else _NUMBER_KEYS
    for key in value:
        if key not in known:
            place.inside(str(key)).report("is not a field of a table.", did_you_mean(str(key), known))
            return ZERO
    missing = next((name for name in known[:-1] if name not in value), None)
    if missing is not None:
        place.report(f"{missing!r} of the table is missing.", _TABLE_REMEDY)
        return ZERO
    how = {"interpolation": value["interpolation"]} if "interpolation" in value else {}
    if not from_file:
        return table.of_numbers(value["times"], value["values"], **how)
    parts = [value[name] for name in known[:-1]]
    if not all(isinstance(part, str) for part in parts):
        place.report(f"{dict(value)!r:.60} does not name a file and its columns.", _TABLE_REMEDY)
        return ZERO
    return table.Table.from_csv(parts[0], time=parts[1], value=parts[2], **how)


def _object(properties: dict[str, Schema], interpolations: list[str]) -> Schema:
    return {
        "type": "object",
        "properties": {**properties, "interpolation": {"enum": interpolations}},
        "required": list(properties),
        "additionalProperties": False,
    }


def _as_fact(sentence: str) -> str:
    """Return a sentence in the form of a fault's fact, which begins in lower case."""
    return sentence[:1].lower() + sentence[1:]
