"""Places on bodies from numbers, as readers of other formats have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gyrostat.io.plain_values import made
from gyrostat.model import Frame
from gyrostat.model.kinds import End

Numbers: TypeAlias = Sequence[float] | NDArray[np.float64]


def numbers(values: Numbers) -> tuple[Any, ...]:
    """Return numbers of an array as plain ones; −0 as 0."""
    return tuple(float(x) + 0.0 for x in values)


def turn_of(quaternion: Numbers) -> list[tuple[Any, float]]:
    """Return the rotation of a unit quaternion (e0 first) as axis and angle, or none."""
    e0, *e = (float(x) for x in quaternion)
    size = float(np.linalg.norm(e))
    return [] if size < 1e-15 else [(tuple(x / size for x in e), 2 * float(np.arctan2(size, e0)))]


def place(body: str, at: Numbers, quaternion: Numbers = (1, 0, 0, 0)) -> End:
    """Return a place on a body: its own frame, a point or a frame."""
    turn, position = turn_of(quaternion), numbers(at)
    if turn:
        return End(body, None, made(Frame, position, turn))
    return End(body, None, made(Frame, position).at) if any(position) else End(body)


def rotated(quaternion: NDArray[np.float64], vector: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a vector rotated by a unit quaternion, e0 first."""
    e0, e = quaternion[0], quaternion[1:]
    across = np.cross(e, vector)
    return np.asarray(vector + 2 * (e0 * across + np.cross(e, across)))


def product(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the quaternion of the rotation by b, then by a."""
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *vector])


def quaternion_of(R: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the unit quaternion of a rotation matrix, e0 first and not negative, from its largest component."""
    trace = float(np.trace(R))
    squares = np.array([trace, R[0, 0], R[1, 1], R[2, 2]]) * 2 - trace + 1  # 4 e²
    k = int(np.argmax(squares))
    e = np.zeros(4)
    axial = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    e[k] = np.sqrt(max(float(squares[k]), 0.0)) / 2
    if k == 0:
        e[1:] = axial / (4 * e[0])
    else:
        symmetric = R + R.T
        e[0] = axial[k - 1] / (4 * e[k])
        for j in range(3):
            if j != k - 1:
                e[j + 1] = symmetric[k - 1, j] / (4 * e[k])
    e /= np.linalg.norm(e)
    return -e if e[0] < 0 else e


def turn_of_matrix(R: NDArray[np.float64]) -> list[tuple[Any, float]]:
    """Return a rotation as axis and angle, or none."""
    return turn_of(quaternion_of(R)) if not np.array_equal(R, np.eye(3)) else []


def place_of_pose(body: str, pose: NDArray[np.float64]) -> End:
    """Return a place on a body from a 4 × 4 matrix."""
    return place(body, pose[:3, 3], quaternion_of(pose[:3, :3]))
