"""`trajectory.at(t)` equals a run with an output at t, also around events and for loads and energies."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from simulations import double_pendulum, event_times

import gyrostat as gs

INTEGRATORS = [
    gs.DOP853(),
    gs.DOP853(rtol=1e-4, atol=1e-5),
    gs.RKF45(rtol=1e-6, atol=1e-7),
    gs.RKF45(step=0.02),
    gs.RK4(step=0.013),
    gs.RK2(step=0.01),
    gs.Euler(step=1e-3),
    gs.GaussLegendre(step=0.02),
    gs.Rodas5P(rtol=1e-5, atol=1e-6),
]
EVENTS = (
    gs.Event.upper_limit("stop", "a1", 0.9, gs.Restitution(0.7, "a1")),
    gs.Event("pass", "a2"),
    gs.Event.at_time("switch", 1.234, gs.SetInput("motor", "0.5*sin(9*t)")),
    gs.Event.at_time("lighter", 2.0, gs.SetParameter("g", 5.0)),
)
TABLE = gs.Table([0, 0.4, 0.45, 3], [0, 1, -1, 2])
START = {"a1": 0.5, "a2": 1.5, "a1.rate": 3.0}


@cache
def _pendulum() -> gs.System:
    return gs.formulate(double_pendulum())


def _run(times: Any, integrator: gs.Integrator) -> gs.Trajectory:
    return gs.simulate(
        _pendulum(), times=times, initial=START, inputs={"motor": TABLE}, events=EVENTS, integrator=integrator
    )


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda i: type(i).__name__)
def test_states_between_outputs_are_those_of_the_run(integrator: gs.Integrator) -> None:
    grid = np.linspace(0, 3, 1201)
    few, many = _run([0, 3], integrator), _run(grid, integrator)
    assert len(few.at_event("stop")) >= 2
    assert [one.event for one in few.events] == [one.event for one in many.events]
    again = few.at(grid)
    np.testing.assert_allclose(again.q, many.q, atol=1e-13)
    np.testing.assert_allclose(again.u, many.u, atol=1e-12)
    np.testing.assert_array_equal(again.parameters, many.parameters)
    np.testing.assert_allclose(again.inputs, many.inputs, atol=1e-12)
    one_by_one = np.array([few.at(t).q[0] for t in grid[::97]])
    np.testing.assert_allclose(one_by_one, many.q[::97], atol=1e-13)
    for name in ("a1.acc", "bar2.tip.velocity", "bar2.quaternion"):
        np.testing.assert_allclose(again[name], many[name], atol=1e-10)
    np.testing.assert_allclose(again.reaction("a2").force, many.reaction("a2").force, atol=1e-10)
    np.testing.assert_allclose(again.energy().supplied, many.energy().supplied, atol=1e-9)


@given(fractions=st.lists(st.floats(0, 1), min_size=1, max_size=5, unique=True), which=st.sampled_from(INTEGRATORS))
@settings(max_examples=examples(100), deadline=None)
def test_any_times_can_be_asked_for(fractions: list[float], which: gs.Integrator) -> None:
    times = sorted({3 * f for f in fractions})
    whole = _reference(which)
    found = whole.at(times)
    outputs = sorted({0.0, 3.0, *times})
    expected = _run(outputs, which)
    rows = [outputs.index(t) for t in times]
    np.testing.assert_allclose(found.q, expected.q[rows], atol=1e-12)
    np.testing.assert_allclose(found.u, expected.u[rows], atol=1e-11)


@cache
def _reference(integrator: gs.Integrator) -> gs.Trajectory:
    return _run([0, 3], integrator)


@pytest.mark.parametrize("integrator", INTEGRATORS[:5], ids=lambda i: type(i).__name__)
def test_states_at_events_are_those_before(integrator: gs.Integrator) -> None:
    motion = _reference(integrator)
    times = event_times(motion, "stop")
    before = np.array([one.u for one in motion.at_event("stop")])
    after = np.array([one.u_after for one in motion.at_event("stop")])
    np.testing.assert_allclose(motion.at(times).u, before, atol=1e-11)
    np.testing.assert_allclose(motion.at(times + 1e-9).u, after, atol=1e-6)
    np.testing.assert_allclose(after[:, 0], -0.7 * before[:, 0], rtol=1e-12)


def test_a_run_can_be_gone_on_with() -> None:
    tight = gs.DOP853(rtol=1e-12, atol=1e-13)
    whole = gs.simulate(_pendulum(), 3, step=0.5, initial=START, integrator=tight)
    first = gs.simulate(_pendulum(), 1.5, step=0.5, initial=START, integrator=tight)
    second = gs.simulate(_pendulum(), times=[1.5, 2, 2.5, 3], initial=first.state, integrator=tight)
    np.testing.assert_allclose(second.q, whole.q[3:], atol=1e-9)


def test_the_same_run_twice_is_the_same_to_the_last_bit() -> None:
    for integrator in INTEGRATORS:
        one, two = _run([0, 1, 2, 3], integrator), _run([0, 1, 2, 3], integrator)
        np.testing.assert_array_equal(one.q, two.q)
        np.testing.assert_array_equal(one.u, two.u)
        assert one.status.steps == two.status.steps


def test_outputs_do_not_change_the_motion() -> None:
    for integrator in INTEGRATORS:
        few, many = _run([0, 3], integrator), _run(np.linspace(0, 3, 50), integrator)
        # events are sampled at output times too, so that their instants differ by rounding errors
        np.testing.assert_allclose(few.q[-1], many.q[-1], rtol=1e-11)
        assert few.status.steps == many.status.steps
