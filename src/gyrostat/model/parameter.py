"""Parameters: named quantities of a model, which may be formulas of each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import ClassVar

from gyrostat.errors import Fault, ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import OptionalKind, Quantity, QuantityKind, TextKind
from gyrostat.model.names import FORMULA_WORDS, GROUND, did_you_mean, fault_of, reserved_fault
from gyrostat.model.place import Place
from gyrostat.model.record import Record
from gyrostat.model.record import value as declared


@dataclass(frozen=True)
class Parameter(Record):
    """A quantity by name: a number, a formula of other parameters, or nothing yet; with a unit label and a sentence."""

    tag: ClassVar[str] = "parameter"
    value: Quantity | None = declared(OptionalKind(QuantityKind()), None, doc="number or formula of other parameters")
    unit: str = declared(TextKind(), "", doc="unit, a label only")
    description: str = declared(TextKind(), "", doc="what it is")


class Parameters(Mapping[str, Parameter]):
    """The parameters of a model, in the order in which they were given."""

    def __init__(self, given: Mapping[str, object] | None = None) -> None:
        self._entries: dict[str, Parameter] = {}
        place = Place("parameters")
        for name, content in (given or {}).items():
            parameter = read_parameter(name, content, place.inside(str(name)))
            if parameter is not None:
                self._entries[name] = parameter
        place.raise_faults()

    def __getitem__(self, name: str) -> Parameter:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def values_of(self, overrides: Mapping[str, object] | None = None) -> dict[str, float]:
        """Return the numbers of all parameters that have one; overrides change them, and what depends on them.

        Raise `ModelError` for unknown names, cycles, and formulas without a finite value.
        """
        formulas = {name: parameter.value for name, parameter in self.items() if parameter.value is not None}
        faults = [
            Fault(f"parameter {name!r}", "there is no such parameter.", did_you_mean(str(name), self))
            for name in (overrides or {})
            if name not in self._entries
        ]
        if faults:
            raise ModelError(faults)
        formulas |= {name: Formula.of(content) for name, content in (overrides or {}).items()}
        values: dict[str, float] = {}
        for name in self._order(formulas):
            formula = formulas[name]
            if not all(used in values for used in formula.names):
                continue
            try:
                values[name] = formula.value(values)
            except (ArithmeticError, ValueError) as error:
                faults.append(_no_value(name, formula, str(error)))
                continue
            if values[name] - values[name] != 0:  # infinite or not a number
                faults.append(_no_value(name, formula, "the result is not finite"))
        if faults:
            raise ModelError(faults)
        return values

    def _order(self, formulas: Mapping[str, Formula]) -> list[str]:
        """Return names so that each comes after those it depends on; show the cycle if there is one."""
        graph = {name: sorted(formula.names & formulas.keys()) for name, formula in formulas.items()}
        try:
            return list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            cycle = list(reversed(error.args[1]))
            raise ModelError(
                Fault(
                    f"parameter {cycle[0]!r}",
                    f"it depends on itself: {' → '.join(cycle)}.",
                    "Give one of these parameters a number.",
                    (cycle[0],),
                )
            ) from None


def name_fault(name: object) -> tuple[str, str] | None:
    """Return (fact, remedy) if this cannot be the name of a parameter, else None."""
    return fault_of(name) or reserved_fault(str(name), {*FORMULA_WORDS, GROUND})


def read_parameter(name: object, content: object, place: Place) -> Parameter | None:
    """Read one entry: a number, a formula, nothing, a mapping of fields or a `Parameter`."""
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
    """Return the short form where there is no unit and no description."""
    plain = parameter.to_plain()
    return plain.get("value") if set(plain) <= {"value"} else plain


def _no_value(name: str, formula: Formula, reason: str) -> Fault:
    return Fault(f"parameter {name!r}", f"{formula!s:.60} has no value: {reason}.", "Correct it or its parts.", (name,))
