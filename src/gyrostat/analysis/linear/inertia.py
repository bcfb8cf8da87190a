"""A check that every motion has inertia, without which no acceleration follows from loads."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.system import System

_SINGULAR = 1e-12
_PLAINLY = 1e-4


def demand_inertia(system: System, mass: Floats, basis: Floats) -> None:
    """Raise an error where a mass matrix, reduced to a basis of motions, is empty or singular."""
    if not len(mass):
        raise StateError(
            f"The constraints of {system.model.name!r} leave it no freedom, so that it has no linear model. Remove a "
            "driver or a constraint."
        )
    sizes = np.sqrt(np.abs(np.diag(mass)))
    sizes[sizes == 0.0] = 1.0
    scaled = mass / np.outer(sizes, sizes)
    if _plainly_positive(scaled):
        return
    values, vectors = np.linalg.eigh(scaled)
    if values[0] > _SINGULAR * max(values[-1], 1e-300):
        return
    direction = np.abs(basis @ (vectors[:, 0] / sizes))
    shown = [i for i in np.argsort(-direction)[:3] if direction[i] > 1e-3 * direction.max()]
    told = ", ".join(repr(system.speed_names[i]) for i in shown)
    raise StateError(
        f"The mass matrix of {system.model.name!r} is singular: motion with {told} has no inertia. Give the "
        "bodies that move there mass or inertia."
    )


def _plainly_positive(matrix: Floats) -> bool:
    """Tell whether a matrix with ones on its diagonal is far from singular, by its pivots."""
    try:
        pivots = np.diag(np.linalg.cholesky(matrix))
    except np.linalg.LinAlgError:
        return False
    return bool((pivots > _PLAINLY).all())
