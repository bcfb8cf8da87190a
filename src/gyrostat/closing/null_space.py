"""Null spaces and minimum-norm solutions of matrices in numbers."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats

_ROUNDING = 1e-12
_MANY = 150
"""From so many constraints on, sparse factors take less time than a singular value decomposition."""
_SOLVED = 1e-12
"""What may be left of the gaps, relative to them; rows that follow from others leave more."""


def null_space(matrix: Floats, *, relative: float = 1e-9, absolute: float = 0.0) -> Floats:
    """Return an orthonormal basis of what a matrix takes to zero, as columns.

    Singular values count as zero up to `relative` of the largest, and up to `absolute`. SciPy's function
    knows parts alone; where all entries are rounding, everything is in the null space, which needs a size.

    >>> null_space(np.array([[1.0, 0.0, 0.0], [0.0, 1e-11, 0.0]])).shape
    (3, 2)
    """
    if not matrix.size:
        return np.eye(matrix.shape[1])
    _, sizes, right = np.linalg.svd(matrix)
    rank = int((sizes > max(relative * float(sizes[0]), absolute)).sum())
    return np.asarray(right[rank:].T)


def unit_rows(matrix: Floats) -> Floats:
    """Return the rows of a matrix at length one, without those that are rounding: then all rows count alike.

    >>> null_space(unit_rows(np.array([[1e6, 0.0, 0.0], [0.0, 1e-3, 0.0]]))).T.round(6) + 0.0
    array([[0., 0., 1.]])
    """
    size = np.linalg.norm(matrix, axis=1)
    told = size > _ROUNDING * size.max(initial=0.0)
    return np.asarray(matrix[told] / size[told, None])


def least_change(matrix: Floats, gaps: Floats) -> Floats:
    """Return the x of least norm that comes nearest to matrix @ x = gaps; rows may follow from others.

    >>> least_change(np.array([[3.0, 4.0]]), np.array([5.0]))
    array([0.6, 0.8])
    """
    if len(gaps) >= _MANY:
        found = _by_sparse_factors(matrix, gaps)
        if found is not None:
            return found
    return np.asarray(np.linalg.lstsq(matrix, gaps, rcond=1e-10)[0])


def _by_sparse_factors(matrix: Floats, gaps: Floats) -> Floats | None:
    """Return x = Aᵀ (A Aᵀ)⁻¹ gaps, refined twice; None where that does not close the gaps."""
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
    return change if float(np.abs(left).max(initial=0.0)) <= _SOLVED * size else None
