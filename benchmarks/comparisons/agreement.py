"""Agreement: no comparison of speed without the same results."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from peers.tree import Floats

TOLERANCE = 1e-9


def difference(found: Mapping[str, Floats], reference: Mapping[str, Floats]) -> float:
    """Return the largest difference of common results, relative to the largest result of the same state.

    Either may cover fewer states than the other.
    """
    worst = 0.0
    for name in found.keys() & reference.keys():
        count = min(len(found[name]), len(reference[name]))
        own, other = (np.reshape(values[name][:count], (count, -1)) for values in (found, reference))
        worst = max(worst, float(np.max(np.abs(own - other).max(axis=1) / np.abs(other).max(axis=1))))
    return worst


def demand_agreement(peer: str, model: str, found: Mapping[str, Floats], reference: Mapping[str, Floats]) -> float:
    """Return the difference, or raise where it is too large for a comparison of times to mean anything."""
    worst = difference(found, reference)
    if not worst < TOLERANCE:
        raise AssertionError(f"{peer} and gyrostat differ by {worst:.1e} on {model!r}; the times do not compare.")
    return worst
