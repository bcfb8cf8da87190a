"""Energies of a system at one or many states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


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
