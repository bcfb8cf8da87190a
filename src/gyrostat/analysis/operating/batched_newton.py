"""Newton's method for many small systems of equations at once: the method of `newton.solve` in arrays of systems.

Only systems with as many independent equations as unknowns are solved; the others are left to `newton.solve`.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.operating.newton import CONVERGENCE_TOLERANCE, HALVINGS, ITERATIONS
from gyrostat.coordinates.arguments import Floats

Places = NDArray[np.intp]
"""Places of systems in the first axis of all arrays."""


class ManyEquations(Protocol):
    """Equations of many systems, each with n unknowns x in scales of their own."""

    def residuals(self, places: Places, x: Floats) -> Floats:
        """Return the residuals (N, n) of the systems at some places; not finite where they are not defined."""

    def jacobians(self, places: Places, x: Floats) -> Floats:
        """Return their derivatives (N, n, n)."""


def solve_many(equations: ManyEquations, x: Floats, *, longest: float, dependent: float) -> Floats:
    """Return the points reached from starts x (N, n), NaN where equations are dependent or not defined.

    longest: longest step of an unknown. dependent: singular values below this, relative to the largest, count as zero.
    """
    found, rest = x.copy(), np.arange(len(x))
    residuals = equations.residuals(rest, x)
    for _ in range(ITERATIONS):
        inverses = _inverses(equations.jacobians(rest, found[rest]), dependent)
        steps = _steps(inverses, residuals[rest])
        lost = ~np.isfinite(steps).all(axis=1)
        found[rest[lost]] = np.nan
        moving = ~lost & (np.abs(steps).max(axis=1) > CONVERGENCE_TOLERANCE)
        rest, inverses, steps = rest[moving], inverses[moving], steps[moving]
        if not len(rest):
            break
        advanced = _advance(equations, (rest, inverses, steps), found, residuals, longest)
        rest = rest[advanced]
    return found


def _inverses(jacobians: Floats, dependent: float) -> Floats:
    """Return the inverses of Jacobians; NaN where equations are dependent, in units of their own sizes."""
    sizes = np.linalg.norm(jacobians, axis=2)
    with np.errstate(all="ignore"):
        scaled = jacobians / sizes[:, :, None]
    regular = np.isfinite(scaled).all(axis=(1, 2))
    inverses = np.full(jacobians.shape, np.nan)
    left, values, right = np.linalg.svd(scaled[regular])
    independent = values[:, -1] > dependent * np.maximum(1.0, values[:, 0])
    places = np.flatnonzero(regular)[independent]
    turned = (
        right[independent].transpose(0, 2, 1) / values[independent][:, None, :] @ left[independent].transpose(0, 2, 1)
    )
    inverses[places] = turned / sizes[places][:, None, :]
    return inverses


def _steps(inverses: Floats, residuals: Floats) -> Floats:
    found: Floats = -np.einsum("kij,kj->ki", inverses, residuals)
    return found


def _advance(
    equations: ManyEquations, moves: tuple[Places, Floats, Floats], found: Floats, residuals: Floats, longest: float
) -> NDArray[np.bool_]:
    """Move points by the longest part of their steps that makes progress; tell which have moved."""
    rest, inverses, steps = moves
    factors = 1.0 / np.maximum(1.0, np.abs(steps).max(axis=1) / longest)
    lengths = np.linalg.norm(steps, axis=1)
    moved = np.zeros(len(rest), dtype=bool)
    for _ in range(HALVINGS):
        trying = np.flatnonzero(~moved)
        if not len(trying):
            break
        places = rest[trying]
        there = found[places] + factors[trying, None] * steps[trying]
        values = equations.residuals(places, there)
        defined = np.isfinite(values).all(axis=1)
        with np.errstate(all="ignore"):
            left = np.linalg.norm(_steps(inverses[trying], values), axis=1)
            better = defined & (left <= (1.0 - factors[trying] / 4) * lengths[trying])
        good = trying[better]
        found[rest[good]], residuals[rest[good]], moved[good] = there[better], values[better], True
        factors[trying] /= np.where(defined, 2.0, 4.0)
    return moved
