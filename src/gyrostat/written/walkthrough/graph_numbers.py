"""Projected circuits and cutsets in numbers: rows of equations that are linear in accelerations and multipliers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from gyrostat.equations.cutset_balance import CutsetBalance
from gyrostat.equations.dynamics import inverse_dynamics, mass_matrix
from gyrostat.kinematics.constraint_loads import all_constraint_loads
from gyrostat.once import cached_property
from gyrostat.scalar.algebra import negate
from gyrostat.scalar.jets import as_jet
from gyrostat.written.cutset import Cutset
from gyrostat.written.walkthrough.evaluation import Evaluation

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GraphNumbers:
    """The rows of the graph-theoretic method at one state: [u̇ λ] times a matrix, plus a column, is zero."""

    evaluation: Evaluation
    cutsets: Mapping[str, Cutset]

    @cached_property
    def jacobian(self) -> Floats:
        """Φ_q, a row for each projected circuit."""
        n = self.evaluation.motion.tree.coordinates.n_u
        return np.asarray(self.evaluation.matrix(self.evaluation.row_entries, n), dtype=float)

    @cached_property
    def constraint_rates(self) -> Floats:
        """γ of Φ_q u̇ = γ."""
        return np.asarray(
            self.evaluation.column([negate(self.evaluation.rate(row.speed)) for row in self.evaluation.rows])
        )

    @cached_property
    def residuals(self) -> Floats:
        """Φ: residuals of position, or speeds of nonholonomic constraints."""
        values = [row.speed if row.residual is None else row.residual for row in self.evaluation.rows]
        return np.asarray(self.evaluation.column(values))

    @cached_property
    def projections(self) -> dict[str, Floats]:
        """By speed, the projected cutset: coefficients of u̇ and λ, then the constant."""
        n, names = self.evaluation.motion.tree.coordinates.n_u, [row.name for row in self.evaluation.rows]
        units = [np.zeros(n), *np.eye(n)]
        balances = [self._balance(unit, {}) for unit in units]
        balances += [self._balance(units[0], {name: 1.0}) for name in names]
        found = {}
        for cutset in self.cutsets.values():
            for speed in cutset.speeds:
                values = [float(as_jet(cutset.projected(balance, speed)).value) for balance in balances]
                found[speed] = np.array([*(value - values[0] for value in values[1:]), values[0]])
        return found

    def _balance(self, rates: Floats, multipliers: Mapping[str, float]) -> CutsetBalance:
        motion = self.evaluation.motion
        return CutsetBalance(motion, rates.tolist(), all_constraint_loads(motion, multipliers))

    @cached_property
    def virtual_work(self) -> dict[str, Floats]:
        """By speed, the same rows from virtual work: −M, Φ_qᵀ and the loads on the speeds."""
        motion = self.evaluation.motion
        coordinates = motion.tree.coordinates
        n = coordinates.n_u
        M = np.zeros((n, n))
        for (i, j), entry in mass_matrix(motion).items():
            M[i, j] = M[j, i] = float(as_jet(entry).value)
        still = np.asarray(self.evaluation.column(inverse_dynamics(motion, [0] * n)), dtype=float)
        rows = np.hstack([-M, self.jacobian.T.reshape(n, -1), -still[:, None]])
        return {name: rows[i] for i, name in enumerate(coordinates.speed_names)}

    @cached_property
    def complement(self) -> Floats:
        """G of u = G u_i: dependent speeds are those that a pivoted factorization of Φ_q chooses."""
        A = self.jacobian
        _, R, order = scipy.linalg.qr(A, pivoting=True, mode="economic")
        size = np.abs(np.diag(R))
        rank = int(np.sum(size > 1e-10 * size.max(initial=0.0)))
        dependent, independent = order[:rank], np.sort(order[rank:])
        G = np.zeros((A.shape[1], len(independent)))
        G[independent, np.arange(len(independent))] = 1.0
        G[dependent] = -np.linalg.lstsq(A[:, dependent], A[:, independent], rcond=None)[0]
        return G

    def accelerations(self) -> Floats:
        """Return u̇ of the projected cutsets and circuits together; rows of elastic speeds are those of virtual work."""
        names = self.evaluation.motion.tree.coordinates.speed_names
        rows = np.array([self.projections.get(name, self.virtual_work[name]) for name in names])
        n, m = len(names), len(self.jacobian)
        lower = np.hstack([self.jacobian, np.zeros((m, m))])
        right = np.concatenate([-rows[:, -1], self.constraint_rates])
        return np.asarray(np.linalg.lstsq(np.vstack([rows[:, :-1], lower]), right, rcond=1e-13)[0][:n])
