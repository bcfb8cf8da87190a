"""A ball that bounces lower and lower, infinitely often in finite time."""

from __future__ import annotations

import re

import numpy as np
import pytest
from cases import case, value
from simulations import ball, event_times

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

EVENTS = (
    gs.Event("impact", "ball.z", "falling", gs.Restitution("e")),
    gs.Event("apex", "z.rate", "falling"),
)


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RKF45(), gs.RK4(step=0.01)], ids=lambda i: type(i).__name__)
def test_times_of_impacts_and_heights_between_them(integrator: gs.Integrator) -> None:
    # between impacts the motion is a parabola, which all of these methods follow exactly
    found = case("bouncing_ball")
    motion = gs.simulate(ball(e=0.8), duration=3, step=0.1, initial={"z": 1.0}, events=EVENTS, integrator=integrator)
    impacts, apexes = event_times(motion, "impact"), motion.at_event("apex")
    np.testing.assert_allclose(impacts, value(found, "impact_times"), rtol=1e-12)
    expected = value(found, "apex_heights")
    assert len(apexes) == 6
    np.testing.assert_allclose([one.q[0] for one in apexes], expected, rtol=1e-12)
    fifth = motion.at_event("impact")[4]
    assert np.isclose(0.5 * fifth.u_after[0] ** 2, value(found, "energy_after_5"), rtol=1e-12)
    account = motion.energy()
    np.testing.assert_allclose(account.total.values[-1], 9.81 * 0.8**12, rtol=1e-12)
    np.testing.assert_allclose(account.impacts.values[-1], 9.81 * (1 - 0.8**12), rtol=1e-12)
    assert np.abs(account.balance).max() < 1e-11


def test_impacts_accumulate_where_the_series_says() -> None:
    found = case("bouncing_ball")
    stop = value(found, "stop_time")
    with pytest.warns(GyrostatWarning, match="event 'impact' recurs at shrinking intervals"):
        motion = gs.simulate(ball(e=0.8), duration=6, step=0.1, initial={"z": 1.0}, events=EVENTS)
    assert motion.status.outcome is gs.Outcome.COMPLETED
    (note,) = motion.status.notes
    reported = re.search(r"accumulate at t = (\d+\.\d+)\.", note)
    assert reported is not None
    assert np.isclose(float(reported[1]), stop, rtol=1e-9)
    assert np.isclose(event_times(motion, "impact")[-1], stop, rtol=1e-9)
    assert "each interval 0.8 times the last" in note
    impacts = event_times(motion, "impact")
    np.testing.assert_allclose(np.diff(impacts)[1:40] / np.diff(impacts)[:39], 0.8, rtol=1e-6)
    assert abs(motion.state["z"]) < 1e-12
