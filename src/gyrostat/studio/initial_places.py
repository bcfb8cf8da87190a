"""Where a model file has the initial values of state variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from gyrostat.model.formula import Formula
from gyrostat.model.state_variable import StateOwner, StateVariable


@dataclass(frozen=True)
class InitialPlace:
    """The field of a component that has the initial value of one of its variables."""

    variable: StateVariable
    field: str
    key: str | int | None = None
    """The key in a field with several values by name, or the index in a list."""
    count: int = 1
    """The length of the list."""


def initial_places(state: StateOwner) -> Iterator[InitialPlace]:
    """Yield the places of a component: those whose values its variables begin with. Some variables have none."""
    for field in (one.name for one in fields(cast(Any, state))):
        given = getattr(state, field)
        if isinstance(given, Mapping):
            for key in given:
                yield from _changed_by(state, field, {**given, key: _other_than(given[key])}, key)
        elif isinstance(given, Formula) and field.startswith("initial"):
            yield from _changed_by(state, field, _other_than(given))
        elif field == "initial" and (given is None or isinstance(given, tuple)):
            variables = state.state_variables
            yield from (InitialPlace(one, field, k, len(variables)) for k, one in enumerate(variables))


def _changed_by(state: StateOwner, field: str, value: object, key: str | None = None) -> Iterator[InitialPlace]:
    """Yield the places of variables that begin with another value after a change of a field."""
    changed = replace(cast(Any, state), **{field: value}).state_variables
    for own, new in zip(state.state_variables, changed, strict=True):
        if own.initial != new.initial:
            yield InitialPlace(own, field, key)


def _other_than(given: Formula) -> Formula:
    """Return a number that a formula does not have."""
    return Formula.of(1.0 if given.number is None else given.number + 1.0)
