"""States of a system: the initial one, and those given by arrays or by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.closing.mapped_state import mapped_state
from gyrostat.coordinates.arguments import Floats, Parameters, Values, column_of, stacked
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.system.parameter_values import missing_value

if TYPE_CHECKING:
    from gyrostat.system.system import System


def initial_state(system: System, parameters: Parameters) -> StateParts:
    """Return the model's initial q, u and z.

    The model gives them for joint coordinates; other coordinates follow from the motion of the bodies.
    """
    parameters = parameters or system.reference_parameters
    if not system.coordinates.are_joint_coordinates:
        system.parameter_values(parameters)  # the motion of the bodies needs values of all parameters
        source = system.in_joint_coordinates
        return mapped_state(source, system, initial_state(source, parameters), 0.0, parameters)
    known = system.model.values(parameters)
    given = {j.full_name(label): f for j in system.topology.joints.values() for label, f in j.initial.items()}
    given |= {name: variable.initial for name, variable in system.model.state_variables.items()}
    missing = next((used for formula in given.values() for used in formula.names if used not in known), None)
    if missing is not None:
        raise StateError(missing_value(missing))

    def column(names: Sequence[str], rest: Sequence[int]) -> Floats:
        values = [given[n].value(known) if n in given else float(r) for n, r in zip(names, rest, strict=True)]
        return np.array(values, dtype=float)

    still, names = (0,) * system.coordinates.n_u, system.state_names
    return StateParts(
        column(system.coordinate_names, system.coordinates.rest),
        column(system.speed_names, still),
        column(names, (0,) * len(names)),
    )


def state_of(
    system: System, q: Values, u: Values | None, z: Values | None = None, parameters: Parameters = None
) -> StateParts:
    """Return the parts of states, each with its own leading axes; names left out have initial values."""
    own = system.initial_state(parameters).z if parameters and system.state_names else system.initial_states
    return StateParts(
        column_of(q, system.coordinate_names, system.initial_coordinates.tolist(), "coordinate"),
        column_of(u, system.speed_names, system.initial_speeds.tolist(), "speed"),
        column_of(z, system.state_names, own.tolist(), "state"),
    )


def states_of(system: System, q: Values, u: Values, z: Values | None = None) -> list[StateParts]:
    """Return the parts of each state given by arrays or by name."""
    states, _ = stacked(state_of(system, q, u, z))
    return [system.row.split(state) for state in states]
