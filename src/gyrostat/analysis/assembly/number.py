"""Numbers given by users: as such, or as formulas over parameters."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

import numpy as np

from gyrostat.errors import FormulaError, StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean


def number(name: str, value: object, known: Mapping[str, float]) -> float:
    """Return the value of a number or of a formula of parameters."""
    if isinstance(value, float) and isfinite(value):
        return value
    try:
        formula = Formula.of(value)
    except FormulaError as error:
        raise StateError(
            f"The initial value of {name!r} is {value!r:.60}. Give a finite number or a formula."
        ) from error
    unknown = sorted(formula.names - set(known))
    if unknown:
        hint = did_you_mean(unknown[0], list(known)) if known else "The model has no parameters."
        raise StateError(f"The initial value of {name!r} uses {unknown[0]!r}, which is not a parameter. {hint}")
    try:
        found = formula.value(dict(known))
    except (ArithmeticError, ValueError):  # a division by zero, a root of a negative number
        found = np.nan
    if not np.isfinite(found):
        raise StateError(f"The initial value of {name!r} is {value!r:.60}. Give a finite number.")
    return found
