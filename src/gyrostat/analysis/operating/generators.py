"""Rotations of the axes in which joints with Euler parameters are varied."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.system import System


def spinning_axes(system: System) -> list[tuple[tuple[int, int, int], ...]]:
    """Return for each joint with Euler parameters the places of the speeds that are vectors in the child's axes."""
    places = {name: i for i, name in enumerate(system.speed_names)}
    found = []
    for joint in system.coordinates.euler_parameters:
        vectors = [tuple(places.get(f"{joint}.{kind}{k}", -1) for k in (1, 2, 3)) for kind in ("w", "v")]
        kept = tuple((x, y, z) for x, y, z in vectors if min(x, y, z) >= 0)
        if kept:
            found.append(kept)
    return found


def generators(system: System) -> list[Floats]:
    """Return Γ (n, n) for a unit angular velocity of each joint's axes, about each of its three axes."""
    n = system.coordinates.n_u
    found = []
    for vectors in spinning_axes(system):
        for axis in range(3):
            eta = np.eye(3)[axis]
            turning = -np.array([[0, -eta[2], eta[1]], [eta[2], 0, -eta[0]], [-eta[1], eta[0], 0]])
            whole = np.zeros((n, n))
            for places in vectors:
                whole[np.ix_(places, places)] = turning
            found.append(whole)
    return found
