"""Powers that change the energy of a system, at one or many states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


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
