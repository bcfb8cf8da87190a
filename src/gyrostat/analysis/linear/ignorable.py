"""Ignorable motions: changes of position that nothing else depends on, such as shifting a vehicle on a plane."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gyrostat.analysis.linear.state_space import StateSpace
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats

_ZERO = 1e-10


@dataclass(frozen=True, eq=False)
class Ignored:
    """States that were left out, and how others move with them in ignorable motions: others = shares · left out."""

    names: tuple[str, ...]
    shares: Floats


def without_ignorable(form: StateSpace, positions: set[str]) -> tuple[StateSpace, Ignored]:
    """Return a first-order form without ignorable motions, and what was left out.

    They are the largest set of directions S among positions with A S = S Λ, on which speeds and outputs do not depend.
    One state is left out for each; the others are then counted without what ignorable motions contribute.
    """
    S = _directions(form, np.array([name in positions for name in form.states]))
    if not S.shape[1]:
        return form, Ignored((), np.zeros((len(form.states), 0)))
    dropped = _pivots(S)
    kept = [i for i in range(len(form.states)) if i not in dropped]
    shares = S[kept] @ np.linalg.inv(S[dropped])
    shares[np.abs(shares) < _ZERO] = 0.0
    smaller = form.only(kept)
    A = smaller.A - shares @ form.A[np.ix_(dropped, kept)]
    reduced = replace(smaller, A=A, B=smaller.B - shares @ form.B[dropped])
    return reduced, Ignored(tuple(form.states[i] for i in dropped), shares)


def _directions(form: StateSpace, position: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Floats:
    """Return a basis of the ignorable directions, as columns on the states."""
    n = len(form.states)
    held = np.eye(n)[~position]
    rows = [held, form.C / max(1.0, float(np.abs(form.C).max(initial=0.0)))]
    size = max(float(np.abs(form.A).max(initial=0.0)), 1e-300)
    basis = null_space(np.vstack(rows), relative=0.0, absolute=_ZERO)
    while basis.shape[1]:
        # those directions whose rates lie in the basis again
        out = form.A @ basis / size
        left = out - basis @ (basis.T @ out)
        inside = null_space(left, relative=0.0, absolute=_ZERO)
        if inside.shape[1] == basis.shape[1]:
            break
        basis = basis @ inside
    return basis


def _pivots(S: Floats) -> list[int]:
    """Return the states that tell ignorable motions apart best, in order."""
    left = S.copy()
    found: list[int] = []
    for _ in range(S.shape[1]):
        sizes = np.linalg.norm(left, axis=1)
        place = int(np.argmax(sizes > 0.7 * sizes.max()))
        unit = left[place] / sizes[place]
        left = left - np.outer(left @ unit, unit)
        found.append(place)
    return sorted(found)
