"""Kinks of drivers, impulses and changed drivers where contacts are closed: hit, separate, slide; never glued."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import gyrostat as gs

METHODS = [gs.DOP853(), gs.RK4(step=0.002), gs.Rodas5P()]
NAMES = [type(method).__name__ for method in METHODS]
G = 9.81
PLACE = "ball.y - table.y - r"


@cache
def ball_on_table(rigid: bool) -> gs.System:
    """A ball on a table that begins to move at t = 0.2 s with the speeds v (up) and w (sideways)."""
    model = gs.Model("table", gravity=(0, -G, 0), parameters={"v": 0.0, "w": 0.0, "e": 0.0, "r": 0.1, "now": 0.2})
    model.add(gs.Body("slide", gs.point_mass(1)))
    model.add(gs.Body("table", gs.point_mass(1)))
    model.add(gs.Prismatic("lift", "ground", "slide", axis="y", driven="where(t > now, v*(t - now), 0)"))
    model.add(gs.Prismatic("way", "slide", "table", axis="x", driven="where(t > now, w*(t - now), 0)"))
    model.add(gs.Body("ball", gs.sphere(2.0, "r")))
    model.add(gs.Planar("p", "ground", "ball", initial={"y": 0.1}))
    if rigid:
        plane = gs.shapes.Plane(along="y")
        model.add(gs.RigidContact("touch", "ball", "table", mu=0.3, restitution="e", shape_b=plane))
    return gs.formulate(model)


def moved(rigid: bool, method: gs.Integrator = METHODS[0], duration: float = 0.4, **values: float) -> gs.Trajectory:
    """The motion with a contact of the model, or by an event."""
    events = [] if rigid else [gs.Event("hit", PLACE, "falling", gs.Restitution("e"))]
    run = gs.simulate(ball_on_table(rigid), duration, events=events, integrator=method, parameters=values)
    assert run.status.outcome is gs.Outcome.COMPLETED
    assert float(run[PLACE].values.min()) > -1e-12
    assert float(abs(run.energy().balance).max()) < 1e-8
    return run


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
@pytest.mark.parametrize("rigid", [True, False])
def test_a_table_that_drops_leaves_the_ball_behind(rigid: bool, method: gs.Integrator) -> None:
    run = moved(rigid, method, v=-20.0)
    assert run["p.y"].values[-1] == pytest.approx(0.1 - G / 2 * 0.2**2, abs=1e-9)
    assert run["p.y.rate"].values[-1] == pytest.approx(-G * 0.2, abs=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
@pytest.mark.parametrize("rigid", [True, False])
def test_a_table_that_rises_at_once_hits_the_ball(rigid: bool, method: gs.Integrator) -> None:
    soft = moved(rigid, method, v=2.0)
    assert soft["p.y"].values[-1] == pytest.approx(0.1 + 2.0 * 0.2, abs=1e-9)
    hard = moved(rigid, method, 0.25, v=2.0, e=0.5)
    assert hard["p.y.rate"].values[-1] == pytest.approx(2.0 + 0.5 * 2.0 - G * 0.05, abs=1e-9)


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_a_table_that_moves_sideways_slides_below_the_ball(method: gs.Integrator) -> None:
    run = moved(True, method, 0.35, w=2.0)
    assert run["p.x"].values[-1] == pytest.approx(0.3 * G / 2 * 0.15**2, abs=1e-9)
    assert [one.event for one in run.events] == ["touch.touch", "touch.slip"]


@pytest.mark.parametrize("rigid", [True, False])
def test_the_output_at_the_kink_is_the_state_before(rigid: bool) -> None:
    run = moved(rigid, v=2.0, e=0.5)
    assert run.time[500] == 0.2
    assert run["p.y.rate"].values[500] == 0.0
    assert np.isfinite(run["p.y"].values).all()


def test_an_impulse_lifts_a_rigid_contact() -> None:
    kick = gs.Event("kick", "t - 0.1", action=gs.Impulse("p.y", 4.0))
    run = gs.simulate(ball_on_table(True), duration=0.2, events=[kick], parameters={"now": 1.0})
    assert run["p.y"].values[-1] == pytest.approx(0.1 + 2.0 * 0.1 - G / 2 * 0.1**2, abs=1e-9)


def test_an_impulse_beyond_friction_lets_a_rigid_contact_slide() -> None:
    kick = gs.Event("kick", "t - 0.1", action=gs.Impulse("p.x", 2.0))
    run = gs.simulate(ball_on_table(True), duration=0.15, events=[kick], parameters={"now": 1.0})
    assert run["p.x"].values[-1] == pytest.approx(0.05 - 0.3 * G / 2 * 0.05**2, abs=1e-9)


@cache
def driven_pendulum() -> gs.System:
    model = gs.Model("pendulum", parameters={"a": 1.0, "other": 0.0})
    model.add(gs.Body("slider", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "slider", axis="x", driven="a*abs(t - 0.5)"))
    model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("angle", "slider", "bob.top", axis="z"))
    return gs.formulate(model)


@pytest.mark.parametrize("when", ["t - 0.5", "0.5 - t", "t - 0.4999999999999999"])
def test_an_event_at_the_instant_of_a_kink_leaves_the_impulse(when: str) -> None:
    event = gs.Event("change", when, action=gs.SetParameter("other", 1.0))
    run = gs.simulate(driven_pendulum(), duration=1, events=[event])
    assert run["angle.rate"].values[-1] == pytest.approx(-2.0, abs=1e-9)


def test_an_event_that_changes_the_rate_of_a_driver_is_an_impulse() -> None:
    model = gs.Model("pendulum", parameters={"a": 0.0})
    model.add(gs.Body("slider", gs.point_mass(1)))
    model.add(gs.Prismatic("x", "ground", "slider", axis="x", driven="a*(t - 0.5)"))
    model.add(gs.Body("bob", gs.point_mass(1), points={"top": (0, 1, 0)}))
    model.add(gs.Revolute("angle", "slider", "bob.top", axis="z"))
    start = gs.Event("start", "t - 0.5", action=gs.SetParameter("a", 1.0))
    run = gs.simulate(model, duration=1, events=[start])
    assert run["angle.rate"].values[-1] == pytest.approx(-1.0, abs=1e-9)
    assert float(abs(run.energy().balance).max()) < 1e-9


@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_an_event_that_moves_a_driver_at_once_is_refused() -> None:
    start = gs.Event("start", "t - 0.25", action=gs.SetParameter("a", 3.0))
    run = gs.simulate(driven_pendulum(), duration=1, events=[start])
    assert run.status.outcome is gs.Outcome.ACTION_FAILED
    assert "event 'start': The driver of 'x' jumps by 0.5 in position at t = 0.25 s" in run.status.message


@pytest.mark.filterwarnings("ignore::gyrostat.GyrostatWarning")
def test_contacts_at_rest_are_accounted_for_with_another_method_in_place_of_gauss() -> None:
    model = gs.Model("plank", gravity=(0, -G, 0))
    model.add(gs.Body("plank", gs.slender_rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    model.add(gs.Planar("p", "ground", "plank", initial={"y": 1.0, "angle": 0.1}))
    ends = [gs.Event.height(end, f"plank.{end}", action=gs.Restitution(0.7)) for end in "ab"]
    run = gs.simulate(model, duration=2, events=ends, integrator=gs.GaussLegendre(step=0.037))
    assert float(abs(run.energy().balance).max()) < 1e-9
