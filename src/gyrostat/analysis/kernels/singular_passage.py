"""Passage of singular positions: where branches of a motion meet, the constraints are dependent.

At a distance φ before such a position the pivots of the dependent multipliers fall with φ². Projected coordinates are
uncertain by ε/φ across the branch, with ε the rounding error, projected speeds by ε/φ², accelerations by ε/φ³. Along
the branch the motion is regular. Steps are therefore laid so that the position falls in the widest gap between the
stages of the method, and their error is measured along the constraints: what lies across them is projected away.
"""

from __future__ import annotations

import math

import numpy as np

from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import rare_kernel

PROJECTION_PIVOT = 1e-2
"""How near to a singular position, by the pivots, states are projected onto the constraints in every stage."""
INDETERMINACY_PIVOT = 1e-10
"""How near to a singular position, by the pivots, the motion of a state is not determined: speeds are uncertain by
1e-6 of their size."""
PLAN_LIMIT = 6
"""How often a step is laid anew around one singular position."""
_ACCURACY = 0.4
"""How far from the middle of the gap a singular position may lie, in terms of half the gap."""
_SMALLEST_DISTANCE_RATIO = 0.8
"""The least part of the intended distance before a singular position at which a step may end."""
_LARGEST_STEP_RATIO = 1.3
"""The longest step over a singular position, in terms of the one that the error of the last step suggests."""
_DISTANCE_ROUNDING = 1e-8
"""Distances from a singular position below this are rounding errors."""


@rare_kernel
def passage_fraction(c: Floats, nearness: Floats) -> float:
    """Return the fraction of a step at which it passes a singular position, infinite where none is near.

    `nearness` has the smallest relative pivot of each stage, negative where there is none. Its root is the distance
    from the position: a straight line through zero, with the signs of the stages beyond the position changed. Of all
    divisions of the stages the one that fits best counts; stages near the position have the greatest weight.
    """
    best, fraction = np.inf, np.inf
    count = nearness.size
    for split in range(1, count + 1):
        behind = c[split] if split < count else np.inf
        weights, first, second, values, products, squares = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for s in range(count):
            if nearness[s] >= 0.0:
                distance = math.sqrt(nearness[s])
                weight = 1.0 / (distance + _DISTANCE_ROUNDING) ** 2
                value = distance if c[s] < behind else -distance
                weights += weight
                first += weight * c[s]
                second += weight * c[s] * c[s]
                values += weight * value
                products += weight * value * c[s]
                squares += weight * value * value
        spread = weights * second - first * first
        if spread <= 1e-12 * weights * second:
            continue
        slope = (weights * products - first * values) / spread
        level = (values - slope * first) / weights
        left = squares - slope * products - level * values
        if left < best and slope != 0.0:
            best, fraction = left, -level / slope
    return fraction


@rare_kernel
def planned_step(control: Control, fraction: float, h: float) -> float:
    """Return the step with which to repeat one of length h that passes a singular position at a fraction, or h itself.

    The position lies in the middle of the gap of a step of the returned length, or of the next of the same length.
    """
    gap = control.gap
    if (
        not (fraction > 0.0 and fraction < 1.0 + _SMALLEST_DISTANCE_RATIO * gap)
        or abs(fraction - gap) <= _ACCURACY * control.half_gap
    ):
        return h
    return h * fraction / gap if fraction < _LARGEST_STEP_RATIO * gap else h * fraction / (1.0 + gap)


@rare_kernel
def following_step(control: Control, ahead: float, h: float) -> float:
    """Return the length of a step of at most h with a singular position at a time ahead."""
    if not (ahead > 0.0 and ahead < (1.0 + control.gap) * h):
        return h
    return ahead / control.gap if ahead < _LARGEST_STEP_RATIO * control.gap * h else ahead / (1.0 + control.gap)
