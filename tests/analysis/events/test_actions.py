"""Actions at events: impacts, impulses, changes of parameters and inputs, and further events that they trigger."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from simulations import TIGHT, ball, double_pendulum, event_times, oscillator

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

SWINGING = {"a1": 0.9, "a2": -0.8, "a2.rate": 5.0}


@cache
def _pendulum() -> gs.System:
    return gs.formulate(double_pendulum())


@pytest.mark.parametrize("e", [0.0, 0.6, 1.0])
def test_impact_of_a_double_pendulum_at_the_limit_of_its_elbow(e: float) -> None:
    limit = gs.Event.upper_limit("limit", "a2", 0.3, (gs.Restitution(e, "a2"), gs.Stop()))
    motion = gs.simulate(_pendulum(), 2, initial=SWINGING, events=[limit], integrator=TIGHT)
    hit = motion.events[0]
    assert np.isclose(hit.q[1], 0.3, atol=1e-13)
    assert np.isclose(hit.u_after[1], -e * hit.u[1], atol=1e-13)
    # the impulse acts at the elbow alone: the momentum along the other coordinate stays
    M = _pendulum().mass_matrix(hit.q)
    momentum, impulse = M @ hit.u, M @ (hit.u_after - hit.u)
    assert abs(hit.u_after[0] - hit.u[0]) > 0.1
    assert np.isclose((momentum + impulse)[0], momentum[0], atol=1e-12)
    # Carnot: the loss is (1 − e²)/2 times the square of the speed of approach, over the mobility at the elbow
    lost = 0.5 * (hit.u @ M @ hit.u - hit.u_after @ M @ hit.u_after)
    assert np.isclose(lost, (1 - e**2) / 2 * hit.u[1] ** 2 / np.linalg.inv(M)[1, 1], atol=1e-12)


@pytest.mark.parametrize("when", ["0.9 - bar2.tip.x", "1.8 - 2*bar2.tip.x"])
def test_impact_against_a_wall_pushes_along_its_normal(when: str) -> None:
    wall = gs.Event("wall", when, "falling", gs.Restitution(0.7))
    motion = gs.simulate(_pendulum(), 1.0, step=0.1, initial={**SWINGING, "a1": -0.5}, events=[wall], integrator=TIGHT)
    hit = motion.events[0]
    a1, a2 = hit.q
    # hanging bars of 1 m: the tip is at sin a1 + sin(a1 + a2)
    normal = np.array([np.cos(a1) + np.cos(a1 + a2), np.cos(a1 + a2)])
    assert np.isclose(np.sin(a1) + np.sin(a1 + a2), 0.9, atol=1e-12)
    assert normal @ hit.u > 0.5
    assert np.isclose(normal @ hit.u_after, -0.7 * (normal @ hit.u), rtol=1e-12)
    push = motion.system.mass_matrix(hit.q) @ (hit.u_after - hit.u)
    np.testing.assert_allclose(push / push[1], normal / normal[1], rtol=1e-11)
    account = motion.energy()
    assert account.impacts[-1] > 0.05
    assert np.abs(account.balance).max() < 1e-11


def test_impulse_changes_coupled_speeds() -> None:
    kick = gs.Event.at_time("kick", 0.5007, (gs.Impulse("a1", "m1/2"), gs.Stop()))
    motion = gs.simulate(_pendulum(), 2, initial=SWINGING, events=[kick], integrator=TIGHT)
    (hit,) = motion.events
    push = _pendulum().mass_matrix(hit.q) @ (hit.u_after - hit.u)
    np.testing.assert_allclose(push, [0.6, 0], atol=1e-12)
    assert motion.status.outcome is gs.Outcome.STOPPED
    assert motion.status.message == "event 'kick'."
    # the trajectory ends with the state before; to go on from is the one after
    np.testing.assert_array_equal(motion.u[-1], hit.u)
    assert [motion.state[name] for name in ("a1.rate", "a2.rate")] == hit.u_after.tolist()
    assert abs(motion.energy().balance[-1]) < 1e-11


def test_a_parameter_changes_at_a_time() -> None:
    lighter = gs.Event.at_time("moon", 1.0, gs.SetParameter("g", "g/6"))
    motion = gs.simulate(ball(), 3, step=0.5, initial={"z": 50}, events=[lighter])
    height, speed = 50 - 9.81 / 2, -9.81
    expected = [50 - 9.81 / 8, height, *(height + speed * s - 9.81 / 12 * s**2 for s in (0.5, 1, 1.5, 2))]
    np.testing.assert_allclose(motion["z"][1:], expected, rtol=1e-13)
    np.testing.assert_allclose(motion.parameters[:, 0], [9.81] * 3 + [9.81 / 6] * 4)
    account = motion.energy()
    assert np.isclose(account.impacts[-1], 9.81 * 5 / 6 * height)  # gravity holds less energy now
    assert np.abs(account.balance).max() < 1e-10


@pytest.mark.parametrize(
    ("given", "law"),
    [
        (0.7, "0.7"),
        ("0.7*sin(3*t) - 0.2*a1.rate", "0.7*sin(3*t) - 0.2*a1.rate"),
        (([0, 1, 2], [0.0, 0.5, 1.0]), "0.5*t"),
        (gs.Table([0, 2], [0.5, -0.5]), "0.5 - 0.5*t"),
        (lambda t: 0.3 * t, "0.3*t"),
        (lambda t, state: -0.3 * state["a2"], "-0.3*a2"),
    ],
)
def test_an_input_changes_at_an_event(given: Any, law: str) -> None:
    change = gs.Event("change", "a2", "rising", gs.SetInput("motor", given))
    inputs = {"motor": "-0.5*a1.rate"}
    motion = gs.simulate(_pendulum(), 2, step=0.1, initial=SWINGING, inputs=inputs, events=[change], integrator=TIGHT)
    when = event_times(motion, "change")[0]
    first = gs.simulate(_pendulum(), times=[0, when], initial=SWINGING, inputs=inputs, integrator=TIGHT)
    after = [when, *motion.time[motion.time > when]]
    second = gs.simulate(_pendulum(), times=after, initial=first.state, inputs={"motor": law}, integrator=TIGHT)
    np.testing.assert_allclose(motion.q[-len(after) + 1 :], second.q[1:], atol=1e-10)
    np.testing.assert_allclose(motion["motor"][-1], second["motor"][-1], atol=1e-10)
    assert np.abs(motion.energy().balance).max() < 1e-10


def test_an_action_sets_off_other_events() -> None:
    events = [
        gs.Event.at_time("kick", 0.25, gs.Impulse("x", 3.0)),
        gs.Event("fast", "x.rate - 2", "rising", gs.SetParameter("k", 4.0)),
        gs.Event("stiff", "k - 3", "rising", gs.Impulse("x", -0.5)),
        gs.Event("slow", "x.rate - 2", "falling"),
        gs.Event("never", "x.rate + 50", action=gs.Stop()),
    ]
    motion = gs.simulate(oscillator(), 1, step=0.5, initial={"x": 1}, events=events, integrator=TIGHT)
    at_once = [one.event for one in motion.events if abs(one.time - 0.25) < 1e-12]
    assert at_once == ["kick", "fast", "stiff"]
    x, v = np.cos(0.25), 2.5 - np.sin(0.25)
    expected = x * np.cos(2 * 0.75) + v / 2 * np.sin(2 * 0.75)
    assert np.isclose(motion["x"][-1], expected, atol=1e-12)
    assert len(motion.at_event("slow")) == 1
    assert abs(motion.energy().balance[-1]) < 1e-12


def test_an_event_that_its_own_action_carries_away_is_on_the_side_it_was_carried_to() -> None:
    events = [
        gs.Event("cross", "x + 10*(k - 1)", "rising", gs.SetParameter("k", 2)),
        gs.Event("stiff", "k - 1.5", "rising", gs.Impulse("x", -5.0)),
    ]
    motion = gs.simulate(oscillator(), 2, initial={"x": -1}, events=events, integrator=TIGHT)
    assert [one.event for one in motion.events] == ["cross", "stiff"]
    np.testing.assert_allclose([one.time for one in motion.events], np.pi / 2, rtol=1e-12)
    s = 2 - np.pi / 2
    assert np.isclose(motion["x"][-1], -4 / np.sqrt(2) * np.sin(np.sqrt(2) * s), rtol=1e-11)


def test_events_that_set_each_other_off_do_not_hang() -> None:
    events = [
        gs.Event("up", "k - 2", "rising", gs.SetParameter("k", 1)),
        gs.Event("down", "k - 2", "falling", gs.SetParameter("k", 3)),
        gs.Event.at_time("begin", 0.5, gs.SetParameter("k", 3)),
    ]
    with pytest.warns(GyrostatWarning, match=r"accumulate at t = 0\.5"):
        motion = gs.simulate(oscillator(), 1, initial={"x": 1}, events=events)
    assert motion.status.outcome is gs.Outcome.ACCUMULATION


def test_a_ball_that_does_not_bounce_stays_in_contact() -> None:
    motion = gs.simulate(ball(), 2, initial={"z": 1}, events=[gs.Event("hit", "ball.z", "falling", gs.Restitution(0))])
    assert motion.status.outcome is gs.Outcome.COMPLETED
    assert [one.time for one in motion.events] == [pytest.approx(np.sqrt(2 / 9.81), rel=1e-12)]
    assert motion.state["z.rate"] == 0
    assert abs(motion.state["z"]) < 1e-12


def test_a_stop_at_a_small_speed_ends_bouncing_without_a_warning() -> None:
    events = [
        gs.Event("hit", "ball.z", "falling", gs.Restitution(0.5)),
        gs.Event("slow", "ball.z - 1e-4 + z.rate**2", "falling", gs.Stop()),
    ]
    motion = gs.simulate(ball(), 5, initial={"z": 1}, events=events)
    assert motion.status.success
    assert 1.3 < motion.status.time < 1.3546


@dataclass(frozen=True)
class _Reverse(gs.Action):
    """All speeds turn round."""

    def effect(self, instant: gs.Instant) -> gs.Effect:
        return gs.Effect(u=-instant.u)


def test_an_action_of_ones_own_turns_time_round() -> None:
    back = gs.Event.at_time("back", 1.0, _Reverse())
    motion = gs.simulate(_pendulum(), 2, step=0.25, initial=SWINGING, events=[back], integrator=TIGHT)
    np.testing.assert_allclose(motion.q[5:], motion.q[3::-1], atol=1e-9)
    np.testing.assert_allclose(motion.u[5:], -motion.u[3::-1], atol=1e-9)


@dataclass(frozen=True)
class _Broken(gs.Action):
    """Fails when it is due."""

    def effect(self, instant: gs.Instant) -> gs.Effect:
        raise LookupError("nothing there")


@pytest.mark.parametrize(
    ("actions", "message", "reached"),
    [
        ([gs.Restitution(0.5)], "event 'act0': At event 'act0' no change of speeds reverses the approach", 0.3),
        (
            [gs.SetParameter("m1", "m1 - 0.7"), gs.SetParameter("m1", "m1 - 0.7")],
            r"event 'act1': Body 'bar1' has the mass -0.2 with the parameter m1 = -0.2",
            0.6,
        ),
    ],
)
def test_an_action_that_is_impossible_ends_the_motion_and_keeps_it(
    actions: list[gs.Action], message: str, reached: float
) -> None:
    events = [gs.Event.at_time(f"act{i}", 0.3 * (i + 1), action) for i, action in enumerate(actions)]
    with pytest.warns(GyrostatWarning, match=message):
        motion = gs.simulate(_pendulum(), 2, step=0.1, initial=SWINGING, events=events)
    assert motion.status.outcome is gs.Outcome.ACTION_FAILED
    assert np.isclose(motion.time[-1], reached)
    assert np.isfinite(motion.q).all()
    assert len(motion.events) == len(actions) - 1


def test_an_action_that_raises_is_traced_back_with_the_motion_so_far() -> None:
    events = [gs.Event.at_time("act", 0.3, _Broken())]
    with pytest.raises(LookupError, match="nothing there") as caught:
        gs.simulate(_pendulum(), 2, step=0.1, initial=SWINGING, events=events)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == __file__
    assert caught.value.__notes__[0].startswith("Raised by an action of event 'act' in the simulation of ")
    motion = caught.value.trajectory  # type: ignore[attr-defined]
    assert motion.status.outcome is gs.Outcome.ACTION_FAILED
    assert np.isclose(motion.time[-1], 0.3)
    assert np.isfinite(motion.q).all()


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (lambda: gs.Event("", "z"), "An event's name is ''. Give it a text."),
        (lambda: gs.Event("e", "z", "up"), "Event 'e' has direction 'up'. Use 'both', 'rising' or 'falling'."),
        (lambda: gs.Event("e", "z", action="stop"), r"Event 'e' has the action 'stop'. Use Record\(\), Stop\(\)"),
        (lambda: gs.Event.height("e", "ball", up="w"), "Event 'e' measures height along 'w'. Use up='x', 'y' or 'z'."),
        (
            lambda: gs.Event("e", "z", action=gs.Restitution(1.5)),
            "Event 'e' has a coefficient of restitution of 1.5. It must be from 0 to 1.",
        ),
        (lambda: gs.Event("e", "z", action=gs.Restitution("q")), "Event 'e' uses 'q', which is not a parameter."),
        (
            lambda: gs.Event("e", "z", action=gs.Impulse("y", 1)),
            "Event 'e' acts on 'y', which is no coordinate or speed.",
        ),
        (lambda: gs.Event("e", "z", action=gs.SetParameter("h", 1)), "Event 'e' sets 'h', which is not a parameter."),
        (lambda: gs.Event("e", "z", action=gs.SetInput("h", 1)), "Event 'e' sets 'h', which is not an input."),
        (lambda: gs.Event("e", "zz - 1"), "'zz'"),
        (lambda: gs.Event("e", "z.rate - 1", action=gs.Restitution(0.5)), "'e'.*speed"),
        (lambda: "z", "'z' is not an event. Use gs.Event"),
    ],
)
def test_faults_of_events_are_named(event: Any, message: str) -> None:
    with pytest.raises(gs.GyrostatError, match=message):
        gs.simulate(ball(), 1, initial={"z": 1}, events=[event()])


def test_names_of_events_are_unique() -> None:
    events = [gs.Event("e", "z"), gs.Event("e", "z.rate")]
    with pytest.raises(gs.StateError, match=r"Two events are called 'e'\. Give each a name of its own\."):
        gs.simulate(ball(), 1, events=events)


def test_no_impulse_moves_a_driven_coordinate() -> None:
    model = ball()
    model.add(gs.Body("arm", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("turn", "ground", "arm", driven="t"))
    with pytest.raises(gs.StateError, match="acts on 'turn', which is driven: no impulse can change its motion"):
        gs.simulate(model, 1, events=[gs.Event("e", "z", action=gs.Impulse("turn", 1))])
