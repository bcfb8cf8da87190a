"""Inputs and parameters that an analysis solves for: their names checked, and where they begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.pipeline import System
from gyrostat.pipeline.arguments import Floats


def starting_values(
    system: System, names: Sequence[str], inputs: Mapping[str, float], parameters: Mapping[str, object]
) -> Floats:
    """Return the values that inputs and parameters begin with; unknown names are errors."""
    known = system.model.values(dict(parameters))
    values = []
    for name in names:
        if name not in inputs and name not in known:
            have = [*inputs, *system.model.parameters, *system.speed_names]
            raise StateError(f"There is no input or parameter {name!r} to solve for. {did_you_mean(name, have)}")
        values.append(inputs[name] if name in inputs else known[name])
    return np.array(values, dtype=float)
