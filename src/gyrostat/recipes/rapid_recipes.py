"""Formulas that may vary rapidly within a step: their arguments in a system, and bounds of them over a box of these.

Formulas are those that the laws and constraints of a trace evaluate, with their own names such as `length` or `gap`,
and event functions. Each part of a formula that may vary rapidly is a function of its names, with names for affine sums
of several; programs of its value and of its bounds depend on the text of the part alone. Bounds include those of the
rate, by which they shrink with the square of a short interval.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import casadi

from gyrostat.kinematics.constraints import constraint_rows
from gyrostat.model.affine_sums import gathered
from gyrostat.model.formula import Formula
from gyrostat.model.rapid_parts import rapid_parts, sign_of
from gyrostat.recipes.rapid_function import RapidFunction
from gyrostat.recipes.trace import Trace
from gyrostat.recipes.traced_instant import TracedInstant, formula_values
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.intervals import Interval, IntervalScalars, as_interval
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.scalar.locked import ObservedFormula, SwitchRecord
from gyrostat.scalar.traced import Traced, TracedScalars, as_sx, column


def law_signals(trace: Trace, formulas: Mapping[str, Formula], found: list[RapidFunction]) -> dict[str, Any]:
    """Return the arguments of all functions of laws and of further formulas; the functions are appended to `found`."""
    record = _record(trace)
    constraint_rows(trace.motion)
    formula_values(TracedInstant.solved(trace), {name: sign_of(formula) for name, formula in formulas.items()})
    arguments, known = dict[int, Any](), set[Any]()
    for observed in record.observed:
        for function in _parts(observed, record, trace.arguments["t"], arguments):
            key = function.steps, tuple(function.arguments.items()), function.condition
            if key not in known:
                known.add(key)
                found.append(function)
    return _values(arguments)


def event_signals(trace: Trace, formulas: Mapping[str, Formula], found: list[RapidFunction]) -> dict[str, Any]:
    """Return the arguments of all event functions that may vary rapidly, which are appended to `found`."""
    record, instant, arguments = _record(trace), TracedInstant.solved(trace), dict[int, Any]()
    for number, (name, formula) in enumerate(formulas.items()):
        compared = sign_of(formula)
        formula_values(instant, {name: compared})
        observed = [one for one in record.observed if one.formula is compared]
        parts = [part for one in observed for part in _parts(one, record, trace.arguments["t"], arguments)]
        if len(parts) == 1:
            found.append(parts[0]._replace(event=number))
    return _values(arguments)


def value_function(formula: Formula) -> casadi.Function:
    """Return the function of a formula of its names, in alphabetical order."""
    names = sorted(formula.names)
    arguments = casadi.SX.sym("arguments", len(names))
    value = _value(formula, names, [Traced(arguments[i]) for i in range(len(names))], TracedScalars())
    return casadi.Function("value", [arguments], [as_sx(value)], ["arguments"], ["value"])


def bounds_function(formula: Formula, *, rates: bool) -> casadi.Function:
    """Return the function of both bounds of a formula over a box, with `rates` also of both bounds of its rate.

    The box holds the lower ends of all names, the upper ends, and both ends of their rates.
    """
    names, ends = sorted(formula.names), TracedScalars()
    n = len(names)
    box = casadi.SX.sym("box", 4 * n)
    values, changes = (
        [Interval(Traced(box[k + i]), Traced(box[k + n + i]), ends) for i in range(n)] for k in (0, 2 * n)
    )
    if not rates:
        found = as_interval(_value(formula, names, values, IntervalScalars(ends)), ends)
        return casadi.Function("ranges", [box], [column([found.low, found.high])], ["box"], ["bounds"])
    jets = [Jet(value, change, 0) for value, change in zip(values, changes, strict=True)]
    jet = as_jet(_value(formula, names, jets, JetScalars(IntervalScalars(ends))))
    value, rate = as_interval(jet.value, ends), as_interval(jet.rate, ends)
    return casadi.Function("bounds", [box], [column([value.low, value.high, rate.low, rate.high])], ["box"], ["bounds"])


def _value(formula: Formula, names: Sequence[str], arguments: Sequence[Scalar], scalars: Scalars) -> Scalar:
    """Return a formula of given arguments, such as intervals, by the engine for these."""
    return formula.evaluate(scalars, dict(zip(names, arguments, strict=True)).__getitem__)


def _values(arguments: Mapping[int, Any]) -> dict[str, Any]:
    return {"values": casadi.densify(casadi.vertcat(casadi.SX(0, 1), *arguments.values()))}


def _record(trace: Trace) -> SwitchRecord:
    assert trace.switches is not None, "formulas are observed where conditions are locked"
    return trace.switches


def _parts(
    observed: ObservedFormula, record: SwitchRecord, time: Any, arguments: dict[int, Any]
) -> list[RapidFunction]:
    """Return the parts of a formula that may vary rapidly with the state; their arguments are entered."""
    values, structure = observed.values, record.structure
    of_state = {name for name, value in values.items() if structure.varies(value)}
    constant = {name for name in values.keys() - of_state if not casadi.depends_on(values[name], time)}
    places = {number: place for place, number in enumerate(arguments)}
    found = []
    for part, condition in rapid_parts(observed.formula, constant):
        if of_state.isdisjoint(part.names):
            continue
        function, sums = gathered(part, constant)
        own: dict[str, int] = {}
        for name in sorted(function.names):
            value = _sum(sums[name], values) if name in sums else values[name]
            number = structure.number(value)
            arguments.setdefault(number, value)
            own[name] = places.setdefault(number, len(places))
        found.append(RapidFunction(str(part.source), function.steps, own, condition))
    return found


def _sum(formula: Formula, values: Mapping[str, Any]) -> Any:
    """Return the expression of an affine sum of signals."""
    return as_sx(formula.evaluate(TracedScalars(), lambda name: Traced(values[name])))
