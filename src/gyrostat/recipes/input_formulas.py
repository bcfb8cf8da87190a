"""Inputs as formulas over signals: feedback, and functions of time, traced into a system's programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

import casadi

from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import with_rates
from gyrostat.model.formula import TIME, Formula
from gyrostat.recipes.signal_recipes import inputs_in
from gyrostat.recipes.trace import Trace
from gyrostat.recipes.traced_instant import TracedInstant, table_of
from gyrostat.scalar import Scalar
from gyrostat.scalar.operations import law
from gyrostat.scalar.switch_symbols import substitute
from gyrostat.scalar.traced import Traced, as_sx
from gyrostat.signals.formulas import formula_value, signal_value


def with_input_formulas(trace: Trace, formulas: Mapping[str, Formula]) -> Trace:
    """Return the trace with some inputs replaced by checked formulas over signals; their places are not read.

    Formulas of time alone come first: conditions of them in other formulas are conditions of time, not of the state.
    """
    model = trace.motion.tree.coordinates.topology.model
    found, left, known = trace, dict(formulas), {TIME, *model.parameters}
    while timed := {name: formula for name, formula in left.items() if formula.names <= known}:
        found = _with_values(found, timed)
        left, known = {name: left[name] for name in left.keys() - timed.keys()}, known | timed.keys()
    left = {name: formula for name, formula in formulas.items() if name in left}
    found = _with_values(found, left) if left else found
    motion, jets = found.motion, dict[str, Scalar]()
    for name in model.driving_inputs:
        if name in formulas:  # a function of time
            jet = motion.state.in_time(formulas[name], motion.tree.value)
            jets |= dict(zip(with_rates(name), (jet.value, jet.rate, jet.acceleration), strict=True))
    return _with_inputs(found, jets) if jets else found


def _with_values(trace: Trace, formulas: Mapping[str, Formula]) -> Trace:
    return _with_inputs(trace, _values(trace, formulas))


def _with_inputs(trace: Trace, values: Mapping[str, Scalar]) -> Trace:
    state = trace.motion.state
    return replace(trace, motion=trace.motion.at(replace(state, inputs={**state.inputs, **values})))


def _values(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Scalar]:
    """Return the inputs in terms of the state and of other inputs: each formula after those that it depends on.

    Accelerations and loads are formed at inputs as symbols: a formula that reads one which its own input changes is
    found to depend on itself.
    """
    table, instant, scalars = table_of(trace), TracedInstant.solved(trace), trace.motion.scalars
    direct: dict[str, Scalar] = {}
    for name, formula in formulas.items():
        with law(scalars, name):
            direct[name] = formula_value(table, formula, instant, scalars)
    needs = {name: inputs_in(trace, as_sx(value), formulas) for name, value in direct.items()}
    found: dict[str, Scalar] = {}
    for name in _ordered(instant, formulas, needs):
        found[name] = direct[name]
        if needs[name]:
            before, after = (
                casadi.vertcat(*(as_sx(values[other]) for other in needs[name]))
                for values in (trace.motion.state.inputs, found)
            )
            found[name] = Traced(casadi.substitute(as_sx(direct[name]), before, after))
    if trace.switches is not None:
        given = trace.motion.state.inputs
        substitute(
            trace.switches,
            casadi.vertcat(*(as_sx(given[name]) for name in found)),
            casadi.vertcat(*map(as_sx, found.values())),
        )
    return found


def _ordered(instant: TracedInstant, formulas: Mapping[str, Formula], needs: Mapping[str, list[str]]) -> list[str]:
    """Return the names so that each comes after those that it needs; refuse formulas that depend on themselves."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1][::-1]  # each needs the next
    first, second = circle[:2]
    table, trace = table_of(instant.trace), instant.trace
    through = [
        name
        for name in sorted(formulas[first].names)
        if second in inputs_in(trace, as_sx(signal_value(table, name, instant)), needs)
    ]
    way = " → ".join(repr(name) for name in circle)
    raise StateError(
        f"The formula {formulas[first]!s:.60} of input {first!r} depends on its own value ({way}), by "
        f"{' and '.join(repr(name) for name in through)}. Use signals that do not depend on this input."
    )
