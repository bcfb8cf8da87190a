"""The initial state: values by name, completed from the model."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gyrostat.analysis.assembly.number import number
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System

_NORM_TOLERANCE = 1e-6
"""Tolerance of the norm of given Euler parameters, which are normalised."""


def initial_state(
    system: System, initial: Mapping[str, object] | None, parameters: Mapping[str, object] | None
) -> StateParts:
    """Return the state from given values and the model's initial values; unknown names are errors.

    Values are numbers, or formulas of parameters.
    """
    known = system.model.values(parameters)
    if parameters:
        state = system.initial_state(parameters)
    else:
        state = StateParts(system.initial_coordinates, system.initial_speeds, system.initial_states).copy()
    places = system.coordinates.place_of
    for name, value in (initial or {}).items():
        if name not in places:
            raise StateError(_refusal(system, name))
        part, place = places[name]
        getattr(state, part)[place] = number(name, value, known)
    q = state.q
    for joint, first in system.coordinates.euler_parameters.items():
        size = float(np.linalg.norm(q[first : first + 4]))
        if abs(size - 1.0) > _NORM_TOLERANCE:
            raise StateError(
                f"The Euler parameters of joint {joint!r} have norm {size:.6g}; it must be 1. Give all four, "
                f"{joint}.e0 to {joint}.e3, of a unit quaternion."
            )
        q[first : first + 4] /= size
    return state


def split_values(system: System, given: Mapping[str, object] | None) -> tuple[dict[str, object], dict[str, object]]:
    """Return the values of tree and driven coordinates and speeds, and those of loop-closing joints."""
    coordinates = system.coordinates
    own = {
        name: value
        for name, value in (given or {}).items()
        if name not in coordinates.chord_of or name.removesuffix(".rate") in coordinates.all_driven
    }
    return own, {name: value for name, value in (given or {}).items() if name not in own}


def _refusal(system: System, name: str) -> str:
    of_rate = name.removesuffix(".rate")
    if of_rate in system.coordinates.all_driven:
        return (
            f"The initial value of {name!r} contradicts the model: {of_rate!r} is driven, its motion is "
            f"{system.coordinates.all_driven[of_rate]!s:.60}. Leave the value out, or change the driver."
        )
    what = "coordinate, speed or state" if system.state_names else "coordinate or speed"
    return f"There is no {what} {name!r} for an initial value. {did_you_mean(name, system.coordinates.place_of)}"
