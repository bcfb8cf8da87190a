"""Motions that are integrated together by fixed steps, as the batched loop takes them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gyrostat.analysis.kernels.problem import Floats, Rotations, Tables
from gyrostat.coordinates.row import FIRST


class FixedMethod(NamedTuple):
    """An explicit Runge–Kutta method: the numbers that `ExplicitTableau` explains."""

    a: Floats
    """Shape (all stages, all stages): row s has the weights of earlier stages, row `stages` those of the end of the
    step; stages beyond it serve `dense`."""
    c: Floats
    dense: Floats
    stages: int


class Batch(NamedTuple):
    """Motions that are integrated together."""

    rates: int
    """Address of the rates of many rows."""
    tables: Tables
    rotations: Rotations
    breaks: Floats
    x: Floats
    """Shape (motions, size of x): what the programs take."""
    y: Floats
    """Shape (motions, size of y): the states."""
    k: Floats
    """Shape (all stages, motions, size of y): the rates of the stages; the first is known between calls."""
    grid: Floats
    states: Floats
    """Shape (motions, output times, size of y)."""
    step: Floats
    new: Floats
    stage: Floats
    """Room for steps and states of all motions."""
    polynomial: Floats
    way: Floats
    """Room for the polynomial of a step of one motion."""

    @staticmethod
    def of(
        method: FixedMethod,
        rates: int,
        tables: Tables,
        rotations: Rotations,
        breaks: Floats,
        x: Floats,
        grid: Floats,
        size: int,
    ) -> Batch:
        """Return motions that begin with states of a size in the rows of x."""
        y = x[:, FIRST : FIRST + size].copy()
        count, degree = method.dense.shape
        states = np.empty((len(x), len(grid), size))
        states[:, 0] = y
        return Batch(
            rates, tables, rotations, breaks, x, y, np.empty((count, *y.shape)), grid, states,
            np.zeros(y.shape), y.copy(), np.empty(y.shape), np.empty((degree, size)), np.empty(size),
        )  # fmt: skip
