"""Euler's method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gyrostat.analysis.integrators.runge_kutta import FixedStep
from gyrostat.analysis.integrators.tableau import Tableau


@lru_cache
def _tableau() -> Tableau:
    return Tableau("Euler", 1, a=np.zeros((1, 1)), b=np.ones(1), c=np.zeros(1))


@dataclass(frozen=True)
class Euler(FixedStep):
    """Euler's method, order 1 (Crous 2000, eq. 3.6.2): for teaching, and for very rough models.

    >>> Euler(step=1e-4).tableau.order
    1
    """

    @property
    def tableau(self) -> Tableau:
        """One stage."""
        return _tableau()
