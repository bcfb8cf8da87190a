"""Equilibrium of bodies that rest on rigid contacts: loads at a given position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.simulation.contact_settling import contacts_at_rest
from gyrostat.analysis.variations.input_values import input_values
from gyrostat.analysis.variations.operating_point import OperatingKind, OperatingPoint, gravity_of, point_of
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model.names import first_few
from gyrostat.system import System

_ACCELERATION_TOLERANCE = 1e-9
"""Acceleration at rest, relative to gravity, at least 1 m/s² or rad/s²."""


def contact_equilibrium(
    system: System,
    guess: Mapping[str, object] | None,
    inputs: Mapping[str, object] | None,
    parameters: Mapping[str, object] | None,
    t: float,
) -> OperatingPoint:
    """Return the equilibrium at a position, with the loads of rigid contacts among its inputs.

    Friction at rest leaves the position open, so that it is not searched: where no contact loads hold the bodies, it
    is an error that names the accelerations.
    """
    start = assemble(system, guess or {}, parameters=parameters, t=t).parts
    acting = input_values(system, inputs, parameters, t)
    found = contacts_at_rest(system, start, t, system.model.values(parameters), acting)
    state = StateParts(found.q, np.zeros_like(start.u), start.z)
    point = point_of(
        system,
        state,
        t=t,
        parameters=parameters,
        inputs={**acting, **found.loads},
        kind=OperatingKind.EQUILIBRIUM,
    )
    limit = _ACCELERATION_TOLERANCE * max(1.0, gravity_of(system, parameters))
    moving = [
        f"{name} {value:.4g}" for name, value in zip(system.speed_names, point.udot, strict=True) if abs(value) > limit
    ]
    if moving:
        raise StateError(
            f"{system.model.name!r} is not in equilibrium at this position: accelerations of {first_few(moving)}. With "
            "rigid contacts the position is not searched, since friction may hold many. Give another one, such as the "
            "last of a simulation that comes to rest: guess=dict of its coordinates."
        )
    reason = "it is not examined with rigid contacts."
    return replace(point, stability=Stability(Verdict.UNDECIDED, reason), notes=found.notes)
