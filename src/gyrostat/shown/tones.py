"""Colours of bodies by a quantity: speed or kinetic energy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import PictureError
from gyrostat.model import Body
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.pictures.scene import ColourScale, SceneBody
from gyrostat.system import System

QUANTITIES = {"speed": "m/s", "energy": "J", "moment": "N·m"}
"""Quantities by which bodies and beams can be coloured, with units. Beams have their bending moments in any case."""


def checked_quantity(name: str) -> str:
    """Return the name of a quantity; refuse others."""
    if name not in QUANTITIES:
        raise PictureError(f"Bodies cannot be coloured by {name!r}. {did_you_mean(name, QUANTITIES)}")
    return name


def coloured(
    system: System, recorded: Recorded, value: Evaluator, bodies: Sequence[SceneBody], quantity: str
) -> tuple[list[SceneBody], ColourScale]:
    """Return bodies with tones: the speed of their mass centres or their kinetic energy, from zero to the largest."""
    model = system.model
    moving = [body.name for body in bodies if body.name != GROUND]
    found = {name: _values(model.bodies[name], recorded, value, quantity) for name in moving}
    largest = max((float(values.max()) for values in found.values()), default=0.0)
    label = "speed of the mass centre" if quantity == "speed" else "kinetic energy"
    painted = [
        replace(body, tones=np.clip(found[body.name] / (largest or 1.0), 0.0, 1.0)) if body.name in found else body
        for body in bodies
    ]
    return painted, ColourScale(label, QUANTITIES[quantity], 0.0, largest)


def _values(body: Body, recorded: Recorded, value: Evaluator, quantity: str) -> Floats:
    """Return the speed of the mass centre or the kinetic energy of a body as a rigid one, (N,)."""
    mass = body.mass_properties(value)
    R_WB, omega = recorded.body_rotations(body.name), recorded.omega(body.name).T
    arm = R_WB @ np.array(mass.com, dtype=float)
    velocity = recorded.velocity(End(body.name)).T + np.cross(omega, arm)
    if quantity == "speed":
        return np.asarray(np.linalg.norm(velocity, axis=1))
    local = np.einsum("nji,nj->ni", R_WB, omega)
    turning = np.einsum("ni,ij,nj->n", local, np.array(mass.inertia, dtype=float), local)
    return np.asarray(0.5 * float(mass.mass) * (velocity**2).sum(axis=1) + 0.5 * turning)
