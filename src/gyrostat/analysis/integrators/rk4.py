"""The classical method of Runge and Kutta."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gyrostat.analysis.integrators.runge_kutta import FixedStep
from gyrostat.analysis.integrators.tableau import Tableau


@lru_cache
def _tableau() -> Tableau:
    a = np.zeros((4, 4))
    a[1, 0] = a[2, 1] = 1 / 2
    a[3, 2] = 1
    return Tableau("RK4", 4, a=a, b=np.array([1, 2, 2, 1]) / 6, c=np.array([0, 1 / 2, 1 / 2, 1]))


@dataclass(frozen=True)
class RK4(FixedStep):
    """Four stages, order 4 (Crous 2000, eq. 3.6.5)."""

    @property
    def tableau(self) -> Tableau:
        """Four stages."""
        return _tableau()
