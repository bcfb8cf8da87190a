"""Null spaces and minimum-norm solutions of matrices in numbers."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats

_ROUNDING = 1e-12
_SPARSE_ROWS = 150
"""The number of constraints from which sparse factors are faster than a singular value decomposition."""
_RESIDUAL_TOLERANCE = 1e-12
"""The largest relative residual of the solution; redundant rows leave more."""


def null_space(matrix: Floats, *, relative: float = 1e-9, absolute: float = 0.0) -> Floats:
    """Return an orthonormal basis of the null space of a matrix, as columns.

    Singular values count as zero up to `relative` of the largest, and up to `absolute`. SciPy's function has no
    absolute tolerance, which a matrix of rounding errors needs: its null space is the whole space.

    >>> null_space(np.array([[1.0, 0.0, 0.0], [0.0, 1e-11, 0.0]])).shape
    (3, 2)
    """
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, sizes, right = np.linalg.svd(matrix)
    rank = int((sizes > max(relative * float(sizes[0]), absolute)).sum())
    return np.asarray(right[rank:].T)


def unit_rows(matrix: Floats) -> Floats:
    """Return the rows of a matrix normalised to length one, without rows of rounding errors.

    >>> null_space(unit_rows(np.array([[1e6, 0.0, 0.0], [0.0, 1e-3, 0.0]]))).T.round(6) + 0.0
    array([[0., 0., 1.]])
    """
    size = np.linalg.norm(matrix, axis=1)
    nonzero = size > _ROUNDING * size.max(initial=0.0)
    return np.asarray(matrix[nonzero] / size[nonzero, None])


def least_change(matrix: Floats, gaps: Floats) -> Floats:
    """Return the minimum-norm least-squares solution of matrix @ x = gaps; rows may be redundant.

    >>> least_change(np.array([[3.0, 4.0]]), np.array([5.0]))
    array([0.6, 0.8])
    """
    if len(gaps) >= _SPARSE_ROWS:
        found = _by_sparse_factors(matrix, gaps)
        if found is not None:
            return found
    return np.asarray(np.linalg.lstsq(matrix, gaps, rcond=1e-10)[0])


def _by_sparse_factors(matrix: Floats, gaps: Floats) -> Floats | None:
    """Return x = Aᵀ (A Aᵀ)⁻¹ gaps, refined twice; None where a residual remains."""
    from scipy.sparse import csr_array
    from scipy.sparse.linalg import splu

    rows = csr_array(matrix)
    columns = csr_array(rows.T)
    try:
        factor = splu((rows @ columns).tocsc())
    except RuntimeError:  # exactly singular
        return None
    change = np.zeros(matrix.shape[1])
    left = gaps
    for _ in range(3):
        change = change + columns @ factor.solve(left)
        left = gaps - rows @ change
    size = float(np.abs(gaps).max(initial=0.0))
    return change if float(np.abs(left).max(initial=0.0)) <= _RESIDUAL_TOLERANCE * size else None
