"""Formulas over signals: whether their names are known, and their values at an instant."""

from __future__ import annotations

from collections.abc import Mapping

from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.scalar import Scalar, Scalars
from gyrostat.signals.signal import Level, SystemInstant
from gyrostat.signals.table import SignalTable

_REFUSALS = {
    Level.ACCELERATION: ("needs accelerations", "Use coordinates and speeds."),
    Level.LOAD: ("needs loads of constraints", "Use coordinates and speeds."),
    Level.COURSE: ("follows from earlier instants", "Use coordinates, positions of points or angular velocities."),
}
"""The reason for refusing a signal of a level, and the remedy."""


def check_formula(table: SignalTable, formula: Formula, what: str, highest: Level = Level.LOAD) -> None:
    """Raise an error if a formula names something that is no number of the table, or is above a level.

    `what` names the owner of the formula: "input 'motor'".
    """
    for name in sorted(formula.names):
        if fault := fault_of(table, name, highest):
            raise StateError(f"The formula {formula!s:.60} of {what} refers to {name!r}, which {fault}")


def check_input_formulas(table: SignalTable, formulas: Mapping[str, Formula], highest: Level = Level.LOAD) -> None:
    """Raise an error if there is no such input, or if the formula of one cannot be formed."""
    known = table.coordinates.topology.model.inputs
    for name, formula in formulas.items():
        if name not in known:
            hint = did_you_mean(name, known) if known else "The model has no inputs."
            raise StateError(f"There is no input {name!r}. {hint}")
        check_formula(table, formula, f"input {name!r}", highest)


def fault_of(table: SignalTable, name: str, highest: Level) -> str | None:
    """Return the reason why a name is no number of a level, with a remedy, or None."""
    signal = table.find_scalar(name)
    if signal is not None:
        return None if signal.level <= highest else "{}. {}".format(*_REFUSALS[signal.level])
    vector = table.find(name)
    if vector is not None:
        return f"is a vector. Use a component: {', '.join(vector.scalar_names)}."
    return f"is not known. {table.suggestion(name, scalars=True)}"


def formula_value(table: SignalTable, formula: Formula, instant: SystemInstant, scalars: Scalars) -> Scalar:
    """Return the value of a checked formula at an instant, on the instant's engine."""
    return formula.evaluate(scalars, lambda name: signal_value(table, name, instant))


def signal_value(table: SignalTable, name: str, instant: SystemInstant) -> Scalar:
    """Return the value of a number by its checked name."""
    signal = table.find_scalar(name)
    assert signal is not None, "names are checked before"
    return signal.form(instant)
