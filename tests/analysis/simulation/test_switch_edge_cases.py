"""Switches in awkward places: close together, touching, at one instant, at the start, at outputs and events."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from switching_models import slider

import gyrostat as gs

METHODS = (gs.DOP853, gs.RKF45, gs.Rodas5P, gs.CVODE)
EXACT_METHODS = METHODS[:3]
"""Exact for constant loads, so that a zone may be narrower than the tolerance of the coordinate."""


def end(
    law: str,
    method: type,
    *,
    x: float = 0.0,
    rate: float = 1.0,
    times: Sequence[float] = (0, 1),
    events: Sequence[gs.Event] = (),
) -> list[float]:
    """Return position and speed at the end of a motion of the unit mass."""
    run = gs.simulate(
        slider(law), times=times, initial={"x": x, "x.rate": rate}, events=events,
        integrator=method(rtol=1e-9, atol=1e-9),
    )  # fmt: skip
    assert run.status.success
    return [float(run.q[-1, 0]), float(run.u[-1, 0])]


@pytest.mark.parametrize("width", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("method", EXACT_METHODS)
def test_a_zone_shorter_than_any_step(method: type, width: float) -> None:
    """A load over a width that adds 1 J to ½ J: v = √3 beyond."""
    found = end(f"where((angle > 0.5) and (angle < 0.5 + {width}), 1/{width}, 0)", method, times=[0, 2])
    assert found[1] == pytest.approx(np.sqrt(3), abs=1e-7 / width * 1e-9 + 1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_conditions_that_touch_zero_without_crossing(method: type) -> None:
    assert end("where(angle**2 > 0, 0, 1e6)", method, x=-0.5) == pytest.approx([0.5, 1.0], abs=1e-7)
    assert end("-1 + where(angle > 0.5 + 1e-7, 1e4, 0)", method, times=[0, 2]) == pytest.approx([0, -1], abs=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_many_switches_at_one_instant(method: type) -> None:
    law = " + ".join(f"where({k}*angle > {0.5 * k}, 0.1, 0)" for k in (1, 3, 5, 7, 9)) + " + max(angle, 0.5) - 0.5"
    c, s = np.cosh(0.5), np.sinh(0.5)  # beyond x = 0.5, at t = 0.5, ẍ = x
    expected = [0.5 * c + s, 0.5 * s + c]
    assert end(law, method) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("law", "x", "rate", "expected"),
    [
        ("where(angle > 0, 1, -1)", 0.0, -1.0, (-1.5, -2.0)),
        ("where(angle > 0, 1, -1)", 0.0, 1.0, (1.5, 2.0)),
        ("where(angle >= 0, 1, -1)", 0.0, 0.0, (0.5, 1.0)),
        ("where(angle > 0, 1, -1)", 0.0, 0.0, (-0.5, -1.0)),
        ("where(angle > 0, 1, -1)", -1e-16, 1.0, (1.5, 2.0)),
        ("where(angle > 0, 1, -1)", 1e-300, -1.0, (-1.5, -2.0)),
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_a_start_at_a_switch(method: type, law: str, x: float, rate: float, expected: tuple[float, float]) -> None:
    assert end(law, method, x=x, rate=rate) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_a_switch_at_an_output_at_the_end_and_at_a_switch_of_time(method: type) -> None:
    after = [1.25, 2.0]
    assert end("where(angle > 0.5, 2, 0)", method, times=[0, 0.25, 0.5, 1]) == pytest.approx(after, abs=1e-6)
    assert end("where(angle > 0.5, 1e6, 0)", method, times=[0, 0.5]) == pytest.approx([0.5, 1.0], abs=1e-6)
    assert end("where((angle > 0.5) and (t >= 0.5), 2, 0)", method) == pytest.approx(after, abs=1e-6)
    assert end("where(angle > 0.5, where(t > 0.5, 2, 5), 0)", method) == pytest.approx(after, abs=1e-5)


@pytest.mark.parametrize("method", METHODS)
def test_a_switch_at_an_event(method: type) -> None:
    """A recorded event changes nothing; an impulse at the switch turns the motion before the load acts."""
    seen = gs.Event("seen", when="x - 0.5")
    assert end("where(angle > 0.5, 2, 0)", method, events=[seen]) == pytest.approx([1.25, 2.0], abs=1e-6)
    turn = gs.Event("turn", when="x - 0.5", direction="rising", action=gs.Impulse("x", -2.0))
    assert end("where(angle > 0.5, 2, 0)", method, events=[turn]) == pytest.approx([0.0, -1.0], abs=1e-6)


@cache
def cart(name: str, **options: str) -> gs.System:
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.sphere(1.0, 0.1)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.State(name, **options))
    if "equation" in options:
        model.add(gs.TorsionSpring("push", "x", torque=name))
    return gs.formulate(model)


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        ("where((x > 0.5) and (x < 0.5001), 1000, 0)", 0.1),
        ("where((x > 0.5) and (t < 0.75), 4, 0)", 1.0),
        ("where(z > 0.5, 2, 1)", 3.5),
    ],
)
@pytest.mark.parametrize("method", METHODS)
def test_conditions_in_rates_of_states(method: type, rate: str, expected: float) -> None:
    integrator = method(rtol=1e-9, atol=1e-9)
    run = gs.simulate(cart("z", rate=rate), duration=2, initial={"x.rate": 1.0}, integrator=integrator)
    assert float(run["z"][-1]) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("equation", "expected"),
    [
        ("w - where(x > 0.5, 2, 0)", (1.25, 2.0)),
        ("w - max(x - 0.5, 0)*4", (0.5 + 0.5 * np.sinh(1.0), np.cosh(1.0))),
        ("w - where(t > 0.5, 2, 0)", (1.25, 2.0)),
        ("w**3 + w - where(x > 0.5, 10, 0)", (1.25, 2.0)),
        ("w**3 + w - where(t > 0.5, 10, 0)", (1.25, 2.0)),
        ("w**3 + w - where((x > 0.5) and (t < 0.75), 10, 0)", (1.1875, 1.5)),
    ],
)
def test_conditions_in_equations_of_algebraic_states(equation: str, expected: tuple[float, float]) -> None:
    run = gs.simulate(
        cart("w", equation=equation), duration=1, initial={"x.rate": 1.0}, integrator=gs.Rodas5P(rtol=1e-9, atol=1e-9)
    )
    assert run.status.success
    assert (run.q[-1, 0], run.u[-1, 0]) == pytest.approx(expected, abs=1e-6)
