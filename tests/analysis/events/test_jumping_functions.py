"""Event functions with conditions of time and state: jumps within a step are found, however short they last."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gyrostat as gs

METHODS = (gs.DOP853, gs.RKF45, gs.Rodas5P, gs.CVODE)


@cache
def cart() -> gs.System:
    """Return a cart at constant speed, with measures that have conditions."""
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.Measure("inside", "where((x > 0.5) and (x < 0.503), 1, 0)"))
    model.add(gs.Measure("twice", "2*inside - 1"))
    return gs.formulate(model)


def times(when: str, method: type, **options: object) -> list[float]:
    event = gs.Event("e", when=when, **options)
    run = gs.simulate(
        cart(), times=[0, 1], initial={"x.rate": 1.0}, events=[event], integrator=method(rtol=1e-8, atol=1e-8)
    )
    return [one.time for one in run.at_event("e")]


@pytest.mark.parametrize("width", [0.1, 1e-2, 1e-4])
@pytest.mark.parametrize("name", ["x", "t"])
@pytest.mark.parametrize("method", METHODS)
def test_pulses_of_state_and_time(method: type, name: str, width: float) -> None:
    when = f"where(({name} > 0.5) and ({name} < 0.5 + {width}), 1, 0) - 0.5"
    assert times(when, method) == pytest.approx([0.5, 0.5 + width], abs=1e-7)


@pytest.mark.parametrize(
    "integrator", [gs.DOP853(), gs.RKF45(), gs.Rodas5P(), gs.CVODE(), gs.RK4(step=0.05), gs.GaussLegendre(step=0.05)]
)
def test_pulses_far_shorter_than_the_parts_of_a_step(integrator: gs.Integrator) -> None:
    """Zeros of conditions are met to the last digit here, where a condition is not yet true."""
    widths = (1e-5, 1e-7, 1e-9)
    events = [gs.Event(f"e{i}", f"where((x > 3.3) and (x < 3.3 + {w}), 1, -1)") for i, w in enumerate(widths)]
    start = {"x": 0.013, "x.rate": 1.0}
    for chosen in ([events[0]], [events[1]], events):  # alone, and with several guards that have one zero
        run = gs.simulate(cart(), times=[0, 10], initial=start, events=chosen, integrator=integrator)
        for event in chosen:
            found = [one.time for one in run.at_event(event.name)]
            assert found == pytest.approx([3.287, 3.287 + widths[events.index(event)]], abs=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_conditions_in_measures(method: type) -> None:
    assert times("inside - 0.5", method) == pytest.approx([0.5, 0.503], abs=1e-7)
    assert times("twice", method, direction="falling") == pytest.approx([0.503], abs=1e-7)


def test_several_pulses_in_one_step_and_whole_numbers() -> None:
    pulses = " + ".join(f"where((x > {k / 10}) and (x < {k / 10} + 0.002), 1, 0)" for k in range(1, 10))
    expected = np.sort([k / 10 + shift for k in range(1, 10) for shift in (0, 0.002)])
    assert times(f"{pulses} - 0.5", gs.DOP853) == pytest.approx(expected, abs=1e-9)
    assert times("sign(sin(20*x + 1)) + 0.5", gs.DOP853) == pytest.approx(np.arange(1, 7) * np.pi / 20 - 0.05, abs=1e-9)
    floors = times("floor(4*x + 0.1) - 2*floor(2*x + 0.05) - 0.5", gs.DOP853)
    assert floors == pytest.approx([0.225, 0.475, 0.725, 0.975], abs=1e-9)


def test_an_action_within_a_pulse() -> None:
    """The cart is turned where the pulse begins; it never sees its end."""
    turn = gs.Event("e", when="inside - 0.5", direction="rising", action=gs.Impulse("x", -2.0))
    run = gs.simulate(cart(), times=[0, 1], initial={"x.rate": 1.0}, events=[turn])
    assert [one.time for one in run.at_event("e")] == pytest.approx([0.5], abs=1e-9)
    assert run.q[-1, 0] == pytest.approx(0.0, abs=1e-9)
