"""The contract of a field's kind: reading, checking, writing, schema, formulas and references of a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from gyrostat.model.formula import Formula
from gyrostat.model.place import Place

T = TypeVar("T")

Plain: TypeAlias = Any
"""Plain data of a model file: None, bool, int, float, str, lists and dictionaries of these."""

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema."""


@dataclass(frozen=True)
class Scope:
    """Names that a formula may use besides parameters."""

    time: bool = False
    system: bool = False  # coordinates, speeds and inputs of the model, by name
    variables: frozenset[str] = field(default=frozenset())
    positions: bool = False  # coordinates and components of positions, by name

    def describe(self) -> str:
        """Return the allowed names in words."""
        allowed = ["parameters"]
        if self.time:
            allowed.append("t")
        allowed.extend(sorted(self.variables))
        if self.system:
            allowed.append("coordinates, speeds and inputs by name")
        if self.positions:
            allowed.append("coordinates and components of positions by name")
        return ", ".join(allowed)


Path: TypeAlias = tuple[str | int, ...]
"""The steps from a component to something in it: names of fields, tags and entries, places in lists."""


class FormulaUse(NamedTuple):
    """A formula inside a component: its path and the names it may use."""

    formula: Formula
    scope: Scope
    path: Path = ()


class Reference(NamedTuple):
    """A name of something else inside a component: an end on a body, a body, a joint or a coordinate."""

    role: Literal["end", "body", "joint", "coordinate"]
    target: str
    path: Path = ()


Use: TypeAlias = FormulaUse | Reference


class Kind(Protocol[T]):
    """How the values of a field behave."""

    def read(self, value: object, place: Place) -> T:
        """Return the canonical form of a value from Python code or a model file; report faults at the place."""

    def write(self, value: T) -> Plain:
        """Return the value as a model file holds it, so that reading it gives an equal value."""

    def schema(self) -> Schema:
        """Return the JSON Schema of the written form."""

    def uses(self, value: T, path: Path = ()) -> Iterable[Use]:
        """Return the formulas and references in a value that stands at a path."""
