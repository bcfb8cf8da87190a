"""Laws of fractional powers: their switches are noted, errors at them are controlled, and no evaluation is wasted."""

from __future__ import annotations

import numpy as np
import pytest
from switching_models import falling_ball, slider

import gyrostat as gs
from gyrostat.analysis.simulation.state_switches import StateSwitches

HERTZ = "1e4*max(-angle, 0)**1.5 - 0.05*sign(rate)"
METHODS = (gs.DOP853, gs.RKF45, gs.Rodas5P)


@pytest.mark.parametrize(
    ("law", "expected"),
    [
        (HERTZ, [1, 0]),
        ("where(angle < 0, sqrt(-angle), 0)", [1]),
        ("where(rate > 0, 1, 2)*(1 + angle**2)**0.5", [0]),
        ("max(angle, 0)**2 + abs(rate)**3", [0, 0]),
        ("abs(angle)**2.5", [1]),
    ],
)
def test_functions_with_fractional_powers_are_noted(law: str, expected: list[int]) -> None:
    switches = StateSwitches.of(slider(law), {}, momenta=False)
    assert switches is not None
    assert switches.rough.tolist() == expected


def test_errors_exceed_estimates_where_rates_begin_like_a_root() -> None:
    """For ẏ = √t: error and estimate of Fehlberg's weights, 2/3 − Σ b √c and Σ (b − b̂) √c."""
    assert gs.RKF45().tableau.onset == pytest.approx(24.92, abs=0.01)
    assert gs.DOP853().tableau.onset == pytest.approx(5.758, abs=0.001)
    assert gs.Rodas5P().tableau.onset == 1.0
    assert gs.RK4(step=0.1).tableau.onset == 1.0


@pytest.mark.parametrize(("method", "most"), [(gs.DOP853, 150), (gs.RKF45, 700), (gs.Rodas5P, 150)])
def test_energy_is_kept_to_the_tolerance_at_every_tolerance(method: type, most: float) -> None:
    """Steps across the zero of the law by their polynomial alone, and estimates as they are, lose many times more."""
    system = falling_ball("1e4*max(-angle, 0)**1.5")
    worst = 0.0
    for tolerance in 10.0 ** -np.arange(5, 10.1, 0.25):
        run = gs.simulate(system, times=[0, 2.3], integrator=method(rtol=tolerance, atol=tolerance))
        x, v = float(run.q[-1, 0]), float(run.u[-1, 0])
        worst = max(worst, abs(0.5 * v**2 + 9.81 * x + 4e3 * max(-x, 0) ** 2.5 - 9.81) / tolerance)
    assert worst < most


@pytest.mark.parametrize("method", METHODS)
def test_parts_with_repeated_steps_are_repeated(method: type) -> None:
    """A part that begins at a switch of a fractional power is repeated with the same rejected steps."""
    system = falling_ball(HERTZ)
    segment = gs.simulate(system, times=[0, 2.3], integrator=method()).motion.segments[0]
    after = np.flatnonzero(segment.steps[:-1] < 0.0)
    assert len(after) == 4
    times = segment.times[after] + 0.4 * np.diff(segment.times)[after]
    run = gs.simulate(system, times=[0, *times, 2.3], integrator=method())
    for i, t in enumerate(times):
        assert run.at(t).q[0, 0] == pytest.approx(run.q[1 + i, 0], abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_a_condition_far_away_costs_no_evaluation(method: type) -> None:
    """Extra stages of dense output are made only where a switch may lie in the step."""
    watched = gs.simulate(
        slider("-angle - where(angle > 5, 1, 0)"), times=[0, 10], initial={"x": 1.0}, integrator=method()
    )
    smooth = gs.simulate(slider("-angle"), times=[0, 10], initial={"x": 1.0}, integrator=method())
    beginning = 1 if method is gs.Rodas5P else 0  # a stiff first step is compared with the motion in its middle
    assert watched.status.evaluations == smooth.status.evaluations + beginning
    assert np.array_equal(watched.q, smooth.q)
