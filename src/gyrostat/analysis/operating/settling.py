"""Settling: a mechanism creeps from a position to rest, as if in a thick fluid, until no load moves it.

Displacements follow the accelerations that a mechanism at rest would have: downhill, in the metric of the masses. Steps
are implicit and grow where the loads fade, so that near the end they are Newton's.
"""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.operating.neighbourhood import Neighbourhood
from gyrostat.closing.null_space import null_space, unit_rows
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_ITERATIONS = 400
_LONGEST_TURN = 0.3
_SETTLED = 1e-7


def settled(around: Neighbourhood, q: Floats, held: Floats | None = None) -> Floats:
    """Return a position where the mechanism has come to rest, or as far as it came; `held` are rows of what stays."""
    still = np.zeros(len(around.scales))
    now = q
    step = _first_step(around, q)
    for _ in range(_ITERATIONS):
        slopes = around.slopes(now, still)
        basis = _free_basis(around, now, held)
        mass = basis.T @ around.mass_matrix(now)
        inverse = np.linalg.solve(mass @ basis, mass) if basis.shape[1] else basis.T
        pull, stiffness = inverse @ slopes.udot, inverse @ slopes.along @ basis
        growth = float(np.linalg.eigvals(stiffness).real.max(initial=0.0))
        step = min(step, 0.5 / growth) if growth > 0.0 else step
        change = basis @ np.linalg.solve(np.eye(len(pull)) / step - stiffness, pull)
        length = float(np.abs(change / around.scales).max(initial=0.0))
        if length <= _SETTLED and growth <= 0.0:
            break
        if length > _LONGEST_TURN:
            change, step = change * (_LONGEST_TURN / length), step * 0.5
        else:
            step *= 3.0
        try:
            now = around.closed(around.moved(now, change))
        except StateError:
            step *= 0.1
    return now


def _first_step(around: Neighbourhood, q: Floats) -> float:
    udot = around.accelerations(q, np.zeros(len(around.scales)))
    return 0.1 / max(1e-6, float(np.abs(udot / around.scales).max(initial=0.0)))


def _free_basis(around: Neighbourhood, q: Floats, held: Floats | None) -> Floats:
    """Return the displacements that constraints, and what is held, allow."""
    basis = around.tangent(q)
    return basis if held is None or not len(held) else basis @ null_space(unit_rows(held @ basis))
