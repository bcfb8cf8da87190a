"""The values of a model's parameters for one call, in order and checked."""

from __future__ import annotations

import numpy as np

from gyrostat.errors import StateError
from gyrostat.pipeline.arguments import Floats, Parameters
from gyrostat.pipeline.changed_masses import ChangedMasses


def parameter_values(masses: ChangedMasses, parameters: Parameters) -> Floats:
    """Return the values of all parameters, some of them changed; they must leave no mass or inertia negative."""
    model = masses.model
    known = model.values(parameters)
    missing = [name for name in model.parameters if name not in known]
    if missing:
        raise StateError(f"Parameter {missing[0]!r} has no value. Give one: parameters={{{missing[0]!r}: …}}.")
    if parameters:
        masses.demand(known)
    return np.array([known[name] for name in model.parameters], dtype=float)
