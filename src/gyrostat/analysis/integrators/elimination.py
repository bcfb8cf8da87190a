"""The order of elimination of sparse linear equations m/(hγ) − J, and the structure of their factors.

Coordinates are eliminated first, in their own equations q̇ = N(q) u: only then do stiffnesses come to stand on the
diagonal. Of the others, each unknown is assigned an equation in which it has a large coefficient, and those that couple
with few others come first (minimum degree).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.methods import Jacobian, SparseFactors
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.lazy import later

if TYPE_CHECKING:
    from scipy import sparse
else:
    (sparse,) = later("scipy", "sparse")

_SPARSE_SIZE = 30
"""Number of unknowns below which dense factors are always faster."""
_COST_OF_ENTRY = 8.0
"""The time of an operation on sparse entries in terms of one on dense columns, which use SIMD lanes."""

Pattern = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SparseElimination:
    """An order of elimination, and the rows of the entries in each column of the factors."""

    row_order: Places
    column_order: Places
    columns: tuple[Places, ...]
    operations: int
    """The number of multiplications of a factorisation."""

    @staticmethod
    def of(pattern: Pattern, n_q: int, weights: Floats) -> SparseElimination | None:
        """Return the elimination of a matrix; None where no order has structurally nonzero pivots.

        `pattern` has the structural entries, diagonal included where it has a mass, and `weights` the sizes of entries,
        by which pivots are assigned where a diagonal entry is missing.
        """
        n = len(pattern)
        rows = np.arange(n)
        rest = _eliminated(pattern, n_q)[n_q:, n_q:]
        if not rest.diagonal().all():
            matched = _assigned(rest, weights[n_q:, n_q:])
            if matched is None:
                return None
            rows[n_q:] = n_q + matched
            rest = rest[matched]
        later = _minimum_degree(rest)
        row_order = np.concatenate((rows[:n_q], rows[n_q:][later])).astype(np.int64)
        column_order = np.concatenate((np.arange(n_q), n_q + later)).astype(np.int64)
        filled = _eliminated(pattern[np.ix_(row_order, column_order)], n)
        below, right = np.tril(filled, -1).sum(axis=0), np.triu(filled, 1).sum(axis=1)
        columns = tuple(np.flatnonzero(filled[:, k]).astype(np.int64) for k in range(n))
        return SparseElimination(row_order, column_order, columns, int((below * (right + 1)).sum()))

    def pays(self, n_q: int) -> bool:
        """Tell whether sparse factors are faster than dense ones."""
        n = len(self.row_order)
        return n >= _SPARSE_SIZE and _COST_OF_ENTRY * self.operations < (n - n_q) ** 3 / 3

    def factors(self) -> SparseFactors:
        """Return room for the factors."""
        begins = np.concatenate(([0], np.cumsum([len(column) for column in self.columns]))).astype(np.int64)
        diagonals = [begins[k] + int(np.searchsorted(column, k)) for k, column in enumerate(self.columns)]
        return SparseFactors.of(
            self.row_order, self.column_order, begins, np.concatenate(self.columns), np.array(diagonals, dtype=np.int64)
        )


_CACHE_LIMIT = 32
_known: OrderedDict[tuple[object, ...], SparseElimination | None] = OrderedDict()
"""Eliminations of earlier runs, by structure."""


def sparse_factors(run: Run, jacobian: Jacobian) -> SparseFactors:
    """Return room for the sparse factors of a run's linear equations; without entries where dense ones are faster."""
    n, n_q = run.y.size, run.n_q
    if n < _SPARSE_SIZE or not jacobian.entries.size or run.input_function:
        return SparseFactors.none()
    key = n_q, *(array.tobytes() for array in (jacobian.rows_of, jacobian.columns_of, run.mass, run.rotations))
    if key not in _known:
        _known[key] = _elimination(run, jacobian)
        if len(_known) > _CACHE_LIMIT:
            _known.popitem(last=False)
    found = _known[key]
    return found.factors() if found is not None and found.pays(n_q) else SparseFactors.none()


def _elimination(run: Run, jacobian: Jacobian) -> SparseElimination | None:
    n = run.y.size
    pattern, weights = np.zeros((n, n), dtype=bool), np.zeros((n, n))
    pattern[jacobian.rows_of, jacobian.columns_of] = True
    if not run.mass.all():
        program = run.jacobian()
        stored = np.zeros(program.output_size)
        program(run.x, stored)
        weights = np.abs(program.outputs[0].full(stored))
    for first, speeds in run.rotations:
        pattern[:, first : first + 3] |= pattern[:, first : first + 4].any(axis=1, keepdims=True)
        pattern[:, first + 3] = pattern[first : first + 4] = False
        pattern[first : first + 3, first : first + 3] = True
        pattern[np.arange(first, first + 3), np.arange(speeds, speeds + 3)] = True
    weighty = np.flatnonzero(run.mass)
    pattern[weighty, weighty] = True
    return SparseElimination.of(pattern, run.n_q, np.where(np.isfinite(weights), weights, 0.0))


def _eliminated(pattern: Pattern, count: int) -> Pattern:
    """Return the entries, fill included, after the elimination of the first unknowns by their own equations."""
    filled = pattern.copy()
    for k in range(count):
        below = np.flatnonzero(filled[k + 1 :, k]) + k + 1
        filled[below, k + 1 :] |= filled[k, k + 1 :]
    return filled


def _assigned(pattern: Pattern, weights: Floats) -> Places | None:
    """Return an equation for each unknown so that the product of the coefficients is largest; None if there is none."""
    sizes = np.where(pattern, np.maximum(weights, 1e-12 * max(float(weights.max(initial=0.0)), 1e-300)), 1.0)
    costs = np.where(pattern, 1.0 + np.log(sizes.max() / sizes), 0.0)
    try:
        rows, columns = sparse.csgraph.min_weight_full_bipartite_matching(sparse.csr_array(costs))
    except ValueError:
        return None
    found = np.empty(len(pattern), dtype=np.int64)
    found[columns] = rows
    return found


def _minimum_degree(pattern: Pattern) -> Places:
    """Return an order in which each unknown couples with few of the later ones."""
    n = len(pattern)
    if not n:
        return np.zeros(0, dtype=np.int64)
    dominant: Any = sparse.csc_array(pattern.astype(float) + 2.0 * n * np.eye(n))
    order = sparse.linalg.splu(
        dominant, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}
    ).perm_c
    return np.argsort(order)
