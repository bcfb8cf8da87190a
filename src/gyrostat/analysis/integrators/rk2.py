"""The methods of Runge and Kutta of second order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gyrostat.analysis.integrators.integrator import positive
from gyrostat.analysis.integrators.runge_kutta import FixedStep
from gyrostat.analysis.integrators.tableau import Tableau


@lru_cache
def _tableau(alpha: float) -> Tableau:
    late = 1 / (2 * alpha)
    return Tableau("RK2", 2, a=np.array([[0, 0], [alpha, 0]]), b=np.array([1 - late, late]), c=np.array([0, alpha]))


@dataclass(frozen=True)
class RK2(FixedStep):
    """Two stages, order 2 (Crous 2000, eq. 3.6.4, whose weights are 1 − 1/(2α) and 1/(2α), not the printed α and β).

    α is where in the step the second stage lies: 1 is Heun's method, 1/2 the midpoint method.
    """

    alpha: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self.alpha, self, "alpha")

    @property
    def tableau(self) -> Tableau:
        """Two stages."""
        return _tableau(float(self.alpha))
