"""The descriptor form of a linear model: all coordinates, speeds and multipliers, E ẋ = A x."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.variations import variation_names
from gyrostat.coordinates.arguments import Floats

_DEPENDENT = 1e-9


@dataclass(frozen=True, eq=False)
class Descriptor:
    """E ẋ = A x + B w with x = (δθ, δu, δλ); constraints of position are among the equations, no derivatives of them.

    Rows that follow from others are left out, so that the pencil is regular; its finite eigenvalues are those of the
    reduced model.
    """

    states: tuple[str, ...]
    equations: tuple[str, ...]
    E: Floats
    A: Floats
    B: Floats


def descriptor_of(flow: Flow) -> Descriptor:
    """Return the descriptor form; inputs act by their values."""
    found = flow.variations
    system = found.system
    n, m = len(found.mass), len(found.matrix)
    held = np.abs(found.residual_by_position).max(axis=1, initial=0.0) > 0.0
    rows = independent_rows(found.matrix)
    names = [row.name for row in system.constraints] if m else []
    k = len(rows)
    E, A = np.zeros((2 * n + k, 2 * n + k)), np.zeros((2 * n + k, 2 * n + k))
    B = np.zeros((2 * n + k, flow.acting.count))
    E[:n, :n], E[n : 2 * n, n : 2 * n] = np.eye(n), found.mass
    A[:n, :n], A[:n, n : 2 * n] = found.carried, np.eye(n)
    A[n : 2 * n, :n], A[n : 2 * n, n : 2 * n] = -found.load_by_position, -found.load_by_speed
    A[n : 2 * n, 2 * n :] = -found.matrix[rows].T
    jacobians = (
        {name: flow.acting.of(part)[:, : flow.acting.count] for name, part in found.acting.items()} if B.size else {}
    )
    if jacobians:
        B[:n], B[n : 2 * n] = jacobians["carried"], -jacobians["load"]
    for place, row in enumerate(rows):
        line = 2 * n + place
        if held[row]:
            A[line, :n] = found.residual_by_position[row]
        else:
            A[line, :n], A[line, n : 2 * n] = found.speed_by_position[row], found.matrix[row]
        if jacobians:
            B[line] = jacobians["residual" if held[row] else "speed"][row]
    positions, speeds = variation_names(system), system.speed_names
    kept = [names[row] for row in rows]
    equations = (*(f"rate of {name}" for name in positions), *(f"motion of {name}" for name in speeds), *kept)
    return Descriptor((*positions, *speeds, *(f"load of {name}" for name in kept)), equations, E, A, B)


def independent_rows(matrix: Floats) -> list[int]:
    """Return rows that are independent and imply all others."""
    left = matrix.copy()
    floor = _DEPENDENT * float(np.linalg.norm(matrix, axis=1).max(initial=0.0))
    found: list[int] = []
    for i in range(len(matrix)):
        size = float(np.linalg.norm(left[i]))
        if size > floor:
            found.append(i)
            unit = left[i] / size
            left = left - np.outer(left @ unit, unit)
    return found
