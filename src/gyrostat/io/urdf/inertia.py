"""Inertias that belong to no body, as real files have them, and the nearest ones that do."""

from __future__ import annotations

from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.io.plain_values import made
from gyrostat.io.urdf.description import LinkDescription
from gyrostat.model.checks.mass import violation
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.frame import Frame, rotation_of_turn
from gyrostat.scalar import FloatScalars
from gyrostat.spatial import MassProperties

Floats = NDArray[np.float64]


class InertiaPolicy(Enum):
    """Treatment of an inertia that belongs to no body."""

    WARN = "warn"  # repaired, with a warning
    REPAIR = "repair"  # repaired
    REFUSE = "refuse"  # an error


def link_axes_inertia(link: LinkDescription) -> Floats:
    """Return the inertia of a link about its mass centre, in the axes of the link."""
    turn = made(Frame, turn=link.inertial.turn).turn
    R = np.array(rotation_of_turn(turn, Evaluator(FloatScalars(), _no_parameter)), dtype=float)
    inertia = R @ np.array(link.inertia) @ R.T
    return np.asarray((inertia + inertia.T) / 2)


def is_physical(mass: float, com: Any, inertia: Floats) -> bool:
    """Return whether a body can have these mass properties, by the rule of the model's check."""
    if mass == 0:
        return not inertia.any()
    x, y, z = (tuple(row) for row in inertia.tolist())
    properties = MassProperties(mass, tuple(com), (x, y, z))
    return violation(properties, sorted(np.linalg.eigvalsh(inertia).tolist())) is None


def repaired(mass: float, inertia: Floats) -> Floats:
    """Return the nearest inertia that a body can have.

    The second moments of mass S = ½ tr(I) 1 − I of a body are positive semidefinite, and I = tr(S) 1 − S. Negative
    eigenvalues of S are replaced by zero. A body without mass has no inertia.
    """
    if mass == 0:
        return np.zeros((3, 3))
    second = np.trace(inertia) / 2 * np.eye(3) - inertia
    values, vectors = np.linalg.eigh(second)
    second = (vectors * np.maximum(values, 0)) @ vectors.T
    found = np.trace(second) * np.eye(3) - second
    return np.asarray((found + found.T) / 2)


def _no_parameter(name: str) -> float:
    raise AssertionError(f"a URDF file has no parameters, {name!r} neither")
