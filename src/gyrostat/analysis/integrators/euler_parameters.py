"""Euler parameters in states: their unit length, which solvers do not keep."""

from __future__ import annotations

from typing import Any

import numpy as np

from gyrostat.coordinates.arguments import Floats


def normalise(y: Floats, rotations: Any) -> None:
    """Give the Euler parameters of a state unit length; rotations have the place of the first of four."""
    for place in rotations[:, 0]:
        y[place : place + 4] /= np.linalg.norm(y[place : place + 4])


def drift_of_lengths(y: Floats, rotations: Any) -> float:
    """Return by how much the squared length of any rotation's Euler parameters differs from one."""
    squares = y[rotations[:, :1] + np.arange(4)] ** 2
    return float(np.abs(squares.sum(axis=1) - 1.0).max())
