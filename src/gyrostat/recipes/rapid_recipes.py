"""Recipes for formulas that may vary rapidly within a step: their arguments, and bounds of them over a box of these.

Formulas are those that the laws and constraints of a trace evaluate, with their own names such as `length` or `gap`,
and event functions. Bounds include those of the rates, by which they shrink with the square of a short interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import casadi

from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.model.formula import Formula
from gyrostat.model.rapid_parts import rapid_parts, sign_of
from gyrostat.recipes.trace import BOX, Trace
from gyrostat.recipes.traced_instant import TracedInstant, formula_values
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.intervals import Interval, IntervalScalars, as_interval
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.scalar.locked import ObservedFormula, SwitchRecord
from gyrostat.scalar.traced import Traced, TracedScalars, as_sx, column, symbols


class _Function(NamedTuple):
    """A part of a formula that may vary rapidly, with the values of its names that are constant, and its arguments."""

    part: Formula
    condition: bool
    constants: dict[str, Any]
    arguments: dict[str, int]
    """Numbers in the list of all arguments, by name."""


class _Functions(NamedTuple):
    """All such functions of a trace, and their arguments, each once."""

    functions: list[_Function]
    arguments: list[Any]


def signals(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the values of the arguments of all functions that may vary rapidly, and then those of the functions."""
    return _signals(_found(trace, formulas))


def ranges(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return `values`, bounds of all functions over a box: lower ones and then upper ones.

    The box holds the lower ends of all arguments, the upper ends, and both ends of their rates.
    """
    found, ends = _found(trace, formulas), TracedScalars()
    arguments = [argument.value for argument in _box(trace, found, ends)]
    scalars = IntervalScalars(ends)
    return {"values": _ends(as_interval(_value(one, arguments, scalars), ends) for one in found.functions)}


def bounds(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return bounds of all functions over a box, as `ranges` does, and of their `rates`, likewise.

    `conditions` is 1 for each function of which only the sign matters.
    """
    return _bounds(trace, _found(trace, formulas))


def event_signals(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the values of the arguments of event functions that may vary rapidly, and then their own."""
    return _signals(_found_events(trace, formulas)[0])


def event_bounds(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return bounds of these event functions, as `bounds` does, and for each formula the number of its function."""
    found, numbers = _found_events(trace, formulas)
    return {**_bounds(trace, found), "numbers": column(float(number) for number in numbers)}


def _signals(found: _Functions) -> dict[str, Any]:
    scalars, arguments = TracedScalars(), [Traced(argument) for argument in found.arguments]
    functions = (as_sx(_value(function, arguments, scalars)) for function in found.functions)
    return {"values": casadi.densify(casadi.vertcat(casadi.SX(0, 1), *found.arguments, *functions))}


def _bounds(trace: Trace, found: _Functions) -> dict[str, Any]:
    ends = TracedScalars()
    arguments, scalars = _box(trace, found, ends), JetScalars(IntervalScalars(ends))
    jets = [as_jet(_value(function, arguments, scalars)) for function in found.functions]
    return {
        "values": _ends(as_interval(jet.value, ends) for jet in jets),
        "rates": _ends(as_interval(jet.rate, ends) for jet in jets),
        "conditions": column(float(function.condition) for function in found.functions),
    }


def _box(trace: Trace, found: _Functions, ends: TracedScalars) -> list[Jet]:
    """Return the arguments as intervals, with intervals as rates."""
    n = len(found.arguments)
    trace.arguments[BOX], box = symbols(BOX, 4 * n)
    return [
        Jet(Interval(box[i], box[n + i], ends), Interval(box[2 * n + i], box[3 * n + i], ends), 0) for i in range(n)
    ]


def _ends(intervals: Iterable[Interval]) -> Any:
    """Return the lower ends of intervals and then the upper ones, as a column."""
    listed = list(intervals)
    return column([*(one.low for one in listed), *(one.high for one in listed)])


def _value(function: _Function, arguments: Sequence[Scalar], scalars: Scalars) -> Scalar:
    """Return a function of given arguments, such as intervals, by the engine for these."""

    def lookup(name: str) -> Scalar:
        place = function.arguments.get(name)
        return Traced(function.constants[name]) if place is None else arguments[place]

    return function.part.evaluate(scalars, lookup)


def _found(trace: Trace, formulas: Mapping[str, Formula]) -> _Functions:
    """Return the functions that may vary rapidly, of laws and of further formulas."""
    assert trace.switches is not None, "formulas are observed where conditions are locked"
    constraint_rows(trace.motion)
    formula_values(TracedInstant.solved(trace), {name: sign_of(formula) for name, formula in formulas.items()})
    record, time = trace.switches, trace.arguments["t"]
    functions, arguments = dict[Any, _Function](), dict[int, Any]()
    for observed in record.observed:
        for function in _parts(observed, record, time, arguments):
            key = function.part.steps, tuple(function.arguments.items()), function.condition
            functions.setdefault(key, function)
    return _Functions(list(functions.values()), list(arguments.values()))


def _found_events(trace: Trace, formulas: Mapping[str, Formula]) -> tuple[_Functions, list[int]]:
    """Return the event functions that may vary rapidly, and for each formula the number of its function, or −1."""
    assert trace.switches is not None, "formulas are observed where conditions are locked"
    record, time, instant = trace.switches, trace.arguments["t"], TracedInstant.solved(trace)
    functions, arguments, numbers = list[_Function](), dict[int, Any](), list[int]()
    for name, formula in formulas.items():
        compared = sign_of(formula)
        formula_values(instant, {name: compared})
        observed = [one for one in record.observed if one.formula is compared]
        found = [function for one in observed for function in _parts(one, record, time, arguments)]
        numbers.append(len(functions) if len(found) == 1 else -1)
        functions += found if len(found) == 1 else []
    return _Functions(functions, list(arguments.values())), numbers


def _parts(observed: ObservedFormula, record: SwitchRecord, time: Any, arguments: dict[int, Any]) -> list[_Function]:
    """Return the parts of a formula that may vary rapidly with the state; their arguments are entered."""
    values, structure = observed.values, record.structure
    of_state = {name for name, value in values.items() if structure.varies(value)}
    constant = {name for name in values.keys() - of_state if not casadi.depends_on(values[name], time)}
    places = {number: place for place, number in enumerate(arguments)}
    found = []
    for part, condition in rapid_parts(observed.formula, constant):
        names = sorted(part.names)
        if of_state.isdisjoint(names):
            continue
        own: dict[str, int] = {}
        for name in names:
            if name not in constant:
                number = structure.number(values[name])
                arguments.setdefault(number, values[name])
                own[name] = places.setdefault(number, len(places))
        found.append(_Function(part, condition, {name: values[name] for name in names if name in constant}, own))
    return found
