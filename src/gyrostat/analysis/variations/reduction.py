"""Reduction to independent variations: a basis of all variations that satisfy the constraints.

Small changes of positions satisfy Φ_θ δθ = 0, and with them those of speeds s_θ δθ + A δu = 0. The basis is

    δθ = T_p x_p,    δu = T_v x_p + T_u x_u.

Without nonholonomic constraints there are as many x_u as x_p; with them, fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.variations import ConstraintJacobians, Variations, variation_names
from gyrostat.closing.closing import Closer
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

_RANK_TOLERANCE = 1e-9
"""Singular values below this, relative to the largest, are zero."""
_COLUMN_RATIO = 0.3
"""A column may be solved for if its independent part is at least this much of the largest."""


class Basis(Enum):
    """How independent variations are chosen, where not by naming coordinates."""

    ORTHONORMAL = "orthonormal"
    """Combinations of coordinates, orthonormal as columns: x1, x2, …."""


@dataclass(frozen=True, eq=False)
class Reduction:
    """Independent variations x_p of positions and x_u of speeds, by name."""

    positions: tuple[str, ...]
    speeds: tuple[str, ...]
    position_basis: Floats
    """T_p (n, number of positions)."""
    speed_basis: Floats
    """T_u (n, number of speeds)."""
    carried_basis: Floats
    """T_v (n, number of positions)."""
    position_pick: Floats
    """L_p with L_p T_p = 1."""
    speed_pick: Floats
    """L_u with L_u T_u = 1 and L_u T_v = 0."""

    @property
    def holonomic(self) -> bool:
        """Whether speeds are as free as positions."""
        return len(self.positions) == len(self.speeds)

    @property
    def basis(self) -> Floats:
        """The independent variations as columns of (δθ, δu), shape (2n, number of positions and speeds)."""
        width = self.speed_basis.shape[1]
        upper = np.hstack((self.position_basis, np.zeros((len(self.position_basis), width))))
        return np.vstack((upper, np.hstack((self.carried_basis, self.speed_basis))))

    def particular(self, matrix: Floats, right: Floats) -> Floats:
        """Return V with A V = right that leaves the independent speeds alone, by least squares."""
        return particular(matrix, right, self.speed_pick)


def particular(matrix: Floats, right: Floats, pick: Floats) -> Floats:
    """Return V with `matrix` V = right and `pick` V = 0, by least squares."""
    if not len(matrix):
        return np.zeros((pick.shape[1], right.shape[1]))
    if not right.any():
        return np.zeros((matrix.shape[1], right.shape[1]))
    whole = np.vstack((matrix, pick))
    return np.asarray(
        np.linalg.lstsq(whole, np.vstack((right, np.zeros((len(pick), right.shape[1])))), rcond=_RANK_TOLERANCE)[0]
    )


def reduce_variations(found: Variations, chosen: Sequence[str] | Basis | None = None) -> Reduction:
    """Return a basis of the variations that satisfy the constraints.

    `chosen` names coordinates that are to be independent, as far as there are freedoms, or is a kind of basis.
    """
    system = found.system
    names = variation_names(system)
    if singular_position(found.point):
        raise StateError(
            f"The position of {system.model.name!r} is singular: its constraints are fewer there than nearby, so that "
            "motions branch and no linear model describes them. Choose another operating point."
        )
    if chosen is Basis.ORTHONORMAL:
        return orthonormal_reduction(found)
    holonomic = _holonomic_rows(found)
    wanted = _places(names, () if chosen is None else tuple(chosen))
    scales = Closer(system).scales
    dependent = _dependent(holonomic * scales, _order(len(names), wanted, ()))
    _require_independent(names, wanted, dependent, len(names) - len(dependent))
    T_p = _selected_basis(holonomic, dependent)
    all_holonomic = len(null_space(found.matrix).T) == T_p.shape[1]
    if all_holonomic:
        held, T_u = dependent, T_p
    else:
        held = _dependent(found.matrix * scales, _order(len(names), wanted, dependent))
        T_u = _selected_basis(found.matrix, held)
    free = [i for i in range(len(names)) if i not in dependent]
    moving = [i for i in range(len(names)) if i not in held]
    pick = np.eye(len(names))
    T_v = particular(found.matrix, -found.speed_by_position @ T_p, pick[moving])
    speeds = tuple(system.speed_names[i] for i in moving)
    return Reduction(tuple(names[i] for i in free), speeds, T_p, T_u, T_v, pick[free], pick[moving])


def orthonormal_reduction(found: Variations | ConstraintJacobians) -> Reduction:
    """Return an orthonormal basis of the variations that satisfy the constraints."""
    T_p, T_u = null_space(_holonomic_rows(found)), null_space(found.matrix)
    if T_p.shape == T_u.shape:
        T_u = T_p
    T_v = particular(found.matrix, -found.speed_by_position @ T_p, T_u.T)
    positions = tuple(f"x{i + 1}" for i in range(T_p.shape[1]))
    same = T_p.shape == T_u.shape
    speeds = tuple(f"{name}.rate" for name in positions) if same else tuple(f"v{i + 1}" for i in range(T_u.shape[1]))
    return Reduction(positions, speeds, T_p, T_u, T_v, T_p.T, T_u.T)


def _places(names: Sequence[str], chosen: Sequence[str]) -> list[int]:
    for name in chosen:
        if name not in names:
            raise StateError(f"There is no coordinate {name!r} to be independent. {did_you_mean(name, names)}")
    return [names.index(name) for name in chosen]


def _order(size: int, wanted: Sequence[int], dependent: Sequence[int]) -> list[list[int]]:
    """Return the places from which those to be solved for are chosen, in classes in order of preference."""
    rest = [i for i in reversed(range(size)) if i not in wanted]
    return [[i for i in rest if i in dependent], [i for i in rest if i not in dependent], list(reversed(wanted))]


def _dependent(matrix: Floats, classes: Sequence[Sequence[int]]) -> list[int]:
    """Return the columns that are solved for: as many as the rank, from early classes first, well conditioned."""
    left = matrix.copy()
    floor = _RANK_TOLERANCE * float(np.linalg.norm(matrix, axis=0).max(initial=0.0))
    found: list[int] = []
    for places in classes:
        open_places = list(places)
        while open_places:
            sizes = np.linalg.norm(left[:, open_places], axis=0)
            largest = float(sizes.max())
            if largest <= floor:
                break
            place = open_places.pop(int(np.argmax(sizes >= _COLUMN_RATIO * largest)))
            found.append(place)
            unit = left[:, place] / np.linalg.norm(left[:, place])
            left = left - np.outer(unit, unit @ left)
    return found


def _require_independent(names: Sequence[str], wanted: Sequence[int], dependent: Sequence[int], freedom: int) -> None:
    follows = [names[i] for i in wanted if i in dependent]
    if follows:
        others = ", ".join(repr(names[i]) for i in wanted if names[i] not in follows)
        raise StateError(
            f"{', '.join(map(repr, follows))} cannot be independent{f' beside {others}' if others else ''}: the "
            f"constraints leave {freedom} of freedom, in which it follows. Name other coordinates, or fewer."
        )


def _selected_basis(matrix: Floats, dependent: Sequence[int]) -> Floats:
    """Return the basis of the null space that is the identity on the columns that are not dependent."""
    size = matrix.shape[1]
    free = [i for i in range(size) if i not in dependent]
    basis = np.zeros((size, len(free)))
    basis[free] = np.eye(len(free))
    if dependent:
        basis[list(dependent)] = np.linalg.lstsq(matrix[:, list(dependent)], -matrix[:, free], rcond=_RANK_TOLERANCE)[0]
    return basis


def _holonomic_rows(found: Variations | ConstraintJacobians) -> Floats:
    """Return the rows of constraints on positions."""
    rows: Floats = found.residual_by_position[np.abs(found.residual_by_position).max(axis=1, initial=0.0) > 0.0]
    return rows


def singular_position(point: OperatingPoint) -> bool:
    """Return whether constraints are fewer at a position than nearby: a linear model has no meaning there."""
    system = point.system
    if not system.constrained:
        return False
    return Closer(system, point.t, point.parameters).independent_rows(point.q) < system.rank.general
