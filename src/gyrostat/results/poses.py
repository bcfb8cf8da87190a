"""Poses of bodies at one or many states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class BodyPose:
    """The pose of a body's frame B in the world W: position (…, 3), rotation R_WB (…, 3, 3)."""

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """The rotation as a unit quaternion (…, 4), Hamilton, scalar first and not negative."""
        from scipy.spatial.transform import Rotation

        flat = Rotation.from_matrix(self.rotation.reshape(-1, 3, 3)).as_quat(canonical=True)
        return np.asarray(flat[:, [3, 0, 1, 2]].reshape(*self.rotation.shape[:-2], 4))


@dataclass(frozen=True)
class Poses(Mapping[str, BodyPose]):
    """The poses of all moving bodies by name: rotations (…, bodies, 3, 3), positions (…, bodies, 3)."""

    bodies: tuple[str, ...]
    rotations: NDArray[np.float64]
    positions: NDArray[np.float64]

    def __getitem__(self, body: str) -> BodyPose:
        if body not in self.bodies:
            raise KeyError(body)
        i = self.bodies.index(body)
        return BodyPose(self.positions[..., i, :], self.rotations[..., i, :, :])

    def __iter__(self) -> Iterator[str]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)
