"""Ignorable motions: variations of positions on which nothing else depends, such as shifting a vehicle on a plane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats

_ENTRY_TOLERANCE = 1e-10
"""Entries below this, relative to the largest, are zero."""


class IgnorableMotions(NamedTuple):
    """States that describe ignorable motions: which are left out, which are kept, and the shares of the latter.

    In an ignorable motion, kept states = shares · states left out.
    """

    dropped: list[int]
    kept: list[int]
    shares: Floats

    def reduced(self, A: Floats) -> Floats:
        """Return A without ignorable motions: kept states are counted without their shares in these."""
        return np.asarray(A[np.ix_(self.kept, self.kept)] - self.shares @ A[np.ix_(self.dropped, self.kept)])


def ignorable_motions(A: Floats, C: Floats, positions: NDArray[np.bool_]) -> IgnorableMotions:
    """Return the ignorable motions of ẋ = A x, y = C x, of which some states are positions.

    They are the largest set of directions S among positions with A S = S Λ and C S = 0. C are outputs, and dependent
    speeds, which nonholonomic constraints tie to positions. One state is left out for each direction.
    """
    S = _directions(A, C, positions)
    dropped = _pivots(S)
    kept = [i for i in range(len(A)) if i not in dropped]
    shares = S[kept] @ np.linalg.inv(S[dropped])
    shares[np.abs(shares) < _ENTRY_TOLERANCE] = 0.0
    return IgnorableMotions(dropped, kept, shares)


def _directions(A: Floats, C: Floats, positions: NDArray[np.bool_]) -> Floats:
    """Return a basis of the ignorable directions, as columns on the states."""
    held = np.eye(len(A))[~positions]
    rows = [held, C / max(1.0, float(np.abs(C).max(initial=0.0)))]
    size = max(float(np.abs(A).max(initial=0.0)), 1e-300)
    basis = null_space(np.vstack(rows), relative=0.0, absolute=_ENTRY_TOLERANCE)
    while basis.shape[1]:
        # those directions whose rates lie in the basis again
        out = A @ basis / size
        left = out - basis @ (basis.T @ out)
        inside = null_space(left, relative=0.0, absolute=_ENTRY_TOLERANCE)
        if inside.shape[1] == basis.shape[1]:
            break
        basis = basis @ inside
    return basis


def _pivots(S: Floats) -> list[int]:
    """Return the states that distinguish ignorable motions best, in order."""
    left = S.copy()
    found: list[int] = []
    for _ in range(S.shape[1]):
        sizes = np.linalg.norm(left, axis=1)
        place = int(np.argmax(sizes > 0.7 * sizes.max()))
        unit = left[place] / sizes[place]
        left = left - np.outer(left @ unit, unit)
        found.append(place)
    return sorted(found)
