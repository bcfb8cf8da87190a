"""Zero-crossings: all are found, none is counted twice, each at its time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from random_trees import Floats
from simulations import TIGHT, ball, event_times, oscillator

import gyrostat as gs

INTEGRATORS = [
    gs.DOP853(),
    gs.DOP853(rtol=1e-5, atol=1e-6),
    gs.RKF45(),
    gs.RK4(step=0.07),
    gs.RK2(step=0.05),
    gs.GaussLegendre(step=0.06),
    gs.CVODE(),
    gs.Rodas5P(),
]
each_integrator = pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda i: f"{type(i).__name__}")


@cache
def _clock() -> gs.System:
    """A mass on a spring, so that steps have a length, with a signal of its own: cos(w t + p) − c."""
    model = gs.Model("clock", parameters={"w": 1.0, "p": 0.0, "c": 0.0})
    model.add(gs.Body("mass", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "mass", axis="x", initial={"displacement": 1}))
    model.add(gs.TorsionSpring("spring", "x", 1.0))
    return gs.formulate(model)


def _crossings(w: float, p: float, c: float, end: float) -> tuple[Floats, Floats]:
    """Return the times, and directions, at which cos(w t + p) crosses c."""
    turns = 2 * np.pi * np.arange(-1, end * w / (2 * np.pi) + 3)
    falling, rising = np.arccos(c) + turns, -np.arccos(c) + turns
    times = (np.concatenate((falling, rising)) - p) / w
    directions = np.repeat([-1.0, 1.0], len(turns))
    inside = (times > 0) & (times < end)
    order = np.argsort(times[inside])
    return times[inside][order], directions[inside][order]


@given(
    w=st.floats(0.3, 6.0),
    p=st.floats(0.0, 6.28),
    c=st.one_of(st.floats(-0.99, 0.99), st.floats(0.99, 0.999999), st.floats(-0.999999, -0.99)),
    integrator=st.sampled_from(INTEGRATORS[1:]),
    active=st.booleans(),
)
@settings(max_examples=examples(150), deadline=None)
def test_all_crossings_are_found_once(w: float, p: float, c: float, integrator: gs.Integrator, active: bool) -> None:
    end = 7.0
    expected, directions = _crossings(w, p, c, end)
    assume(not len(expected) or (expected.min() > 1e-6 and expected.max() < end - 1e-6))
    action = gs.SetParameter("c", "c") if active else gs.Record()
    event = gs.Event("cross", "cos(w*t + p) - c", action=action)
    motion = gs.simulate(
        _clock(), end, step=1.0, parameters={"w": w, "p": p, "c": c}, events=[event], integrator=integrator
    )
    found = motion.at_event("cross")
    assert [one.direction for one in found] == directions.tolist()
    # near its extremes a cosine is flat: the time is as uncertain as its rounding makes it
    np.testing.assert_allclose([one.time for one in found], expected, atol=2e-15 / (w * np.sqrt(1 - c**2)) + 1e-13)


@given(c=st.floats(-0.999, 0.999), step=st.floats(0.02, 0.4))
@settings(max_examples=examples(100), deadline=None)
def test_crossings_of_a_motion_with_fixed_steps(c: float, step: float) -> None:
    # the motion of the method differs from cos t by its own error, the number of crossings does not
    end = 9.0
    expected, directions = _crossings(1.0, 0.0, c, end)
    assume(expected.min() > 0.05 and expected.max() < end - 0.05)
    motion = gs.simulate(
        _clock(), end, step=end, parameters={"c": c}, events=[gs.Event("cross", "x - c")], integrator=gs.RK4(step=step)
    )
    assert [one.direction for one in motion.at_event("cross")] == directions.tolist()
    np.testing.assert_allclose(event_times(motion, "cross"), expected, atol=2 * step**4 / np.sqrt(1 - c**2))


@each_integrator
def test_short_pulses_are_not_stepped_over(integrator: gs.Integrator) -> None:
    # positive for 0.028 s around each full turn, much shorter than a step
    motion = gs.simulate(
        _clock(), 20, step=20, initial={"x": 0.5}, events=[gs.Event("pulse", "cos(t) - 0.9999")], integrator=integrator
    )
    half = np.arccos(0.9999)
    expected = [half, *(2 * np.pi * n + side * half for n in (1, 2, 3) for side in (-1, 1))]
    np.testing.assert_allclose(event_times(motion, "pulse"), expected, atol=1e-12)


@pytest.mark.parametrize(("direction", "count"), [("rising", 2), ("falling", 3), ("both", 5)])
@pytest.mark.parametrize("action", [gs.Record(), gs.SetParameter("c", 0)])
def test_only_crossings_in_the_direction_asked_for(direction: str, count: int, action: gs.Action) -> None:
    motion = gs.simulate(_clock(), 15, step=1, events=[gs.Event("cross", "x", direction, action)], integrator=TIGHT)
    first, spacing = {"rising": (1.5, 2), "falling": (0.5, 2), "both": (0.5, 1)}[direction]
    expected = np.pi * (first + spacing * np.arange(count))
    np.testing.assert_allclose(event_times(motion, "cross"), expected, atol=1e-12)
    signs = {one.direction for one in motion.events}
    assert signs == {"rising": {1}, "falling": {-1}, "both": {1, -1}}[direction]


@each_integrator
def test_touching_zero_is_no_crossing_or_two(integrator: gs.Integrator) -> None:
    events = [gs.Event("square", "(t - 0.7)**2"), gs.Event("above", "1 + 1e-9 - x"), gs.Event("below", "x - 1 + 1e-5")]
    motion = gs.simulate(_clock(), 10, step=10, events=events, integrator=integrator)
    for name in ("square", "above"):
        directions = [one.direction for one in motion.at_event(name)]
        assert sum(directions) == 0
        assert len(directions) in (0, 2)
    if integrator == INTEGRATORS[0]:
        assert [one.direction for one in motion.at_event("below")] == [-1, 1, -1]


@pytest.mark.parametrize("power", [1, 3, 5])
@pytest.mark.parametrize("action", [gs.Record(), gs.SetParameter("c", 0)])
def test_crossings_without_a_slope_count_once(power: int, action: gs.Action) -> None:
    motion = gs.simulate(_clock(), 2, step=0.5, events=[gs.Event("flat", f"(t - 1)**{power}", action=action)])
    assert len(motion.events) == 1
    assert np.isclose(motion.events[0].time, 1, atol=1e-12)


@given(end=st.floats(0.01, 50.0), integrator=st.sampled_from(INTEGRATORS))
@settings(max_examples=examples(100), deadline=None)
def test_the_end_belongs_to_the_motion_and_the_start_does_not(end: float, integrator: gs.Integrator) -> None:
    events = [gs.Event.at_time("begin", 0), gs.Event.at_time("end", end), gs.Event.at_time("later", end * (1 + 1e-12))]
    motion = gs.simulate(_clock(), end, step=end, events=events, integrator=integrator)
    assert [one.event for one in motion.events] == ["end"]
    assert abs(motion.events[0].time - end) <= 1e-14 * end


@pytest.mark.parametrize("action", [gs.Stop(), gs.SetParameter("c", 1)])
def test_an_action_at_the_end(action: gs.Action) -> None:
    motion = gs.simulate(_clock(), 0.3, step=0.1, events=[gs.Event.at_time("end", 0.3, action)])
    assert len(motion.events) == 1
    assert len(motion.time) == 4
    assert motion.status.success
    assert motion.parameters[-1, -1] == 0  # as it was before


def test_a_function_that_begins_at_zero_is_on_the_side_it_moves_to() -> None:
    for speed, expected in ((-1.0, [1]), (1.0, [-1])):
        motion = gs.simulate(
            _clock(), 4, initial={"x": 0, "x.rate": speed}, events=[gs.Event("x", "x", "both")], integrator=TIGHT
        )
        assert [one.direction for one in motion.events] == expected
        assert np.isclose(motion.events[0].time, np.pi, atol=1e-12)


def test_two_balls_hit_the_floor_at_the_same_instant() -> None:
    model = gs.Model("two balls", gravity=(0, 0, -9.81))
    for name, mass in (("a", 1.0), ("b", 3.0)):
        model.add(gs.Body(name, gs.sphere(mass, 0.1)))
        model.add(gs.Prismatic(f"z{name}", "ground", name, axis="z"))
    events = [
        gs.Event("a", "a.z", "falling", gs.Restitution(0.5)),
        gs.Event("b", "2*b.z", "falling", gs.Restitution(0.9)),
        gs.Event("either", "a.z*(1 + t)"),
    ]
    motion = gs.simulate(model, 0.9, step=0.1, initial={"za": 1, "zb": 1}, events=events)
    impact = np.sqrt(2 / 9.81)
    assert sorted(one.event for one in motion.events) == ["a", "b", "either"]
    np.testing.assert_allclose([one.time for one in motion.events], impact, rtol=1e-13)
    speed, after = 9.81 * impact, motion.at(0.9).time[0] - impact
    np.testing.assert_allclose(motion.u[-1], [0.5 * speed - 9.81 * after, 0.9 * speed - 9.81 * after], rtol=1e-12)
    lost = 9.81 * (1 - 0.5**2) + 3 * 9.81 * (1 - 0.9**2)
    assert np.isclose(motion.energy().impacts[-1], lost, rtol=1e-12)


def test_an_output_at_the_time_of_an_event_has_the_state_before() -> None:
    # 0.5 is an output time, and the impulse comes then
    kick = gs.Event.at_time("kick", 0.5, gs.Impulse("x", 2.0))
    motion = gs.simulate(oscillator(), 1, step=0.25, initial={"x": 1}, events=[kick], integrator=TIGHT)
    np.testing.assert_allclose(motion["x.rate"][2], -np.sin(0.5), atol=1e-12)
    np.testing.assert_allclose(motion.at(0.5)["x.rate"], -np.sin(0.5), atol=1e-12)
    np.testing.assert_allclose(motion.at(0.5 + 1e-9)["x.rate"], 2 - np.sin(0.5), atol=1e-8)
    np.testing.assert_allclose(motion["x"][3], np.cos(0.75) + 2 * np.sin(0.25), atol=1e-12)


def test_events_know_the_state_before_and_after() -> None:
    motion = gs.simulate(
        ball(e=0.5),
        0.8,
        initial={"z": 1},
        events=[gs.Event("hit", "ball.z", "falling", (gs.Record(), gs.Restitution("e")))],
    )
    (hit,) = motion.at_event("hit")
    assert hit.changed
    np.testing.assert_allclose(hit.u_after, -0.5 * hit.u, rtol=1e-14)
    assert abs(hit.q[0]) < 1e-13
    assert str(hit) == "hit at t = 0.451523641 s, falling"
    assert motion.at_event("miss") == ()
    assert "1 event: hit" in str(motion)
