"""The contract of a field's kind: reading, checking, writing, schema, formulas and references of a value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from gyrostat.model.formula import Formula
from gyrostat.model.place import Place

if TYPE_CHECKING:
    from gyrostat.model.kinds.references import End

T = TypeVar("T")

Plain: TypeAlias = Any
"""Plain data of a model file: None, bool, int, float, str, lists and dictionaries of these."""

Schema: TypeAlias = dict[str, Any]
"""A JSON Schema."""


@dataclass(frozen=True)
class Scope:
    """Names that a formula may use besides parameters."""

    time: bool = False
    system: bool = False  # all signals that a state determines, by name
    variables: frozenset[str] = field(default=frozenset())
    positions: bool = False  # coordinates and components of positions, by name
    inputs: bool = False  # inputs that are components, by name
    states: bool = False  # state variables with rates, by name
    derived: bool = False  # accelerations and loads as well, where `system` is set

    def describe(self) -> str:
        """Return a description of the allowed names."""
        allowed = ["parameters"]
        if self.time:
            allowed.append("t")
        allowed.extend(sorted(self.variables))
        if self.system:
            allowed.append("coordinates, speeds, places, inputs, states and outputs by name")
        if self.inputs:
            allowed.append("inputs by name")
        if self.positions:
            allowed.append("coordinates and components of positions by name")
        if self.states:
            allowed.append("states by name")
        return ", ".join(allowed)


Path: TypeAlias = tuple[str | int, ...]
"""Path within a component: names of fields, tags and entries, and indices of lists."""


class FormulaUse(NamedTuple):
    """A formula in a component: its path and the names it may use."""

    formula: Formula
    scope: Scope
    path: Path = ()


class Reference(NamedTuple):
    """A reference in a component to an end on a body, a body, a joint, a coordinate, a node of a network or a rope."""

    role: Literal["end", "body", "joint", "coordinate", "node", "rope"]
    target: str
    path: Path = ()


Use: TypeAlias = FormulaUse | Reference


class Naming(Protocol):
    """A change of the names that components refer to, such as a prefix for the parts of an owner."""

    def name(self, name: str) -> str:
        """Return the new name of a component, a coordinate or a parameter."""

    def end(self, end: End) -> End:
        """Return the end under its new name; the formulas of a position on it have their new names already."""


class Kind(Protocol[T]):
    """Contract: the kind of a field's values."""

    def read(self, value: object, place: Place) -> T:
        """Return the canonical form of a value from Python code or a model file; report faults to `place`."""

    def write(self, value: T) -> Plain:
        """Return the value in file form; reading that returns an equal value."""

    def schema(self) -> Schema:
        """Return the JSON Schema of the written form."""

    def uses(self, value: T, path: Path = ()) -> Iterable[Use]:
        """Return the formulas and references in the value at a path."""

    def renamed(self, value: T, naming: Naming) -> T:
        """Return the value with the names in its formulas and references changed."""
