"""The values of a system's inputs at an operating point."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gyrostat.analysis.variations.pair_loads import require_smooth
from gyrostat.errors import FormulaError, StateError
from gyrostat.kinematics.driving_inputs import driving_values, with_rates
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.inputs import Law
from gyrostat.model.names import did_you_mean
from gyrostat.system import System


def input_values(
    system: System,
    given: Mapping[str, object] | None,
    parameters: Mapping[str, object] | None = None,
    t: float = 0.0,
) -> dict[str, float]:
    """Return every input of a system as a number: given as one, or as a formula over parameters.

    Others have the values of the model's laws at a time, or are zero.
    """
    require_smooth(system)
    known = system.model.values(parameters)
    found = dict.fromkeys(system.inputs, 0.0)
    for name, law in system.model.input_laws.items():
        if name not in (given or {}):
            found[name] = _of_law(name, law, {**known, TIME: t})
    found |= driving_values(system.model, t, known)
    for name, value in (given or {}).items():
        if name not in found:
            have = did_you_mean(name, list(found)) if found else "The model has no inputs."
            raise StateError(f"There is no input {name!r}. {have}")
        found[name] = _constant(name, value, known)
        if name in system.model.driving_inputs:
            found |= dict.fromkeys(with_rates(name)[1:], 0.0)
    return found


def _of_law(name: str, law: Law, known: Mapping[str, float]) -> float:
    """Return the value of an input's law at a time; one that depends on the state is refused."""
    if not isinstance(law, Formula):
        return float(law.at(known[TIME]))
    try:
        if law.names <= set(known) and np.isfinite(number := float(law.value(dict(known)))):
            return number
    except (ArithmeticError, ValueError):
        pass
    raise StateError(
        f"The law {law!s:.60} of input {name!r} has no value at an operating point: it depends on the state, or is not "
        f"finite at t = {known[TIME]:g}. Give a number: inputs={{{name!r}: …}}."
    )


def _constant(name: str, value: object, known: Mapping[str, float]) -> float:
    """Return the value of an input; one that depends on time or the state is refused."""
    try:
        formula = Formula.of(value)
        if formula.names <= set(known):
            number = float(formula.value(dict(known)))
            if np.isfinite(number):
                return number
    except (FormulaError, ArithmeticError, ValueError):
        pass
    raise StateError(
        f"The input {name!r} is {value!r:.60}. At an operating point it must be a finite number, or a formula over "
        "parameters."
    )
