"""The method of Dormand and Prince of order 8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import Polynomial

from gyrostat.analysis.integrators import dop853_numbers as numbers
from gyrostat.analysis.integrators.runge_kutta import VariableStep
from gyrostat.analysis.integrators.tableau import Floats, Tableau


def _full(rows: Sequence[Mapping[int, float]], columns: int) -> Floats:
    matrix = np.zeros((len(rows), columns))
    for i, row in enumerate(rows):
        for j, value in row.items():
            matrix[i, j] = value
    return matrix


def _dense_weights(b: Floats) -> Floats:
    """Return the dense weights in powers of θ.

    Their authors write y0 + θ(f0 + (1−θ)(f1 + θ(f2 + (1−θ)(f3 + …)))) with f0 = y1 − y0, f1 = h k0 − f0,
    f2 = 2 f0 − h (k0 + k12), and f3 … f6 from all sixteen stages.
    """
    stages = 16
    difference, first, last = np.append(b, np.zeros(4)), np.eye(stages)[0], np.eye(stages)[12]
    terms = [difference, first - difference, 2 * difference - first - last, *_full(numbers.DENSE, stages)]
    weights = np.zeros((stages, 8))
    factor, theta = Polynomial([1]), Polynomial([0, 1])
    for i, term in enumerate(terms):
        factor = factor * (theta if i % 2 == 0 else 1 - theta)
        weights[:, : len(factor.coef)] += np.outer(term, factor.coef)
    return weights[:, 1:]


@lru_cache
def _tableau() -> Tableau:
    b = _full([numbers.WEIGHTS], 12)[0]
    return Tableau(
        "DOP853",
        8,
        a=_full(numbers.STAGES, 12),
        b=b,
        c=np.array(numbers.TIMES),
        error=_full(numbers.ERRORS, 13),
        error_order=8,
        extra_a=_full(numbers.EXTRA_STAGES, 16),
        extra_c=np.array(numbers.EXTRA_TIMES),
        dense=_dense_weights(b),
    )


@dataclass(frozen=True)
class DOP853(VariableStep):
    """Twelve stages, order 8, dense output of order 7: the default for everything that is not stiff.

    Dormand and Prince's method as written by Hairer, Nørsett and Wanner, with their control of the step.
    """

    @property
    def tableau(self) -> Tableau:
        """Twelve stages, and three for dense output."""
        return _tableau()
