"""Momenta of a system at one or many states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


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
