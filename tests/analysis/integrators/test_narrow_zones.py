"""Narrow zones between switches, in which CVODE amplifies errors of its tolerance: it tells, and others are right."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import gyrostat as gs


def slider(law: str) -> gs.System:
    model = gs.Model("slider", parameters={"w": 1e-6})
    model.add(gs.Body("block", mass=1.0))
    model.add(gs.Prismatic("x", "ground", "block", axis="x"))
    model.add(gs.TorsionSpring("push", "x", torque=law))
    return gs.formulate(model)


@pytest.fixture(scope="module")
def zone() -> gs.System:
    """A load over a width w behind x = 0.5 m that adds 1 J to ½ J."""
    return slider("where((angle > 0.5) and (angle < 0.5 + w), 1/w, 0)")


def passed(system: gs.System, width: float, integrator: gs.Integrator) -> tuple[float, tuple[str, ...]]:
    """Return the error of the position after 10 s, and the notes of the run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gs.GyrostatWarning)
        run = gs.simulate(
            system, times=[0, 10], initial={"x.rate": 1.0}, parameters={"w": width}, integrator=integrator
        )
    assert run.status.success
    speed = np.sqrt(3.0)
    exact = 0.5 + width + (9.5 - width * (speed - 1.0)) * speed  # through the zone with the acceleration 1/w
    return float(run.q[-1, 0] - exact), run.status.notes


@pytest.mark.parametrize("rtol", [1e-5, 1e-8, 1e-10])
@pytest.mark.parametrize("width", [1e-3, 1e-4, 1e-6, 1e-9])
def test_no_wrong_passage_without_a_word(zone: gs.System, width: float, rtol: float) -> None:
    error, notes = passed(zone, width, gs.CVODE(rtol=rtol, atol=rtol))
    assert abs(error) < 1e4 * rtol or any("narrow zone of 'push'" in note for note in notes)
    for method in (gs.DOP853, gs.RKF45, gs.Rodas5P):
        error, notes = passed(zone, width, method(rtol=rtol, atol=rtol))
        assert abs(error) < 100 * rtol + 5e-14 / width  # the width is rounded at x = 0.5
        assert notes == ()


def test_the_note_says_where_and_how_much(zone: gs.System) -> None:
    """At 1 µm and rtol = 1e-8 the position is wrong by 4 cm."""
    error, notes = passed(zone, 1e-6, gs.CVODE(rtol=1e-8, atol=1e-10))
    assert 0.01 < abs(error) < 0.1
    (note,) = notes
    assert note.startswith("At t = 0.5 s the motion passes a narrow zone of 'push' between two switches, in 7.3e-07 s.")
    assert "errors of its tolerance are multiplied by 2e+05: 'x.rate' is known to about 0.003 behind it" in note
    assert "Use integrator=gs.Rodas5P() or gs.DOP853()" in note
    with pytest.warns(gs.GyrostatWarning, match="narrow zone"):
        gs.simulate(zone, times=[0, 1], initial={"x.rate": 1.0}, integrator=gs.CVODE())


@pytest.mark.filterwarnings("ignore:CVODE restarted")
@pytest.mark.parametrize(
    ("law", "start"),
    [
        ("-where(angle > 0, 1, 9)*angle", {"x": 1.0}),
        ("-sign(rate) + sin(3*t)", {"x.rate": 1.0}),
        ("where(angle > 0, -1, 1)", {"x": 1.0}),
        ("-9.81 + where(angle < 0, -1e4*angle - 20*rate, 0)", {"x": 1.0}),
        ("where((angle > 0.5) and (angle < 0.7), 1, 0)", {"x.rate": 1.0}),
    ],
    ids=["spring", "friction", "relay", "bumper", "wide zone"],
)
def test_ordinary_switches_are_not_reported(law: str, start: dict[str, Any]) -> None:
    run = gs.simulate(slider(law), 3, step=3, initial=start, integrator=gs.CVODE(rtol=1e-7, atol=1e-9))
    assert run.status.switches > 0
    assert not any("narrow zone" in note for note in run.status.notes)


def test_a_zone_that_does_not_change_the_motion_is_passed_exactly() -> None:
    """A cart at constant speed passes a light barrier of 0.1 mm: order one makes no error in its position."""
    model = gs.Model("cart")
    model.add(gs.Body("cart", gs.point_mass(1.0)))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x"))
    model.add(gs.State("seen", rate="where((x > 0.5) and (x < 0.5001), 1000, 0)"))
    run = gs.simulate(model, duration=2, initial={"x.rate": 1.0}, integrator=gs.CVODE())
    assert run.status.notes == ()
    assert run["seen"].values[-1] == pytest.approx(0.1, abs=1e-9)
