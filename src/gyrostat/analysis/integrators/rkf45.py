"""The method of Runge, Kutta and Fehlberg."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gyrostat.analysis.integrators.runge_kutta import VariableStep
from gyrostat.analysis.integrators.tableau import Tableau, bootstrapped_quartic


@lru_cache
def _tableau() -> Tableau:
    a = np.zeros((6, 6))
    a[1, 0] = 1 / 4
    a[2, :2] = 3 / 32, 9 / 32
    a[3, :3] = 1932 / 2197, -7200 / 2197, 7296 / 2197
    a[4, :4] = 439 / 216, -8, 3680 / 513, -845 / 4104
    a[5, :5] = -8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40
    fourth = np.array([25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0])
    fifth = np.array([16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55])
    extra_a, extra_c, dense = bootstrapped_quartic(fifth)
    return Tableau(
        "RKF45",
        5,
        a=a,
        b=fifth,
        c=np.array([0, 1 / 4, 3 / 8, 12 / 13, 1, 1 / 2]),
        error=np.append(fifth - fourth, 0.0)[None, :],
        error_order=5,
        extra_a=extra_a,
        extra_c=extra_c,
        dense=dense,
    )


@dataclass(frozen=True)
class RKF45(VariableStep):
    """Six stages, orders 4 and 5 (Crous 2000, eq. 3.6.6); their difference controls the step."""

    @property
    def tableau(self) -> Tableau:
        """Six stages."""
        return _tableau()
