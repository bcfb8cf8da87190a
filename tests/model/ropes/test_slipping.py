"""Slips of a rope on several sheaves at once, from tensions that are given."""

import math

import numpy as np
import pytest
from campaign import campaign

from gyrostat.model.ropes.slipping import Grip, StickingSegment, slip_flows
from gyrostat.scalar.floats import FloatScalars

LIMP = 1e-4


def misfit(A: np.ndarray, B: np.ndarray, grips: list[Grip], slips: list[float]) -> float:
    """Return by how much tensions miss their ratio where rope slips, and exceed it where it sticks."""
    T = A.copy()
    for grip, slip in zip(grips, slips, strict=True):
        T[grip.before] += B[grip.before] * slip
        T[grip.after] -= B[grip.after] * slip
    found = [0.0]
    for grip, slip in zip(grips, slips, strict=True):
        if grip.ratio is None:
            found.append(abs(slip))
            continue
        forward = T[grip.after] - max(grip.ratio * T[grip.before], LIMP)
        backward = T[grip.before] - max(grip.ratio * T[grip.after], LIMP)
        found.append(abs(forward) if slip > 0 else abs(backward) if slip < 0 else max(forward, backward, 0.0))
    return max(found)


@pytest.mark.parametrize(("sheaves", "closed"), [(1, False), (2, False), (3, False), (2, True)])
@campaign(20)
def test_slips_keep_the_ratios_of_tensions(sheaves, closed, seed):
    """Random tensions, resistances and ratios; some sheaves have teeth."""
    rng = np.random.default_rng(seed)
    for _ in range(50):
        count = sheaves if closed else sheaves + 1
        A, B = np.abs(rng.normal(1, 0.3, count)) + 0.01, rng.uniform(0.3, 3, count)
        grips = [
            Grip(
                i - 1 if i or not closed else count - 1,
                i,
                None if rng.random() < 0.1 else math.exp(rng.uniform(0.02, 1)),
            )
            for i in range(0 if closed else 1, count)
        ]
        segments = [StickingSegment(*pair) for pair in zip(A.tolist(), B.tolist(), strict=True)]
        slips = slip_flows(segments, grips, LIMP, FloatScalars(), closed=closed)
        assert misfit(A, B, grips, slips) < 1e-7


def test_rope_slips_from_a_slack_part_without_tension():
    """A part that no tension holds back keeps the limp tension alone, and one that is slack as well sticks."""
    grip, segments = Grip(0, 1, 2.0), [StickingSegment(-5.0, 1.0), StickingSegment(1.0, 1.0)]
    (slip,) = slip_flows(segments, [grip], LIMP, FloatScalars(), closed=False)
    assert slip == pytest.approx(1.0 - LIMP)
    segments[1] = StickingSegment(-1.0, 1.0)
    assert slip_flows(segments, [grip], LIMP, FloatScalars(), closed=False) == [0]
