"""The descriptor form of a linear model: all coordinates, speeds, state variables and multipliers, E ẋ = A x."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.variations import variation_names
from gyrostat.coordinates.arguments import Floats

_RANK_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Descriptor:
    """E ẋ = A x + B w with x = (δθ, δu, δz, δλ); constraints of position are among the equations, not differentiated.

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
    n, m, own = len(found.mass), len(found.matrix), found.states
    held = np.abs(found.residual_by_position).max(axis=1, initial=0.0) > 0.0
    rows = independent_rows(found.matrix)
    names = [row.name for row in system.constraints] if m else []
    first = 2 * n + len(own.own)
    size = first + len(rows)
    E, A, B = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, flow.acting.count))
    position, speed, state, load = slice(n), slice(n, 2 * n), slice(2 * n, first), slice(first, size)
    E[position, position], E[speed, speed] = np.eye(n), found.mass
    E[[2 * n + place for place in own.free], [2 * n + place for place in own.free]] = 1.0
    A[position, position], A[position, speed] = found.carried, np.eye(n)
    A[speed, position], A[speed, speed], A[speed, state] = -found.load_by_position, -found.load_by_speed, -own.load
    A[speed, load] = -found.matrix[rows].T
    A[state, position], A[state, speed], A[state, state] = own.position, own.speed, own.own
    jacobians = (
        {name: flow.acting.of(part)[:, : flow.acting.count] for name, part in found.acting.items()} if B.size else {}
    )
    if jacobians:
        B[position], B[speed], B[state] = jacobians["carried"], -jacobians["load"], jacobians["state"]
    for line, row in enumerate(rows, first):
        if held[row]:
            A[line, position] = found.residual_by_position[row]
        else:
            A[line, position], A[line, speed] = found.speed_by_position[row], found.matrix[row]
        if jacobians:
            B[line] = jacobians["residual" if held[row] else "speed"][row]
    positions, speeds, kept = variation_names(system), system.speed_names, [names[row] for row in rows]
    rates = (
        f"{'rate' if place in own.free else 'equation'} of {name}" for place, name in enumerate(system.state_names)
    )
    equations = (*(f"rate of {name}" for name in positions), *(f"motion of {name}" for name in speeds), *rates, *kept)
    states = (*positions, *speeds, *system.state_names, *(f"load of {name}" for name in kept))
    return Descriptor(states, equations, E, A, B)


def independent_rows(matrix: Floats) -> list[int]:
    """Return rows that are independent and imply all others."""
    left = matrix.copy()
    floor = _RANK_TOLERANCE * float(np.linalg.norm(matrix, axis=1).max(initial=0.0))
    found: list[int] = []
    for i in range(len(matrix)):
        size = float(np.linalg.norm(left[i]))
        if size > floor:
            found.append(i)
            unit = left[i] / size
            left = left - np.outer(left @ unit, unit)
    return found
