"""Outputs that tell of a motion: coordinates, or speeds, that change in it."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.system import System

_ROUNDING = 1e-10
"""Change of an angle (rad), or of a length in sizes of the scene, up to which an output counts as constant."""


def changing_outputs(system: System, outputs: Outputs, size: float) -> list[str]:
    """Return the coordinates that change, or the speeds where none does; at rest, all coordinates.

    Euler parameters are left out: angular velocities tell more. `size` is that of the scene (m).
    """
    measures = system.coordinates.measures
    coordinates = [name for name, measure in measures.items() if measure != "number"]

    def changes(name: str) -> bool:
        length = system.signal_table[name].unit in ("m", "m/s")
        return bool(np.ptp(outputs.values(name)) > _ROUNDING * (size if length else 1.0))

    for names in (coordinates, system.speed_names):
        if found := [name for name in names if changes(name)]:
            return found
    return coordinates
