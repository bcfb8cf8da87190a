"""The initial coordinates and speeds that a model gives, in a system's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.coordinates.arguments import Floats, Parameters

if TYPE_CHECKING:
    from gyrostat.system.system import System


def initial_values(system: System, parameters: Parameters) -> tuple[Floats, Floats]:
    """Return the model's initial q and u.

    The model has them for its joints; other coordinates follow from where these put the bodies.
    """
    if not system.coordinates.are_joint_coordinates:
        from gyrostat.closing.mapped_state import mapped_state

        source = system.in_joint_coordinates
        return mapped_state(source, system, *initial_values(source, parameters), 0.0, parameters)
    known = system.model.values(parameters)
    given = {j.full_name(label): f for j in system.topology.joints.values() for label, f in j.initial.items()}

    def column(names: Sequence[str], rest: Sequence[int]) -> Floats:
        values = [given[n].value(known) if n in given else float(r) for n, r in zip(names, rest, strict=True)]
        return np.array(values, dtype=float)

    still = (0,) * system.coordinates.n_u
    return column(system.coordinate_names, system.coordinates.rest), column(system.speed_names, still)
