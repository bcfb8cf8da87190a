"""Forces of contacts as lines from their points of contact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.errors import PictureError
from gyrostat.model.forces import Contact, RigidContact, Tyre
from gyrostat.model.names import did_you_mean
from gyrostat.pictures.scene import LineKind, Polyline, Reading
from gyrostat.system import System

_LONGEST = 0.25
"""The length of the largest force, in sizes of the scene."""
_COLOUR = "#d1495b"


def force_lines(system: System, outputs: Outputs, names: Sequence[str], size: float) -> list[Polyline]:
    """Return a line for each contact: along its force on a, from its place; where a contact is open, there is none.

    All lines have one scale, in which the largest force is a quarter of the scene.
    """
    known = [name for name, one in system.model.forces.items() if isinstance(one, Contact | RigidContact | Tyre)]
    for name in names:
        if name not in known:
            raise PictureError(f"There is no contact {name!r} whose force could be drawn. {did_you_mean(name, known)}")
    found = {name: np.asarray(outputs[f"{name}.total"].values) for name in names}
    largest = max((float(np.linalg.norm(force, axis=1).max()) for force in found.values()), default=0.0)
    lines = []
    for name, force in found.items():
        place = outputs[f"{name}.point"].values
        ends = np.stack((place, place + force * (_LONGEST * size / max(largest, 1e-300))), axis=1)
        ends[np.linalg.norm(force, axis=1) == 0.0] = np.nan
        reading = Reading("force", "N", np.linalg.norm(force, axis=1))
        lines.append(Polyline(name, LineKind.LINK, ends, colour=_COLOUR, readings=[reading]))
    return lines
