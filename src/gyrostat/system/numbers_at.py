"""The formulas of walkthroughs on numbers at one state of a system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gyrostat import written
from gyrostat.closing.mapped_state import mapped_state
from gyrostat.coordinates.arguments import column_of
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.system.arguments import At
from gyrostat.system.evaluation import inputs_of_laws
from gyrostat.system.state import state_of

if TYPE_CHECKING:
    from gyrostat.system.system import System
    from gyrostat.written.walkthrough.evaluation import NumericEvaluation


def numbers_at(system: System, at: At) -> NumericEvaluation:
    """Return the evaluation at one state, with the multipliers of that state."""
    parts = _one_state(system, at)
    q, u, z = (part.tolist() for part in parts)
    inputs = column_of(at.inputs, system.inputs, inputs_of_laws(system, at), "input").tolist()

    def multipliers() -> dict[str, float]:
        found = system.multipliers(parts.q, parts.u, z=parts.z, t=at.t, inputs=at.inputs, parameters=at.parameters)
        return {name: float(load) for name, load in found.items()}

    return written.NumericEvaluation(
        system.coordinates,
        dict(zip(system.model.parameters, system.parameter_values(at.parameters).tolist(), strict=True)),
        q,
        u,
        float(np.asarray(at.t)),
        dict(zip(system.inputs, inputs, strict=True)),
        dict(zip(system.state_names, z, strict=True)),
        multipliers,
    )


def mapped_arguments(system: System, at: At, target: System) -> At:
    """Return the same state in the coordinates of another system of the model."""
    parts = _one_state(system, at)
    q, u, z = mapped_state(system, target, parts, float(np.asarray(at.t)), at.parameters)
    return at._replace(q=q, u=u, z=z)


def _one_state(system: System, at: At) -> StateParts:
    parts = state_of(system, at.q, at.u, at.z, at.parameters)
    if any(part.ndim != 1 for part in parts) or np.ndim(at.t):
        raise StateError("A walkthrough has one state. Give coordinates and speeds as vectors, or numbers by name.")
    return parts
