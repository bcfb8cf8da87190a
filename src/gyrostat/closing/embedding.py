"""Embedding: independent speeds alone, the constraints eliminated (McPhee, part 4).

u = G u_i + g, where the columns of G are admissible motions, hence GᵀAᵀ = 0 and
GᵀMG u̇_i = Gᵀ(forcing − M c), u̇ = G u̇_i + c.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats, Values, column_of
from gyrostat.coordinates.independent_speeds import independent_speeds
from gyrostat.errors import StateError
from gyrostat.results.labelled_matrix import LabelledMatrix

if TYPE_CHECKING:
    from gyrostat.system.system import System

_RANK_TOLERANCE = 1e-10
"""The size of pivots, relative to the first, below which rows are redundant."""


@dataclass(frozen=True, eq=False)
class EmbeddedState:
    """The equations of motion in independent speeds, at one state."""

    independent: tuple[str, ...]
    """The names of the independent speeds."""
    dependent: tuple[str, ...]
    """The names of the others."""
    complement: LabelledMatrix
    """G (speeds × independent speeds): the orthogonal complement of the constraint matrix."""
    speeds: Floats
    """u = G u_i + g, which satisfies the constraints for any given dependent speeds."""
    mass_matrix: Floats
    """GᵀMG."""
    forcing: Floats
    """Gᵀ(forcing − M c)."""
    rates: Floats
    """u̇_i."""
    accelerations: Floats
    """u̇ of all speeds."""
    condition: float
    """The condition of the dependent speeds' block of the constraint matrix: large where the choice is poor."""


@dataclass(frozen=True, eq=False)
class Embedding:
    """A system in independent speeds, chosen by name or, at every state anew, by pivoted QR."""

    system: System
    independent: tuple[str, ...] | None = None

    @staticmethod
    def of(system: System, independent: Sequence[str] | None) -> Embedding:
        """Return a system in independent speeds; names of coordinates mean their rates."""
        chosen = None if independent is None else independent_speeds(system.speed_names, independent)
        return Embedding(system, chosen)

    def at(
        self,
        q: Values,
        u: Values,
        *,
        z: Values | None = None,
        t: float = 0.0,
        inputs: Values | None = None,
        parameters: Mapping[str, object] | None = None,
    ) -> EmbeddedState:
        """Return the embedded equations at a state that closes the loops; only the independent speeds are read."""
        system = self.system
        system.parameter_values(parameters)  # before initial values, which may depend on them
        q_row = column_of(q, system.coordinate_names, system.initial_coordinates.tolist(), "coordinate")
        u_row = column_of(u, system.speed_names, system.initial_speeds.tolist(), "speed")
        A, b = self._constraints(q_row, u_row, t, parameters)
        free, bound = self._split(A)
        block = A[:, bound]
        G = np.zeros((len(u_row), len(free)))
        G[free, range(len(free))] = 1.0
        G[bound] = -_solved(block, A[:, free])
        given = np.zeros_like(u_row)
        given[bound] = _solved(block, b)
        speeds = G @ u_row[free] + given
        gamma = self._rates(q_row, speeds, t, parameters)
        particular = np.zeros_like(u_row)
        particular[bound] = _solved(block, gamma)
        M = system.mass_matrix(q_row, z=z, t=t, parameters=parameters)
        needs = system.inverse_dynamics(q_row, speeds, particular, z=z, t=t, inputs=inputs, parameters=parameters)
        mass, forcing = G.T @ M @ G, -G.T @ needs
        rates = np.asarray(np.linalg.solve(mass, forcing)) if len(free) else np.zeros(0)
        names = system.speed_names
        chosen = tuple(names[i] for i in free)
        return EmbeddedState(
            chosen,
            tuple(names[i] for i in bound),
            LabelledMatrix.from_array(names, chosen, G, title="orthogonal complement", symbol="G"),
            speeds,
            mass,
            forcing,
            rates,
            G @ rates + particular,
            _condition(block),
        )

    def _split(self, A: Floats) -> tuple[list[int], list[int]]:
        """Return the places of independent and of dependent speeds, in order."""
        names = self.system.speed_names
        if self.independent is None:
            bound = _pivots(A, list(range(len(names))))
        else:
            others = [i for i, name in enumerate(names) if name not in self.independent]
            bound = _pivots(A, others)
            if len(bound) < len(others):
                missing = next(names[i] for i in others if i not in bound)
                raise StateError(
                    f"The speeds {', '.join(self.independent) or '(none)'} do not determine the motion here: "
                    f"{missing!r} can change without them. Choose others, or let them be chosen: embedding()."
                )
            if len(bound) < len(_pivots(A, list(range(len(names))))):
                raise StateError(
                    f"The speeds {', '.join(self.independent)} are not independent here: the constraints relate them "
                    "to each other. Choose fewer or others, or let them be chosen: embedding()."
                )
        return [i for i in range(len(names)) if i not in bound], sorted(bound)

    def _constraints(
        self, q: Floats, u: Floats, t: float, parameters: Mapping[str, object] | None
    ) -> tuple[Floats, Floats]:
        """Return A and b of A u = b."""
        if not self.system.constrained:
            return np.zeros((0, len(u))), np.zeros(0)
        found = Closer(self.system, t, parameters).at(q, u)
        return found.matrix, found.matrix @ u - found.speeds

    def _rates(self, q: Floats, u: Floats, t: float, parameters: Mapping[str, object] | None) -> Floats:
        """Return γ of A u̇ = γ."""
        if not self.system.constrained:
            return np.zeros(0)
        return self.system.constraint_rates(q, u, t=t, parameters=parameters)


def _pivots(A: Floats, columns: list[int]) -> list[int]:
    """Return which of some columns of A are independent, the best ones first, by QR with pivoting."""
    from scipy.linalg import qr

    if not A.size or not columns:
        return []
    _, R, order = qr(A[:, columns], mode="economic", pivoting=True)
    sizes = np.abs(np.diag(R))
    count = int((sizes > _RANK_TOLERANCE * max(float(sizes[0]), 1e-300)).sum()) if sizes[0] > 0 else 0
    return [columns[i] for i in order[:count].tolist()]


def _solved(block: Floats, right: Floats) -> Floats:
    """Return block⁻¹ right; the block has more rows than columns where some are redundant."""
    if not block.shape[1]:
        return np.zeros((0, *right.shape[1:]))
    return np.asarray(np.linalg.lstsq(block, right, rcond=None)[0])


def _condition(block: Floats) -> float:
    return float(np.linalg.cond(block)) if block.size else 1.0
