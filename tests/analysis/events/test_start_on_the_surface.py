"""Motions that start where an event's function is zero, or a rounding error away from it."""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest
from simulations import TIGHT, ball

import gyrostat as gs

ZEROS = [0.0, -1e-15, 1e-15, -5e-12]


@cache
def _ball() -> gs.System:
    return gs.formulate(ball(level=0.0))


def _floor(direction: str = "falling") -> gs.Event:
    return gs.Event("hit", "ball.z - level", direction, gs.Restitution(0.8))


@pytest.mark.parametrize("integrator", [gs.DOP853(), gs.RK4(step=0.01), gs.Rodas5P(), gs.CVODE()])
@pytest.mark.parametrize("height", ZEROS)
def test_an_approach_at_the_start_is_an_impact_at_once(height: float, integrator: gs.Integrator) -> None:
    run = gs.simulate(_ball(), 0.1, initial={"z": height, "z.rate": -1.0}, events=[_floor()], integrator=integrator)
    (hit,) = run.events
    assert hit.time < 1e-14
    assert hit.u_after[0] == pytest.approx(0.8)
    assert run.state["z"] == pytest.approx(0.08 - 0.5 * 9.81 * 0.01, rel=1e-6)


@pytest.mark.parametrize("height", ZEROS)
def test_a_separation_at_the_start_is_no_impact(height: float) -> None:
    run = gs.simulate(_ball(), 0.15, initial={"z": height, "z.rate": 1.0}, events=[_floor()], integrator=TIGHT)
    assert not run.events
    later = gs.simulate(_ball(), 0.25, initial={"z": height, "z.rate": 1.0}, events=[_floor()], integrator=TIGHT)
    assert [one.time for one in later.events] == [pytest.approx(2 / 9.81)]


@pytest.mark.parametrize("height", ZEROS)
def test_a_ball_at_rest_on_the_floor_stays_there(height: float) -> None:
    run = gs.simulate(_ball(), 1, step=0.1, initial={"z": height}, events=[_floor()])
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert np.abs(run["z"]).max() < 1e-11
    assert np.abs(run["z.acc"]).max() < 1e-11


def test_a_rising_limit_at_the_start() -> None:
    stop = gs.Event.upper_limit("top", "z", 0, gs.Restitution(0.5))
    run = gs.simulate(_ball(), 0.1, initial={"z": 1e-15, "z.rate": 2.0}, events=[stop], integrator=TIGHT)
    assert run.state["z.rate"] == pytest.approx(-1.0 - 0.981)
    falling = gs.simulate(_ball(), 0.1, initial={"z": 1e-15, "z.rate": -2.0}, events=[stop], integrator=TIGHT)
    assert not falling.events


def test_a_restart_from_a_stop_bounces() -> None:
    first = gs.simulate(_ball(), 2, initial={"z": 1.0}, events=[gs.Event("hit", "ball.z", "falling", gs.Stop())])
    again = gs.simulate(_ball(), 0.5, initial=first.state, events=[_floor()])
    assert len(again.events) == 1
    assert again["z"].values.min() > -1e-14
    # what stopped the motion before its start does not stop it again
    beyond = gs.simulate(_ball(), 0.1, initial=first.state, events=[gs.Event("hit", "ball.z", "falling", gs.Stop())])
    assert beyond.status.outcome is gs.Outcome.COMPLETED
    assert not beyond.events


def test_a_restart_after_an_impact_goes_on() -> None:
    events = [gs.Event("hit", "ball.z", "falling", (gs.Restitution(0.8), gs.Stop()))]
    first = gs.simulate(_ball(), 2, initial={"z": 1.0}, events=events)
    after = {"z": first.events[0].q_after[0], "z.rate": first.events[0].u_after[0]}
    again = gs.simulate(_ball(), 2, initial=after, events=events, integrator=TIGHT)
    assert again.status.time == pytest.approx(2 * 0.8 * np.sqrt(2 / 9.81), rel=1e-12)


@pytest.mark.parametrize("raised", [0.2, 0.7])
def test_a_floor_that_is_raised_to_the_ball_or_above_it_is_hit(raised: float) -> None:
    """At t = 0.3 the ball is at 0.559, and falls."""
    lift = gs.Event.at_time("lift", 0.3, gs.SetParameter("level", raised))
    run = gs.simulate(_ball(), 0.36, initial={"z": 1.0}, events=[_floor(), lift], integrator=TIGHT)
    hits = run.at_event("hit")
    if raised > 0.5:
        assert [one.time for one in hits] == [pytest.approx(0.3)]
        assert hits[0].u_after[0] == pytest.approx(0.8 * 9.81 * 0.3)
    else:
        assert not hits


def test_a_recorded_function_at_zero_does_not_cross_at_the_start() -> None:
    events = [gs.Event(way, "ball.z", way) for way in ("falling", "rising", "both")]
    for speed in (-1.0, 1.0):
        for height in (0.0, 1e-16, -1e-16):
            run = gs.simulate(_ball(), 0.1, initial={"z": height, "z.rate": speed}, events=events)
            assert not run.events


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(), gs.RKF45(), gs.RK4(step=1e-3), gs.Rodas5P(), gs.Rodas4(), gs.CVODE()]
)
@pytest.mark.parametrize(("height", "speed"), [(-1e-16, 4e-8), (-1e-15, 1e-9), (-5e-12, 1e-6), (-5e-12, 1e-3)])
def test_a_slow_separation_from_below_does_not_pass_the_floor(
    height: float, speed: float, integrator: gs.Integrator
) -> None:
    """The ball turns before it reaches the surface, or a little above it."""
    for action in (gs.Restitution(0.8), gs.Restitution(0.8, "z")):
        hit = gs.Event("hit", "ball.z - level", "falling", action)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = {"z": height, "z.rate": speed}
            run = gs.simulate(_ball(), 0.5, step=0.1, initial=start, events=[hit], integrator=integrator)
        assert np.abs(run["z"].values).max() < 1e-6
        assert run["z.rate"].values[-1] == 0
