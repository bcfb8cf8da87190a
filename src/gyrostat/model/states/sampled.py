"""Sampled control: a law that is evaluated at sample times, with a zero-order hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from gyrostat.errors import StateError
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FrozenMapping, MappingKind, Plain, Quantity, QuantityKind, Schema, TextKind, Use
from gyrostat.model.kinds.kind import Naming, Path
from gyrostat.model.place import Place
from gyrostat.model.positive import require_positive
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states.state_element import StateElement
from gyrostat.scalar import Scalar

SampledLaw: TypeAlias = Formula | Callable[[float, Mapping[str, float], dict[str, float]], float]
"""A formula, or a Python function of time, signals by name, and its memory, which it may change."""


@dataclass(frozen=True)
class AbsentFunction:
    """The place of a Python function in a model that was read from a file, which cannot keep functions."""

    name: str

    def __call__(self, t: float, signals: Mapping[str, float], memory: dict[str, float]) -> float:
        """Refuse: the function is not known."""
        raise StateError(
            f"The law of a sampled block was the Python function {self.name!r}, which a file cannot keep. Replace the "
            "block by one with the function, Sampled(…, law=function)."
        )


@dataclass(frozen=True)
class SampledLawKind:
    """A formula, or a Python function, of which files keep the name only."""

    def read(self, value: object, place: Place) -> SampledLaw:
        """Read a function, the name of one in a file, or a formula."""
        if callable(value):
            return value
        if isinstance(value, Mapping) and list(value) == ["function"]:
            return AbsentFunction(str(value["function"]))
        return QuantityKind(LAW).read(value, place)

    def write(self, value: SampledLaw) -> Plain:
        """Return the formula, or the name of the function."""
        if isinstance(value, Formula):
            return value.source
        return {"function": value.name if isinstance(value, AbsentFunction) else _name_of(value)}

    def schema(self) -> Schema:
        """Return the JSON Schema of a quantity, or of the name of a function."""
        named: Schema = {"type": "object", "properties": {"function": {"type": "string"}}, "required": ["function"]}
        return {"anyOf": [{"$ref": "#/$defs/quantity"}, named]}

    def uses(self, value: SampledLaw, path: Path = ()) -> Iterable[Use]:
        """Return the formula, if it is one."""
        return QuantityKind(LAW).uses(value, path) if isinstance(value, Formula) else ()

    def renamed(self, value: SampledLaw, naming: Naming) -> SampledLaw:
        """Return the formula with other names; a function sees the names of the whole model."""
        return QuantityKind(LAW).renamed(value, naming) if isinstance(value, Formula) else value


def _name_of(function: Any) -> str:
    return str(getattr(function, "__qualname__", type(function).__qualname__))


@dataclass(frozen=True)
class Sampled(StateElement):
    """A value that is set at the sample times 0, T, 2T, … and held between them: a digital controller.

    `law` is a formula, or a Python function of the time, of all signals by name, and of its memory, a dictionary that
    it may change. Entries of the memory are signals too, `name.entry`; with a formula, `update` gives their next
    values. Sampled blocks act in their order in the model: each sees the new values of those before it, and its own
    memory as it was. The integration stops at every sample time.

    >>> controller = Sampled("controller", 0.01, "-4*x - controller.sum", memory={"sum": 0},
    ...                      update={"sum": "controller.sum + 0.02*x"})
    >>> [one.name for one in controller.state_variables]
    ['controller', 'controller.sum']
    """

    period: Quantity = value(QuantityKind(), doc="time T between samples (s)")
    law: SampledLaw = value(SampledLawKind(), doc="a formula, or a Python function of (t, signals, memory)")
    initial: Quantity = value(QuantityKind(), 0, doc="value before the first sample")
    memory: FrozenMapping = value(
        MappingKind(QuantityKind(), frozenset(("rate",))), {}, doc="initial values of the memory by name", keyword=True
    )
    update: FrozenMapping = value(
        MappingKind(QuantityKind(LAW)),
        {},
        doc="next values of the memory by name, for laws that are formulas",
        keyword=True,
    )
    unit: str = value(TextKind(), "", doc="the unit of the value, for labels", keyword=True)

    def validate(self, place: Place) -> None:
        """Require a period, and updates of known entries of the memory, for formulas only."""
        require_positive(place, "period", self.period, "Give the time between samples.")
        if self.update and not isinstance(self.law, Formula):
            place.inside("update").report("the law is a Python function.", "Let it change its memory by itself.")
        for name in self.update.keys() - self.memory.keys():
            place.inside("update").report(f"{name!r} is no entry of the memory.", f"Add it: memory={{{name!r}: 0}}.")

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The held value and the memory, which have no rates."""
        held = StateVariable(self.name, self.unit, f"held value of {self.name}", self.initial)
        memory = (
            StateVariable(f"{self.name}.{label}", "", f"memory of {self.name}", begin)
            for label, begin in self.memory.items()
        )
        return (held, *memory)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return zeros: values change at samples only."""
        return {variable.name: 0 for variable in self.state_variables}
