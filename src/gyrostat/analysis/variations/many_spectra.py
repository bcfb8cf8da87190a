"""Eigenvalues and stability of many linear motions about rest at once, where no decision by rank is needed.

Motions with zero or repeated eigenvalues, and those whose loads have no potential, are left to `spectrum` and
`stability_criteria`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gyrostat.coordinates.arguments import Floats

Complexes = NDArray[np.complex128]

_EIGENVALUE_TOLERANCE = 1e-5
"""Eigenvalues below this, relative to the largest, may be zero."""
_DISTANCE_TOLERANCE = 1e-5
"""Eigenvalues nearer than this, relative to their size, may be one repeated eigenvalue."""
_IMAGINARY_ROUNDING = 1e-10
"""Imaginary parts below this, relative to the eigenvalue, are rounding errors."""
_SQUARE_TOLERANCE = 1e-6
"""Squares of frequencies below this, relative to the largest, may be zero."""
_SYMMETRY_TOLERANCE = 1e-9
"""Asymmetry of stiffness and damping, relative to their largest entries, that surely is a rounding error."""


def eigenvalues_at_rest(by_position: Floats, by_speed: Floats) -> Complexes:
    """Return the eigenvalues (N, 2 n) of ẍ = by_position x + by_speed ẋ; NaN where some may be zero or repeated."""
    count, n, _ = by_position.shape
    A = np.zeros((count, 2 * n, 2 * n))
    A[:, :n, n:] = np.eye(n)
    A[:, n:, :n], A[:, n:, n:] = by_position, by_speed
    found = np.full((count, 2 * n), np.nan + 0j)
    defined = np.isfinite(A).all(axis=(1, 2))
    values = np.linalg.eigvals(A[defined]).astype(complex)
    sizes = np.abs(values)
    values.imag[np.abs(values.imag) <= _IMAGINARY_ROUNDING * sizes] = 0.0
    apart = np.abs(values[:, :, None] - values[:, None, :]) + np.where(np.eye(2 * n, dtype=bool), np.inf, 0.0)
    simple = (apart > _DISTANCE_TOLERANCE * sizes[:, :, None]).all(axis=(1, 2))
    simple &= sizes.min(axis=1, initial=np.inf) > _EIGENVALUE_TOLERANCE * sizes.max(axis=1, initial=0.0)
    found[defined] = np.where(simple[:, None], values, np.nan)
    return found


def stable_at_rest(mass: Floats, by_position: Floats, by_speed: Floats) -> Floats:
    """Return 1 where an equilibrium is a strict minimum of the potential energy, 0 where this falls in a direction.

    NaN where loads may have no potential, damping may feed energy, or the potential energy is flat in a direction.
    """
    with np.errstate(all="ignore"):
        stiffness, damping = -mass @ by_position, -mass @ by_speed
    found = np.full(len(mass), np.nan)
    passive = np.flatnonzero(_symmetric(stiffness) & _symmetric(damping))
    drag = np.linalg.eigvalsh((damping + damping.transpose(0, 2, 1))[passive])
    passive = passive[drag.min(axis=1) >= -_SYMMETRY_TOLERANCE * np.abs(drag).max(axis=1)]
    half = np.linalg.inv(np.linalg.cholesky(mass[passive]))
    evened = (stiffness + stiffness.transpose(0, 2, 1))[passive] / 2
    squares = np.linalg.eigvalsh(half @ evened @ half.transpose(0, 2, 1))
    flat = (np.abs(squares) <= _SQUARE_TOLERANCE * np.abs(squares).max(axis=1, keepdims=True)).any(axis=1)
    found[passive] = np.where(flat, np.nan, (squares.min(axis=1) > 0.0).astype(float))
    return found


def _symmetric(matrices: Floats) -> NDArray[np.bool_]:
    """Tell which matrices are finite and surely symmetric."""
    with np.errstate(all="ignore"):
        sizes = np.abs(matrices).max(axis=(1, 2))
        off = np.abs(matrices - matrices.transpose(0, 2, 1)).max(axis=(1, 2))
        return np.asarray(off <= _SYMMETRY_TOLERANCE * sizes)
