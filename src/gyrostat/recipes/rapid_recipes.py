"""Recipes for formulas that may vary rapidly within a step: their arguments, and bounds of them over a box of these.

Formulas are those that the laws and constraints of a trace evaluate, with their own names such as `length` or `gap`,
and event functions. Bounds include those of the rates, by which they shrink with the square of a short interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import casadi

from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.model.formula import Formula
from gyrostat.model.rapid_parts import rapid_parts
from gyrostat.recipes.trace import BOX, Trace
from gyrostat.recipes.traced_instant import TracedInstant, formula_values
from gyrostat.scalar import Scalar
from gyrostat.scalar.intervals import Interval, IntervalScalars, as_interval
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.scalar.locked import ObservedFormula, SwitchRecord
from gyrostat.scalar.traced import Traced, TracedScalars, column, symbols


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
    """Return the values of the arguments of all functions that may vary rapidly."""
    return {"values": casadi.densify(casadi.vertcat(casadi.SX(0, 1), *_found(trace, formulas).arguments))}


def bounds(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return bounds of all functions: `values`, lower ones and then upper ones, and `rates`, likewise.

    The box holds the lower ends of all arguments, the upper ends, and both ends of their rates. `conditions` is 1 for
    each function of which only the sign matters.
    """
    found = _found(trace, formulas)
    n = len(found.arguments)
    trace.arguments[BOX], box = symbols(BOX, 4 * n)
    ends = TracedScalars()
    moving = [
        Jet(Interval(box[i], box[n + i], ends), Interval(box[2 * n + i], box[3 * n + i], ends), 0) for i in range(n)
    ]
    jets = [as_jet(_value(function, moving, ends)) for function in found.functions]
    values, rates = ([as_interval(getattr(jet, part), ends) for jet in jets] for part in ("value", "rate"))
    return {
        "values": column([*(one.low for one in values), *(one.high for one in values)]),
        "rates": column([*(one.low for one in rates), *(one.high for one in rates)]),
        "conditions": column(float(function.condition) for function in found.functions),
    }


def _value(function: _Function, moving: list[Jet], ends: TracedScalars) -> Scalar:
    """Return a function with intervals as arguments."""

    def lookup(name: str) -> Scalar:
        place = function.arguments.get(name)
        return Traced(function.constants[name]) if place is None else moving[place]

    return function.part.evaluate(JetScalars(IntervalScalars(ends)), lookup)


def _found(trace: Trace, formulas: Mapping[str, Formula]) -> _Functions:
    """Return the functions that may vary rapidly, of laws and of further formulas."""
    assert trace.switches is not None, "formulas are observed where conditions are locked"
    constraint_rows(trace.motion)
    formula_values(TracedInstant.solved(trace), {name: _compared(formula) for name, formula in formulas.items()})
    record, time = trace.switches, trace.arguments["t"]
    functions, arguments = dict[Any, _Function](), dict[int, Any]()
    for observed in record.observed:
        for function in _parts(observed, record, time, arguments):
            key = function.part.steps, tuple(function.arguments.items()), function.condition
            functions.setdefault(key, function)
    return _Functions(list(functions.values()), list(arguments.values()))


def _compared(formula: Formula) -> Formula:
    """Return the comparison of a formula with zero: only the sign of an event function matters."""
    return Formula(formula.source, (*formula.steps, ("number", 0, 0), ("compare", ">", 2)))


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
