"""Mechanical quantities of a system at one or many states: poses, motion, energy, momentum, powers, reactions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

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


@dataclass(frozen=True)
class Energy:
    """Kinetic energy, potential energy of gravity, and energy stored in force elements by name (J).

    As an array it is the total.
    """

    kinetic: NDArray[np.float64]
    gravity: NDArray[np.float64]
    stored: Mapping[str, NDArray[np.float64]]

    @property
    def potential(self) -> NDArray[np.float64]:
        """The energy of gravity and of all force elements."""
        return np.asarray(self.gravity + sum(self.stored.values()))

    @property
    def total(self) -> NDArray[np.float64]:
        """All energy."""
        return np.asarray(self.kinetic + self.potential)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.total, dtype=dtype)

    def __float__(self) -> float:
        return float(self.total)


@dataclass(frozen=True)
class Momentum:
    """Momenta of all bodies together, rotors included, in world axes.

    `mass` (…), in kg; `mass_moment` (…, 3), mass times the mass centre's position (kg·m); `linear` (…, 3), in kg·m/s;
    `angular` (…, 3), about the world's origin (kg·m²/s).
    """

    mass: NDArray[np.float64]
    mass_moment: NDArray[np.float64]
    linear: NDArray[np.float64]
    angular: NDArray[np.float64]

    @property
    def mass_centre(self) -> NDArray[np.float64]:
        """The position of the mass centre (…, 3); nan where there is no mass."""
        mass = self.mass[..., None]
        nowhere = np.full(self.mass_moment.shape, np.nan)
        return np.asarray(np.divide(self.mass_moment, mass, out=nowhere, where=mass != 0))


@dataclass(frozen=True)
class Powers:
    """Powers by name, arrays of shape (…), in W.

    `forces` is the power of each force element's loads on the system, `stored_rates` the rate of its stored energy;
    states that store energy are among them, without a load. `drivers` has the drivers of driven coordinates, `rotors`
    the motors of rotors (body.rotor) with given motion, `constraints` the constraints that may depend on time.
    """

    forces: Mapping[str, NDArray[np.float64]]
    stored_rates: Mapping[str, NDArray[np.float64]]
    drivers: Mapping[str, NDArray[np.float64]]
    rotors: Mapping[str, NDArray[np.float64]]
    constraints: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def nonconservative(self) -> dict[str, NDArray[np.float64]]:
        """The power of each force element beyond the rate of its stored energy: negative for a damper."""
        return {name: power + self.stored_rates[name] for name, power in self.forces.items()}

    @property
    def total(self) -> NDArray[np.float64]:
        """The rate of all energy, kinetic, of gravity and stored: the power of force elements, drivers and motors."""
        every = [
            *self.nonconservative.values(),
            *self.drivers.values(),
            *self.rotors.values(),
            *self.constraints.values(),
        ]
        return np.asarray(sum(every, np.zeros(())))


@dataclass(frozen=True)
class Reaction:
    """Load of a joint's parent on its child at the child's joint point, world axes, arrays of shape (…, 3)."""

    force: NDArray[np.float64]
    moment: NDArray[np.float64]
