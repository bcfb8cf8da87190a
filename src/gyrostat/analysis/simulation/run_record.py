"""Settings of a run as plain data and back: integrators, plans of inputs, events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from gyrostat.analysis.events import Action, Effect, Event, Instant, Record
from gyrostat.analysis.integrators import Integrator
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.errors import ResultFileError, StateError
from gyrostat.model.formula import Formula
from gyrostat.model.inputs.table import Table
from gyrostat.model.names import counted, did_you_mean

# --- integrators ------------------------------------------------------------------------------------------------------


def integrator_to_plain(integrator: Integrator) -> dict[str, Any]:
    """Return an integrator's name and settings."""
    name = type(integrator).__name__
    if not is_dataclass(integrator):
        raise ResultFileError(f"The integrator {name} cannot be kept in a file. Make it a dataclass of its settings.")
    settings = {field.name: getattr(integrator, field.name) for field in fields(integrator) if field.init}
    return {"type": name, "settings": {key: _plain(name, key, value) for key, value in settings.items()}}


def _plain(integrator: str, key: str, value: object) -> object:
    if isinstance(value, Enum):
        value = value.value
    elif isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise ResultFileError(
        f"The integrator {integrator} has the setting {key}={value!r:.60}, which cannot be kept in a file. Use "
        "numbers, text or an Enum."
    )


def integrator_from_plain(plain: Mapping[str, Any]) -> Integrator:
    """Return the integrator of a name and settings; integrators of users are known once their module is imported."""
    known = {cls.__name__: cls for cls in _subclasses(Integrator)}
    if plain["type"] not in known:
        raise ResultFileError(
            f"its integrator {plain['type']!r} is not known here. Import the module that defines it before loading."
        )
    return known[plain["type"]](**plain["settings"])


def _subclasses(cls: type[Integrator]) -> Iterator[type[Integrator]]:
    for one in cls.__subclasses__():
        yield one
        yield from _subclasses(one)


# --- events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PastAction(Action):
    """An action of a run that was read from a file, kept as text; it cannot be applied again."""

    text: str

    def effect(self, instant: Instant) -> Effect:
        """Refuse: an action from a file is kept as text only."""
        raise StateError(f"Event {instant.event!r} was read from a file; its action {self.text} is kept as text only.")

    def __repr__(self) -> str:
        return self.text


def event_to_plain(event: Event) -> dict[str, Any]:
    """Return an event as plain data, its actions as text."""
    actions = [repr(action) for action in event.actions if action.active]
    return {
        "name": event.name,
        "when": event.when.source,
        "direction": event.direction.value,
        "actions": actions,
    }


def event_from_plain(plain: Mapping[str, Any]) -> Event:
    """Return an event whose actions are kept as text."""
    actions: tuple[Action, ...] = tuple(PastAction(text) for text in plain["actions"])
    return Event(plain["name"], plain["when"], plain["direction"], actions or (Record(),))


# --- inputs -----------------------------------------------------------------------------------------------------------


@dataclass
class PlanBook:
    """All plans of inputs of a run as plain data; tables and functions that several plans share are stored once."""

    plans: list[dict[str, Any]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)
    _functions: dict[str, list[Callable[..., float]]] = field(default_factory=dict)

    def number(self, plan: InputPlan) -> int:
        """Return the number of a plan in the book; a new plan is added."""
        if id(plan) not in self._numbers:
            self._numbers[id(plan)] = len(self.plans)
            self.plans.append(
                {
                    "numbers": dict(plan.numbers),
                    "formulas": {name: formula.source for name, formula in plan.formulas.items()},
                    "tables": {name: _place(self.tables, table) for name, table in plan.tables.items()},
                    "functions": {
                        name: _place(self._functions.setdefault(name, []), function)
                        for name, function in plan.functions.items()
                    },
                }
            )
        return self._numbers[id(plan)]


def _place(row: list[Any], item: object) -> int:
    """Return the index of an item in a list, by identity; a new item is appended."""
    for i, other in enumerate(row):
        if other is item:
            return i
    row.append(item)
    return len(row) - 1


@dataclass(frozen=True)
class LostFunction:
    """Placeholder for a Python function of an input, which files cannot store."""

    input: str
    file: str

    def __call__(self, t: float) -> float:
        """Refuse: the value is not known between outputs."""
        raise StateError(
            f"Input {self.input!r} was a Python function, which a file cannot keep: its values are known at the output "
            f"times only. Give it again: gs.load({self.file!r}, inputs={{{self.input!r}: function}})."
        )


def plans_from_plain(
    plans: list[Mapping[str, Any]], tables: list[Table], inputs: Mapping[str, Any], file: str
) -> list[InputPlan]:
    """Return the plans of a book; `inputs` has the functions again, a row of them where an input had several."""
    counts: dict[str, int] = {}
    for plan in plans:
        for name, place in plan["functions"].items():
            counts[name] = max(counts.get(name, 0), int(place) + 1)
    functions: dict[str, list[Callable[..., float]]] = {}
    for name, count in counts.items():
        lost: list[Callable[..., float]] = [LostFunction(name, file)] * count
        functions[name] = _given(name, inputs[name], count) if name in inputs else lost
    for name in inputs:
        if name not in counts:
            hint = did_you_mean(name, list(counts)) if counts else "It has no such inputs."
            raise StateError(f"In {file}, {name!r} is not an input that was a Python function. {hint}")
    return [
        InputPlan(
            plan["numbers"],
            {name: Formula.of(source) for name, source in plan["formulas"].items()},
            {name: tables[place] for name, place in plan["tables"].items()},
            {name: functions[name][place] for name, place in plan["functions"].items()},
        )
        for plan in plans
    ]


def _given(name: str, given: object, count: int) -> list[Callable[..., float]]:
    row: list[Any] = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(row) != count or not all(callable(one) for one in row):
        again = "it again" if count == 1 else "all of them, in order"
        raise StateError(
            f"Input {name!r} was given by {counted(count, 'Python function', 'Python functions')}. Give {again}: "
            f"inputs={{{name!r}: {'function' if count == 1 else '[function, …]'}}}."
        )
    return row
