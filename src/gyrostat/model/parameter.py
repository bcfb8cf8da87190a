"""Parameters: named quantities of a model, which may be formulas of other parameters."""

from __future__ import annotations

import math
from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from dataclasses import dataclass, replace
from typing import ClassVar

from gyrostat.errors import Fault, GyrostatError, ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, TextKind
from gyrostat.model.names import FORMULA_WORDS, GROUND, did_you_mean, fault_of, reserved_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Record
from gyrostat.model.record import value as declared
from gyrostat.once import cached_property


@dataclass(frozen=True)
class Parameter(Record):
    """A parameter: a number, a formula of other parameters, or no value yet; with a unit label and a description."""

    tag: ClassVar[str] = "parameter"
    value: Quantity | None = declared(OptionalKind(QuantityKind()), None, doc="number or formula of other parameters")
    unit: str = declared(TextKind(), "", doc="unit, a label only")
    description: str = declared(TextKind(), "", doc="description")


class Parameters(Mapping[str, Parameter]):
    """The parameters of a model, in insertion order."""

    def __init__(self, given: Mapping[str, object] | None = None) -> None:
        self._entries: dict[str, Parameter] = {}
        place = Place("parameters")
        entries = {} if given is None else given
        if not isinstance(entries, Mapping):
            place.report(f"{entries!r:.60} is not a mapping from names.", "Write {name: value, …}.")
            place.raise_faults()
        for name, content in entries.items():
            parameter = read_parameter(name, content, place.inside(str(name)))
            if parameter is not None:
                self._entries[name] = parameter
        place.raise_faults()

    @staticmethod
    def of(entries: Mapping[str, Parameter]) -> Parameters:
        """Return parameters from entries that are validated already, those of parts with dots in their names."""
        found = Parameters()
        found._entries = dict(entries)
        return found

    def changed(self, given: Mapping[str, object]) -> Parameters:
        """Return a copy with other or further entries; a bare value leaves unit and description as they are."""
        new = Parameters(given)
        for name, parameter in new._entries.items():
            old = self._entries.get(name)
            if old is not None and not isinstance(given[name], Parameter | Mapping):
                new._entries[name] = replace(parameter, unit=old.unit, description=old.description)
        return Parameters.of(self._entries | new._entries)

    def __getitem__(self, name: str) -> Parameter:
        return self._entries[name]

    def __setitem__(self, name: str, value: object) -> None:
        raise GyrostatError(f"A parameter is changed through its model: model.set_parameter({name!r}, {value!r:.60}).")

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def items(self) -> ItemsView[str, Parameter]:
        """Return names and parameters."""
        return self._entries.items()

    def values(self) -> ValuesView[Parameter]:
        """Return the parameters without their names."""
        return self._entries.values()

    def values_of(self, overrides: Mapping[str, object] | None = None) -> dict[str, float]:
        """Return the values of all parameters that have one; overrides change these and their dependents.

        Raise `ModelError` for unknown names, cycles, and formulas without a finite value.
        """
        if not overrides:
            return self._own_values.copy()
        if not isinstance(overrides, Mapping):
            fact = f"they are {overrides!r:.60}, not values by name."
            raise ModelError(Fault("parameters", fact, "Give a mapping, such as {'m': 2}."))
        return _without_faults(*self.evaluate(overrides))

    @cached_property
    def _own_values(self) -> dict[str, float]:
        """The values without overrides."""
        return _without_faults(*self.evaluate())

    def evaluate(
        self, overrides: Mapping[str, object] | None = None
    ) -> tuple[dict[str, float], list[tuple[str, Fault]]]:
        """Return the known values, and the faults of parameters by name."""
        formulas = {name: entry.value for name, entry in self._entries.items() if entry.value is not None}
        if overrides:
            formulas |= self._read_overrides(overrides)
        numbers = {name: formula.number for name, formula in formulas.items()}
        if None not in numbers.values():
            return {name: float(number) for name, number in numbers.items() if number is not None}, []
        order, cycles = _in_order(formulas)
        faults = [(names[0], _cycle(names)) for names in cycles]
        values: dict[str, float] = {}
        for name in order:
            formula = formulas[name]
            if formula.number is not None:
                values[name] = float(formula.number)
                continue
            if not all(used in values for used in formula.names):
                continue
            try:
                result = formula.value(values)
            except (ArithmeticError, ValueError) as error:
                faults.append((name, _no_value(name, formula, str(error))))
                continue
            if math.isfinite(result):
                values[name] = result
            else:
                faults.append((name, _no_value(name, formula, "the result is not finite")))
        return values, faults

    def _read_overrides(self, overrides: Mapping[str, object]) -> dict[str, Formula]:
        """Return the overrides as formulas, which may refer to parameters only."""
        faults: list[Fault] = []
        read: dict[str, Formula] = {}
        for name, content in overrides.items():
            if type(content) is float and math.isfinite(content) and name in self._entries:  # nearly all of them
                read[name] = Formula.of(content)
                continue
            here = Place(f"parameter {name!r:.60}", (), faults)
            if name not in self._entries:
                here.report("there is no such parameter.", did_you_mean(str(name), self))
                continue
            read[name] = QuantityKind().read(content, here)
            for used in sorted(read[name].names - self._entries.keys()):
                fact = f"{read[name]!s:.60} refers to {used!r:.60}, which is not a parameter."
                here.report(fact, did_you_mean(used, self))
        if faults:
            raise ModelError(faults)
        return read


def _without_faults(values: dict[str, float], faults: list[tuple[str, Fault]]) -> dict[str, float]:
    if faults:
        raise ModelError(fault for _, fault in faults)
    return values


def _in_order(formulas: Mapping[str, Formula]) -> tuple[list[str], list[list[str]]]:
    """Return the names in topological order of dependence, and the cycles."""
    order: list[str] = []
    cycles: list[list[str]] = []
    done: set[str] = set()
    for start in formulas:
        if start not in done and not formulas[start].names:  # most are numbers
            done.add(start)
            order.append(start)
            continue
        chain = [start] if start not in done else []
        place_of = dict.fromkeys(chain, 0)  # index of each name in the chain
        pending = [_needed(formulas, start)] if chain else []
        while chain:
            used = next(pending[-1], None)
            if used is None:
                pending.pop()
                done.add(chain[-1])
                order.append(chain[-1])
                del place_of[chain.pop()]
            elif used in place_of:
                cycles.append(chain[place_of[used] :])
            elif used not in done:
                place_of[used] = len(chain)
                chain.append(used)
                pending.append(_needed(formulas, used))
    return order, cycles


def _needed(formulas: Mapping[str, Formula], name: str) -> Iterator[str]:
    return iter(sorted(formulas[name].names & formulas.keys()))


def _cycle(names: list[str]) -> Fault:
    shown = names if len(names) <= _LONGEST_CYCLE else [*names[: _LONGEST_CYCLE - 1], "…", names[-1]]
    return Fault(
        f"parameter {names[0]!r}",
        f"it depends on itself: {' → '.join([*shown, names[0]])}.",
        "Give one of these parameters a number.",
    )


_LONGEST_CYCLE = 12


def name_fault(name: object) -> tuple[str, str] | None:
    """Return (fact, remedy) if this is not a valid parameter name, else None."""
    return fault_of(name) or reserved_fault(str(name), {*FORMULA_WORDS, GROUND})


def read_parameter(name: object, content: object, place: Place) -> Parameter | None:
    """Read one entry: a number, a formula, None, a mapping of fields or a `Parameter`."""
    if fault := name_fault(name):
        place.report(*fault)
        return None
    if isinstance(content, Parameter):
        return content
    if isinstance(content, Mapping):
        return Parameter.from_plain(content, place)
    before = len(place.faults)
    formula = OptionalKind(QuantityKind()).read(content, place)
    return Parameter(formula) if len(place.faults) == before else None


def write_parameter(parameter: Parameter) -> object:
    """Return the value alone if there is no unit and no description, else a mapping."""
    plain = parameter.to_plain()
    return plain.get("value") if set(plain) <= {"value"} else plain


def _no_value(name: str, formula: Formula, reason: str) -> Fault:
    return Fault(f"parameter {name!r}", f"{formula!s:.60} has no value: {reason}.", "Correct it or its parts.")
