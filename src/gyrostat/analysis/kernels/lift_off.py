"""The end of a contact within a step, which adaptive steps meet at their end.

A force that fades like a fractional power of the depth is not smooth where it ends. The estimate of the error of a step
across that instant may vanish by chance.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.pair_forces import evaluate_pair
from gyrostat.analysis.kernels.pair_slots import is_patch, key_of
from gyrostat.analysis.kernels.pair_tables import (
    GAP,
    HELD,
    HOLDING,
    IDS,
    LIFTED,
    OF_POINTS,
    OPEN_STAY,
    PASSED,
    POINT,
    POINT_GAP,
    PairTables,
)
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.touch_search import set_frames_at
from gyrostat.program.translation import kernel, rare_kernel

_EARLIEST_FRACTION, _LATEST_FRACTION = 0.02, 0.95
"""The fractions of a step between which a lift-off counts; before, the force has faded to 1e-4 of what it may be."""
_HALVINGS = 12
"""Bisections that locate a lift-off, to less than a thousandth of the step."""


@rare_kernel
def find_lift_off(equations: Equations, step: Step) -> float:
    """Return LIFTED − θ where a pair that touches at the start of a step is open from the fraction θ on, else PASSED.

    The pairs that touch at the start are in `touch.held`; in steps that do not end at touches the answer is PASSED.
    """
    pairs, x = equations.pairs.tables, equations.x
    numbers = pairs.broad.numbers
    if numbers[HOLDING] != OPEN_STAY or numbers[HELD] == 0:
        return PASSED
    set_frames_at(equations, step, 1.0)
    if not _has_open_pair(pairs, x):
        return PASSED
    left, right = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (left + right)
        set_frames_at(equations, step, middle)
        if _has_open_pair(pairs, x):
            right = middle
        else:
            left = middle
    return LIFTED - right if right > _EARLIEST_FRACTION and right < _LATEST_FRACTION else PASSED


@kernel
def _has_open_pair(pairs: PairTables, x: Floats) -> bool:
    """Return whether one of the pairs that touch at the start of the step is open at the present frames."""
    held, count = pairs.touch.held, pairs.shapes.radii.size
    for k in range(pairs.broad.numbers[HELD]):
        pair = int((held[k] - 1.0) / IDS)
        i, j = pair // count, pair % count
        evaluate_pair(pairs, x, i, j)
        gap = pairs.results[GAP]
        if not is_patch(pairs, i, j):
            point = int(held[k] - key_of(pairs, i, j, 0))
            gap = pairs.results[OF_POINTS + POINT * point + POINT_GAP]
        if gap > 0.0:
            return True
    return False
