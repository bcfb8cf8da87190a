"""Formulas as signals: measures of the model, and formulas in the place of names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gyrostat.errors import FormulaError
from gyrostat.model.formula import CONSTANTS, Formula
from gyrostat.scalar import Scalar
from gyrostat.signals.signal import Level, Signal, SystemInstant

Find = Callable[[str], "Signal | None"]
"""The function that finds a number by its name."""


def formula_signal(name: str, formula: Formula, find: Find, *, unit: str = "", description: str = "") -> Signal | None:
    """Return the signal of a formula, or None if one of its names is not that of a number.

    Without a unit, the sum or difference of quantities with one unit has this unit.
    """
    used = {one: find(one) for one in formula.names}
    known = {one: signal for one, signal in used.items() if signal is not None}
    if len(known) < len(used):
        return None
    level = max((signal.level for signal in known.values()), default=Level.POSITION)
    form = partial(_value, formula, known)
    return Signal(name, unit or _unit_of(formula, known), description or str(formula), level, form)


def as_formula(text: str) -> Formula | None:
    """Return a text as a formula; None if it is a name, or cannot be read."""
    if text.replace(".", "").replace("_", "").isalnum() and text not in CONSTANTS:
        return None
    try:
        return Formula.of(text)
    except FormulaError:
        return None


def _value(formula: Formula, known: dict[str, Signal], instant: SystemInstant) -> Scalar:
    return formula.evaluate(instant.scalars, lambda name: known[name].form(instant))


def _unit_of(formula: Formula, known: dict[str, Signal]) -> str:
    units = {signal.unit for signal in known.values()}
    sums = all(kind == "name" or (kind == "arithmetic" and payload in "+-") for kind, payload, _ in formula.steps)
    return units.pop() if sums and len(units) == 1 else ""
