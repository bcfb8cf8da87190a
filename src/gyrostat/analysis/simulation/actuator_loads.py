"""Inverse dynamics with actuators: the inputs that produce a motion, in trees and in loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gyrostat.closing.closing import Closer
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats, Values
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System
from gyrostat.system.state import states_of

_RESIDUAL_TOLERANCE = 1e-8
"""The largest relative residual at which actuators still produce a motion."""


def actuator_loads(
    system: System,
    q: Values,
    u: Values,
    udot: Values,
    *,
    z: Values | None = None,
    actuators: Sequence[str] | None = None,
    t: float = 0.0,
    parameters: Mapping[str, object] | None = None,
) -> dict[str, Floats]:
    """Return the inputs by name that produce u̇ at one state or many, all others being zero.

    C τ − Aᵀ λ = inverse dynamics, with the constraints' loads λ as further unknowns (McPhee: C τ + F̃). Where there are
    more actuators than freedoms the loads have minimum norm. A motion that they cannot produce is an error.
    """
    names = list(system.inputs if actuators is None else actuators)
    unknown = [name for name in names if name not in system.inputs]
    if unknown:
        hint = did_you_mean(unknown[0], system.inputs) if system.inputs else "The model has none."
        raise StateError(f"There is no actuator {unknown[0]!r}. {hint}")
    zero = dict.fromkeys(system.inputs, 0.0)
    still = system.inverse_dynamics(q, u, udot, z=z, t=t, inputs=zero, parameters=parameters)
    unit_loads = [
        still - system.inverse_dynamics(q, u, udot, z=z, t=t, inputs={**zero, name: 1.0}, parameters=parameters)
        for name in names
    ]
    leading, count = still.shape[:-1], still.shape[-1]
    loads = still.reshape(-1, count)
    columns = (
        np.stack([load.reshape(-1, count) for load in unit_loads], axis=-1) if names else np.zeros((*loads.shape, 0))
    )
    states = states_of(system, q, u)
    found = np.empty((len(loads), len(names)))
    closer = Closer(system, t, parameters)
    for i, (load, column) in enumerate(zip(loads, columns, strict=True)):
        # the constraints' loads do no work on motions that the constraints allow
        allowed = (
            null_space(closer.at(states[i].q, states[i].u).matrix, relative=1e-10).T
            if system.constrained
            else np.eye(count)
        )
        solution = np.linalg.lstsq(allowed @ column, allowed @ load, rcond=1e-11)[0]
        missing = np.abs(allowed.T @ (allowed @ (column @ solution - load)))
        if missing.max(initial=0.0) > _RESIDUAL_TOLERANCE * max(1.0, float(np.abs(load).max(initial=0.0))):
            worst = system.speed_names[int(np.argmax(missing))]
            raise StateError(
                f"The actuators {', '.join(map(repr, names)) or 'given (none)'} cannot produce this motion: {worst!r} "
                f"lacks {missing.max():.4g} N or N·m. Use more actuators, or another motion."
            )
        found[i] = solution
    return {name: found[:, k].reshape(leading) for k, name in enumerate(names)}
