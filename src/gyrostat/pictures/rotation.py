"""Rotations by unit quaternions, Hamilton, scalar first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gyrostat.lazy import LaterModule

if TYPE_CHECKING:
    from scipy.spatial import transform
else:
    transform = LaterModule("scipy.spatial.transform")


def rotated(quaternions: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return R(e) r = r + 2 e₀ (e × r) + 2 e × (e × r) for quaternions (…, 4) and points (…, 3).

    >>> rotated(np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0])).tolist()
    [-1.0, -2.0, 3.0]
    """
    e0, e = quaternions[..., :1], quaternions[..., 1:]
    twice = 2 * np.cross(e, points)
    return np.asarray(points + e0 * twice + np.cross(e, twice))


def quaternion_of(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit quaternion (4,) of a rotation matrix (3, 3)."""
    return np.asarray(transform.Rotation.from_matrix(rotation).as_quat(canonical=True)[[3, 0, 1, 2]])
