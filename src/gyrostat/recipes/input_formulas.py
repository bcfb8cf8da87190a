"""Inputs as formulas over signals: feedback, and functions of time, traced into a system's programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from gyrostat.coordinates import Coordinates
from gyrostat.errors import StateError
from gyrostat.kinematics.signals import check_signals, signal_readers, signal_value
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.recipes.trace import Trace
from gyrostat.scalar import Scalar


def check_input_formulas(coordinates: Coordinates, formulas: Mapping[str, Formula]) -> None:
    """Raise an error if there is no such input, or if a formula names what is no signal."""
    known = coordinates.topology.model.inputs
    readers = signal_readers(coordinates)
    for name, formula in formulas.items():
        if name not in known:
            raise StateError(f"There is no input {name!r}. {did_you_mean(name, known)}")
        check_signals(readers, formula, f"input {name!r}")


def with_input_formulas(trace: Trace, formulas: Mapping[str, Formula]) -> Trace:
    """Return the trace with some inputs replaced by checked formulas over signals; their places are not read."""
    motion = trace.motion
    inputs = dict(motion.state.inputs) | _values(trace, formulas)
    return replace(trace, motion=motion.at(replace(motion.state, inputs=inputs)))


def _values(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Scalar]:
    """Return the inputs in terms of the state and of other inputs: each formula after those that it depends on."""
    import casadi

    from gyrostat.scalar.traced import Traced, as_sx

    readers = signal_readers(trace.motion.tree.coordinates)
    direct = {name: signal_value(trace.motion, formula, readers) for name, formula in formulas.items()}
    needs = {name: _inputs_in(trace, value, formulas) for name, value in direct.items()}
    found: dict[str, Scalar] = {}
    for name in _ordered(trace, formulas, needs):
        found[name] = direct[name]
        if needs[name]:
            before, after = (
                casadi.vertcat(*(as_sx(values[other]) for other in needs[name]))
                for values in (trace.motion.state.inputs, found)
            )
            found[name] = Traced(casadi.substitute(as_sx(direct[name]), before, after))
    return found


def _inputs_in(trace: Trace, value: Scalar, names: Iterable[str]) -> list[str]:
    """Return those of the inputs that a value depends on."""
    import casadi

    from gyrostat.scalar.traced import as_sx

    pattern: Any = casadi.jacobian_sparsity(as_sx(value), trace.arguments["inputs"])
    places = set(pattern.get_col())
    return [name for i, name in enumerate(trace.motion.state.inputs) if i in places and name in names]


def _ordered(trace: Trace, formulas: Mapping[str, Formula], needs: Mapping[str, list[str]]) -> list[str]:
    """Return the names so that each comes after those that it needs; raise an error where they go round in a circle."""
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1][::-1]  # each needs the next
    first, second = circle[:2]
    readers = signal_readers(trace.motion.tree.coordinates)
    through = [n for n in sorted(formulas[first].names) if second in _inputs_in(trace, readers[n](trace.motion), needs)]
    way = " → ".join(repr(name) for name in circle)
    raise StateError(
        f"The formula {formulas[first]!s:.60} of input {first!r} depends on its own value ({way}), by "
        f"{' and '.join(repr(name) for name in through)}. Use signals that do not depend on this input."
    )
