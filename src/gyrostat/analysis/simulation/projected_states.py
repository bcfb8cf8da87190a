"""States between steps, projected onto the constraints, which interpolation violates slightly."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.program import Program
from gyrostat.system import System

_AMPLIFICATION_LIMIT = 1e3
"""Changes of speeds by a projection, in terms of the residual speeds, above which a position is so near a singular one
that interpolated speeds are more accurate than projected ones."""

_ROUNDING = 4e-16
"""Residuals, in terms of the size of the mechanism, that another step does not reduce."""


def projected_states(system: System, programs: tuple[Program, Program], rows: Floats, z: Floats) -> StateParts:
    """Return the states of rows of arguments on the constraints; programs project coordinates and speeds.

    The rows are changed. At a singular position a step of the projection may lead away, so that the nearest one counts,
    and speeds that would change far more than the constraints are violated stay as they are.
    """
    (coordinates, speeds), layout = programs, system.row
    n_q, n_u = system.coordinates.n_q, system.coordinates.n_u
    nearest, best = np.full(len(rows), np.inf), rows[:, layout.q].copy()
    for _ in range(3):
        found = coordinates.loop(rows)
        left = np.abs(found[:, n_q:]).max(axis=1, initial=0.0)
        better = left < nearest
        nearest[better], best[better] = left[better], rows[better, layout.q]
        if (left <= _ROUNDING * system.model_size).all():  # as at the ends of steps
            break
        rows[:, layout.q] = _unit(system, found[:, :n_q].copy())
    rows[:, layout.q] = best
    found = speeds.loop(rows)
    change = np.abs(found[:, :n_u] - rows[:, layout.u]).max(axis=1, initial=0.0)
    left = np.abs(found[:, n_u:]).max(axis=1, initial=0.0)
    regular = change * system.model_size <= _AMPLIFICATION_LIMIT * left
    rows[regular, layout.u] = found[regular, :n_u]
    return StateParts(rows[:, layout.q], rows[:, layout.u], z)


def _unit(system: System, q: Floats) -> Floats:
    """Give Euler parameters unit length."""
    for first in system.coordinates.euler_parameters.values():
        q[:, first : first + 4] /= np.linalg.norm(q[:, first : first + 4], axis=1, keepdims=True)
    return q
