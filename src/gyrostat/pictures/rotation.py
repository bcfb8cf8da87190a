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

_NO_TURN = np.eye(3)


def rotated(quaternions: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return R(e) r = r + 2 e₀ (e × r) + 2 e × (e × r) for quaternions (…, 4) and points (…, 3).

    >>> rotated(np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0])).tolist()
    [-1.0, -2.0, 3.0]
    """
    w, x, y, z = (quaternions[..., k] for k in range(4))
    a, b, c = (points[..., k] for k in range(3))
    d, e, f = 2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)  # by components: np.cross takes longer
    turned = (a + w * d + y * f - z * e, b + w * e + z * d - x * f, c + w * f + x * e - y * d)
    return np.stack(np.broadcast_arrays(*turned), axis=-1)


def quaternion_of(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit quaternion (4,) of a rotation matrix (3, 3)."""
    if (rotation == _NO_TURN).all():
        return np.array([1.0, 0.0, 0.0, 0.0])
    return np.asarray(transform.Rotation.from_matrix(rotation).as_quat(canonical=True)[[3, 0, 1, 2]])
