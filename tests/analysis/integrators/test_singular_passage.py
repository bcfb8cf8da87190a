"""The laying of steps around singular positions: where the position is, and which step avoids it."""

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.analysis.integrators.tableau import widest_gap
from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.singular_passage import following_step, passage_fraction, planned_step

TIMES = gs.DOP853().tableau.all_stages[1][:13]
CONTROL = Control(True, 1e-9, np.zeros(1), 8.0, 0.7, 10.0, *widest_gap(TIMES), 1.0, 1.0)


def test_the_widest_gap_between_stages():
    assert widest_gap(TIMES) == pytest.approx((0.4666667, 0.1333333))
    assert widest_gap(np.array([0.0, 0.5, 0.5, 1.0]))[1] == 0.25


@pytest.mark.parametrize("fraction", [-0.4, 0.03, 0.37, 0.5, 0.97, 1.4])
def test_the_position_is_found_from_the_pivots_of_the_stages(fraction):
    distance = np.sin(0.2 * (TIMES - fraction))
    assert passage_fraction(TIMES, distance**2) == pytest.approx(fraction, abs=0.01)


def test_stages_without_rates_do_not_count():
    pivots = (0.2 * (TIMES - 0.62)) ** 2
    pivots[[9, 12]] = -1.0
    assert passage_fraction(TIMES, pivots) == pytest.approx(0.62, abs=1e-6)


@pytest.mark.parametrize("fraction", [0.02, 0.3, 0.55, 0.6, 0.8, 1.0, 1.2])
def test_steps_are_laid_so_that_the_position_falls_into_the_gap(fraction):
    left, h = fraction, 1.0
    for _ in range(3):
        h = planned_step(CONTROL, left / h, h)
        if left < h:
            break
        left, h = left - h, following_step(CONTROL, left - h, h)
    assert left / h == pytest.approx(CONTROL.gap, abs=0.4 * CONTROL.half_gap)
    assert h > 0.02


@pytest.mark.parametrize("fraction", [-0.1, 0.45, 1.45, np.inf, np.nan])
def test_steps_that_are_laid_well_are_kept(fraction):
    assert planned_step(CONTROL, fraction, 0.1) == 0.1
