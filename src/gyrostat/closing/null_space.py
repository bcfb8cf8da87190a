"""The null space of a matrix in numbers."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats

_ROUNDING = 1e-12


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
