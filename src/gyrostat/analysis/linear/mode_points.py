"""How bodies and points move in a mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.linear.spectrum import Complexes
from gyrostat.coordinates.arguments import Floats
from gyrostat.kinematics.placement import place_on_body
from gyrostat.model.kinds import End
from gyrostat.signals import AXES

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.linear.modes import Mode


def body_motions(mode: Mode) -> tuple[Complexes, Complexes, Floats]:
    """Return displacements of the bodies' frames, their small turns, and their rotations, in world axes.

    Velocities are linear in the speeds; with δθ in their place they are displacements.
    """
    found = mode.linear.flow.found
    system, point = found.system, found.point
    real, imaginary = mode.motion.real, mode.motion.imag
    speeds = np.stack((np.zeros_like(real), real, imaginary))
    moved = system.body_motion(
        np.broadcast_to(point.q, (3, len(point.q))), speeds, t=point.t, parameters=point.parameters
    )
    shifts = moved.velocities[1] - moved.velocities[0] + 1j * (moved.velocities[2] - moved.velocities[0])
    turns = moved.omegas[1] - moved.omegas[0] + 1j * (moved.omegas[2] - moved.omegas[0])
    return shifts, turns, moved.rotations[0]


def point_motions(mode: Mode) -> xarray.Dataset:
    """Return complex displacements of bodies, points and frames by name, and turns of bodies."""
    import xarray

    system, point = mode.linear.system, mode.linear.point
    shifts, turns, rotations = body_motions(mode)
    value = system.model.evaluator(point.parameters)
    names: list[str] = []
    moved: list[Complexes] = []
    for i, name in enumerate(system.bodies):
        body = system.model.bodies[name]
        for end in (End(name), *(End(name, place) for place in (*body.points, *body.frames))):
            arm = rotations[i] @ place_on_body(system.model, end, value)[1]
            names.append(str(end))
            moved.append(shifts[i] + np.cross(turns[i], arm))
    axes = list(AXES)
    return xarray.Dataset(
        {
            "displacement": (("place", "axis"), np.array(moved)),
            "turn": (("body", "axis"), turns),
        },
        coords={"place": names, "body": list(system.bodies), "axis": axes},
    )
