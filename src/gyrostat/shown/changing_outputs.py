"""Outputs that tell of a motion: coordinates, or speeds, that change in it."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.system import System

_ROUNDING, _SPEED_ROUNDING = 1e-10, 1e-8
"""Changes of angles (rad), of lengths in sizes of the scene, and of their rates per second, that count as none."""


def changing_outputs(system: System, outputs: Outputs, size: float) -> list[str]:
    """Return the coordinates that change, or the speeds where none does; at rest, all coordinates.

    Euler parameters are left out: angular velocities tell more. `size` is that of the scene (m).
    """
    measures = system.coordinates.measures
    coordinates = [name for name, measure in measures.items() if measure != "number"]

    def changes(name: str, least: float) -> bool:
        length = system.signal_table[name].unit in ("m", "m/s")
        return bool(np.ptp(outputs.values(name)) > least * (size if length else 1.0))

    for names, least in ((coordinates, _ROUNDING), (system.speed_names, _SPEED_ROUNDING)):
        if found := [name for name in names if changes(name, least)]:
            return found
    return coordinates
