"""Neutral directions: displacements that change nothing, written by coordinate."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.system import System


def simplest(directions: Floats) -> Floats:
    """Return a basis of the same directions in which each has a leading entry that no other has.

    >>> simplest(np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 0.0]])).T.round(6) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    if not directions.size:
        return directions
    from scipy.linalg import qr

    _, _, order = qr(directions.T, pivoting=True, mode="economic")
    leading = order[: directions.shape[1]]
    found = directions @ np.linalg.inv(directions[leading])
    found[np.abs(found) < 1e-9] = 0.0
    return np.asarray(found)


def written(system: System, directions: Floats, scales: Floats) -> list[str]:
    """Return each direction by the coordinates that take part in it."""
    said = []
    for column in simplest(directions / scales[:, None]).T:
        parts = [name for name, share in zip(system.speed_names, column, strict=True) if abs(share) > 1e-6]
        names = ", ".join(repr(name.removesuffix(".rate")) for name in parts[:6])
        more = f" and {len(parts) - 6} more" if len(parts) > 6 else ""
        said.append(f"{names}{more} together" if len(parts) > 1 else names)
    return said
