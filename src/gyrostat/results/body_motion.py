"""Motion of bodies at one or many states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.results.poses import BodyPose


@dataclass(frozen=True)
class BodyMotion:
    """The pose and velocities of a body's frame B in the world, in world axes.

    Position (…, 3), rotation R_WB (…, 3, 3), velocity of the origin of B (…, 3), angular velocity omega (…, 3).
    """

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    velocity: NDArray[np.float64]
    omega: NDArray[np.float64]

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """The rotation as a unit quaternion (…, 4), Hamilton, scalar first and not negative."""
        return BodyPose(self.position, self.rotation).quaternion


@dataclass(frozen=True)
class BodyMotions(Mapping[str, BodyMotion]):
    """The motion of all moving bodies by name.

    Positions, velocities and omegas have shape (…, bodies, 3), rotations (…, bodies, 3, 3).
    """

    bodies: tuple[str, ...]
    positions: NDArray[np.float64]
    rotations: NDArray[np.float64]
    velocities: NDArray[np.float64]
    omegas: NDArray[np.float64]

    def __getitem__(self, body: str) -> BodyMotion:
        if body not in self.bodies:
            raise KeyError(body)
        i = self.bodies.index(body)
        return BodyMotion(
            self.positions[..., i, :], self.rotations[..., i, :, :], self.velocities[..., i, :], self.omegas[..., i, :]
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)
