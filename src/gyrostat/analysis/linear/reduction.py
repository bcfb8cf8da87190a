"""Reduction to independent variations: a basis of all variations that obey the constraints.

Small changes of positions obey Φ_θ δθ = 0, and with them those of speeds s_θ δθ + A δu = 0. The basis is

    δθ = T_p x_p,    δu = T_v x_p + T_u x_u.

Without nonholonomic constraints there are as many x_u as x_p; with them, fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from gyrostat.analysis.linear.variations import Variations, variation_names
from gyrostat.closing.closing import Closer
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

_DEPENDENT = 1e-9
_NEAR_LARGEST = 0.3
"""A column is good enough to be solved for if what is left of it is this much of the largest."""


class Basis(Enum):
    """How independent variations are chosen, where not by naming coordinates."""

    ORTHONORMAL = "orthonormal"
    """Combinations of coordinates, orthonormal as columns: x1, x2, … (004 eq 4.13)."""


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
        np.linalg.lstsq(whole, np.vstack((right, np.zeros((len(pick), right.shape[1])))), rcond=_DEPENDENT)[0]
    )


def reduce_variations(found: Variations, chosen: Sequence[str] | Basis | None = None) -> Reduction:
    """Return a basis of the variations that obey the constraints.

    `chosen` names coordinates that are to be independent, as far as there are freedoms, or is a kind of basis.
    """
    system = found.system
    names = variation_names(system)
    holonomic = found.residual_by_position[np.abs(found.residual_by_position).max(axis=1, initial=0.0) > 0.0]
    _demand_regular(found)
    if chosen is Basis.ORTHONORMAL:
        return _orthonormal(found, holonomic)
    wanted = _places(names, () if chosen is None else tuple(chosen))
    scales = Closer(system).scales
    dependent = _dependent(holonomic * scales, _order(len(names), wanted, ()))
    _demand_independent(names, wanted, dependent, len(names) - len(dependent))
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


def _orthonormal(found: Variations, holonomic: Floats) -> Reduction:
    T_p, T_u = null_space(holonomic), null_space(found.matrix)
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
    """Return the places among which those to be solved for are looked for, in classes: the rather, the earlier."""
    rest = [i for i in reversed(range(size)) if i not in wanted]
    return [[i for i in rest if i in dependent], [i for i in rest if i not in dependent], list(reversed(wanted))]


def _dependent(matrix: Floats, classes: Sequence[Sequence[int]]) -> list[int]:
    """Return the columns that are solved for: as many as the rank, of early classes first, well apart."""
    left = matrix.copy()
    floor = _DEPENDENT * float(np.linalg.norm(matrix, axis=0).max(initial=0.0))
    found: list[int] = []
    for places in classes:
        open_places = list(places)
        while open_places:
            sizes = np.linalg.norm(left[:, open_places], axis=0)
            largest = float(sizes.max())
            if largest <= floor:
                break
            place = open_places.pop(int(np.argmax(sizes >= _NEAR_LARGEST * largest)))
            found.append(place)
            unit = left[:, place] / np.linalg.norm(left[:, place])
            left = left - np.outer(unit, unit @ left)
    return found


def _demand_independent(names: Sequence[str], wanted: Sequence[int], dependent: Sequence[int], freedom: int) -> None:
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
        basis[list(dependent)] = np.linalg.lstsq(matrix[:, list(dependent)], -matrix[:, free], rcond=_DEPENDENT)[0]
    return basis


def _demand_regular(found: Variations) -> None:
    """Raise an error at a position where constraints are fewer than nearby: a linear model has no meaning there."""
    system, point = found.system, found.point
    if not system.constrained:
        return
    closer = Closer(system, point.t, point.parameters)
    if closer.independent_rows(point.q) < system.rank.general:
        raise StateError(
            f"The position of {system.model.name!r} is singular: its constraints are fewer there than nearby, so that "
            "motions branch and no linear model describes them. Choose another operating point."
        )
