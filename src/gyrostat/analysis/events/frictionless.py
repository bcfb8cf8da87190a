"""Impacts without friction by Newton's law of restitution at all contacts at once."""

from __future__ import annotations

import numpy as np

from gyrostat.coordinates.arguments import Floats

_ROUNDING = 1e-11
"""Relative residual of the complementarity problem up to which a solution is accepted."""


def frictionless_impulses(D: Floats, speeds: Floats, restitution: Floats) -> Floats | None:
    """Return Λ ≥ 0 complementary to D Λ − h ≥ 0, h = max(0, −e γ) − γ; None where no Λ exists. D has unit diagonal.

    Of all changes of the motion that separate the contacts as fast as the law demands, it is the one of least energy:
    min |x| with Bᵀ x ≥ h, D = Bᵀ B, by nonnegative least squares (Lawson and Hanson, Solving Least Squares Problems,
    1974, ch. 23.4). It is unique; impulses of redundant contacts are not, and one choice is returned.
    """
    needed = np.maximum(-restitution * speeds, 0.0) - speeds
    if len(needed) == 1:
        return np.maximum(needed, 0.0)
    from scipy.optimize import nnls

    size = float(np.abs(needed).max())
    h = needed / size
    values, vectors = np.linalg.eigh(D)
    B = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    y = nnls(np.vstack((B, h)), np.append(np.zeros(len(h)), 1.0))[0]
    residual = 1.0 - float(h @ y)
    if residual <= 1e-14:
        return None
    found = y / residual
    active = found > 1e-12 * found.max(initial=0.0)
    refined = np.zeros(len(h))
    refined[active] = np.linalg.lstsq(D[np.ix_(active, active)], h[active], rcond=1e-13)[0]
    for each in (refined, found):
        gap, limit = D @ each - h, _ROUNDING * max(1.0, float(each.max()))
        if each.min() >= -limit and gap.min() >= -limit and float(np.abs(gap * each).max()) <= limit * each.max():
            return np.asarray(size * np.maximum(each, 0.0))
    return None
