"""Rolling: a disc, a blade and a sphere on a turntable against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import at_times, case, value
from random_trees import Floats
from simulations import TIGHT, event_times

import gyrostat as gs

DISC = case("rolling_disc")
M, R, G = (DISC["parameters"][name] for name in ("m", "R", "g"))
MOMENTS = {"disc": (0.25 * M * R**2, 0.5 * M * R**2), "hoop": (0.5 * M * R**2, M * R**2)}
CLOSE = gs.DOP853(rtol=1e-11, atol=1e-12)
UP = np.array([0.0, 0.0, 1.0])


def rolling(body: str) -> gs.System:
    """Return a disc with its axis along y at zero coordinates; `pole` is a point on the axis."""
    It, Ip = MOMENTS[body]
    model = gs.Model("rolling disc", gravity=(0, 0, "-g"), parameters={"m": M, "R": R, "g": G})
    frames = {"hub": gs.Frame(turn=[("x", "90*deg")])}
    model.add(gs.Body("disc", mass="m", inertia=(It, It, Ip), points={"pole": (0, 0, 1)}, frames=frames))
    model.add(gs.Free("flight", "ground", "disc.hub", initial={"z": "R"}))
    model.add(gs.RollingDisc("roll", "disc", "R"))
    return gs.formulate(model)


@pytest.fixture(scope="module")
def systems() -> dict[str, gs.System]:
    return {body: rolling(body) for body in MOMENTS}


def start(lean: float, omega: Floats) -> dict[str, float]:
    """Return the state of a disc whose axis is lifted from y towards z, with an angular velocity in world axes."""
    c, s = np.cos(lean), np.sin(lean)
    R_WH = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    axis = R_WH[:, 1]
    arm = -R * (UP - axis[2] * axis) / np.sqrt(1 - axis[2] ** 2)  # from the centre to the contact
    w, v = R_WH.T @ omega, R_WH.T @ -np.cross(omega, arm)
    turned = {"e0": np.cos(lean / 2), "e1": np.sin(lean / 2)}
    speeds = {f"{letter}{i + 1}": x for letter, vector in (("w", w), ("v", v)) for i, x in enumerate(vector)}
    return {f"flight.{name}": float(x) for name, x in {"z": -arm[2], **turned, **speeds}.items()}


def tilt(trajectory: gs.Trajectory) -> Floats:
    """Return the cosine of the angle between axis and vertical."""
    return np.asarray((trajectory["disc.pole.z"] - trajectory["disc.z"]).values)


def test_steady_circular_rolling(systems):
    angle, precession = np.radians(60), 3.0
    spin = value(DISC, "steady: wn for al=60deg, Om=3")
    axis = np.array([0, np.sin(angle), np.cos(angle)])
    omega = precession * UP + (spin - precession * axis[2]) * axis
    trajectory = gs.simulate(
        systems["disc"], duration=5, initial=start(np.pi / 2 - angle, omega), step=0.01, integrator=CLOSE
    )
    assert tilt(trajectory) == pytest.approx(np.full(len(trajectory.time), 0.5), abs=1e-9)
    x, y = trajectory["disc.x"].values, trajectory["disc.y"].values
    (a, b, c), *_ = np.linalg.lstsq(np.column_stack((x, y, np.ones_like(x))), x**2 + y**2, rcond=None)
    assert np.sqrt(c + a**2 / 4 + b**2 / 4) == pytest.approx(value(DISC, "steady: radius of centre path"), rel=1e-9)
    assert np.abs(trajectory.energy().balance.values).max() < 1e-10
    found = trajectory.residuals()
    assert found.position.max() < 1e-10 * R
    assert found.speed.max() < 1e-10


def of_body(name: str, body: str) -> float:
    (found,) = [q["value"] for q in DISC["quantities"] if q["name"] == name and q["body"] == body]
    return float(found)


@pytest.mark.parametrize("body", MOMENTS)
def test_wobble_of_an_upright_disc(body, systems):
    speed = 1.5 * of_body("critical_speed", body)
    crossing = gs.Event("upright", "disc.pole.z - disc.z", direction="rising")
    omega = np.array([1e-4, speed / R, 0.0])
    trajectory = gs.simulate(
        systems[body], duration=6, initial=start(0.0, omega), step=0.1, integrator=TIGHT, events=[crossing]
    )
    times = event_times(trajectory, "upright")
    frequency = 2 * np.pi * (len(times) - 1) / (times[-1] - times[0])
    assert frequency == pytest.approx(of_body("wobble_freq_at_1.5_crit", body), rel=1e-6)


@pytest.mark.parametrize("body", MOMENTS)
def test_critical_speed(body, systems):
    """The lean x″ + c x = 0 has c linear in the square of the speed: growth below, wobble above, c = 0 between."""
    critical = of_body("critical_speed", body)
    speeds = np.array([0.8, 0.9]) * critical
    stiffness = []
    for speed in speeds:
        initial = start(0.0, np.array([1e-4, speed / R, 0.0]))
        lean = tilt(gs.simulate(systems[body], duration=0.6, initial=initial, step=0.3, integrator=TIGHT))
        stiffness.append(-((np.arccosh(lean[2] / lean[1] / 2) / 0.3) ** 2))  # lean ~ sinh(λ t)
    slope = (stiffness[1] - stiffness[0]) / (speeds[1] ** 2 - speeds[0] ** 2)
    assert np.sqrt(speeds[0] ** 2 - stiffness[0] / slope) == pytest.approx(critical, rel=1e-6)


def test_chaplygin_sleigh():
    found = case("chaplygin_sleigh")
    p, initial = found["parameters"], found["initial_conditions"]
    model = gs.Model("Chaplygin sleigh", parameters={"m": p["m"], "a": p["a"]})
    model.add(gs.Body("sleigh", mass="m", inertia=(1, 1, p["I_com"]), com=("a", 0, 0)))
    model.add(gs.Planar("slide", "ground", "sleigh"))
    model.add(gs.KnifeEdge("blade", "sleigh"))
    state = {"slide.x.rate": initial["v"], "slide.angle.rate": initial["omega"]}
    trajectory = gs.simulate(model, duration=5, initial=state, step=0.5, integrator=TIGHT)
    for t, (v, omega, theta) in at_times(found, "v,omega,theta").items():
        here = trajectory.at(t)
        heading = here["slide.angle"].values[0]
        along = here["slide.x.rate"].values * np.cos(heading) + here["slide.y.rate"].values * np.sin(heading)
        assert along[0] == pytest.approx(v, abs=1e-9)
        assert here["slide.angle.rate"].values[0] == pytest.approx(omega, abs=1e-9)
        assert heading == pytest.approx(theta, abs=1e-9)
    for t, place in at_times(found, "blade_xy").items():
        assert trajectory.at(t)["sleigh"].values[0, :2] == pytest.approx(place, abs=1e-7)
    # the blade's force is what turns the mass centre from its path: m (a ω̇ + v ω)
    accelerations = trajectory["slide.angle.acc"].values
    heading = trajectory["slide.angle"].values
    along = trajectory["slide.x.rate"].values * np.cos(heading) + trajectory["slide.y.rate"].values * np.sin(heading)
    wanted = p["m"] * (p["a"] * accelerations + along * trajectory["slide.angle.rate"].values)
    assert trajectory["blade.force"].values == pytest.approx(wanted, abs=1e-9)


def turntable(**places: Any) -> gs.Model:
    """Return a ball on a table that turns with 3 rad/s."""
    model = gs.Model("turntable", gravity=(0, 0, -9.81))
    model.add(gs.Body("table", gs.disc(5, 1, along="z")))
    model.add(gs.Body("ball", gs.sphere(0.2, 0.05)))
    model.add(gs.Revolute("spindle", "ground", "table", driven="3*t"))
    model.add(gs.Free("flight", "ground", "ball", initial={"x": 0.4, "z": 0.05, **places}))
    model.add(gs.RollingSphere("roll", "ball", 0.05, "table"))
    return model


def test_a_sphere_on_a_turntable_goes_in_circles_with_two_sevenths_of_its_rate():
    """Its centre obeys a = (2/7) Ω × v whatever its spin (Routh); here it begins at rest, so the table drags it."""
    system = gs.formulate(turntable())
    state = gs.assemble(system, {"flight.v1": 0.0, "flight.v2": 0.0, "flight.w3": 0.0}).state
    assert state["flight.w1"] == pytest.approx(3 * 0.4 / 0.05)  # it turns below as the table moves
    state |= {"flight.v1": 0.3, "flight.w2": 0.3 / 0.05}
    period = 2 * np.pi / (3 * 2 / 7)
    trajectory = gs.simulate(system, duration=period, initial=state, step=period / 8, integrator=TIGHT)
    places = trajectory["ball"].values[:, :2]
    assert places[-1] == pytest.approx(places[0], abs=1e-9)
    velocity = trajectory["ball.velocity"].values[:, :2]
    angles = np.unwrap(np.arctan2(velocity[:, 1], velocity[:, 0]))
    assert angles == pytest.approx(np.linspace(0, 2 * np.pi, 9), abs=1e-9)
    assert places[4] == pytest.approx([0.4, 2 * 0.3 * 7 / 2 / 3], abs=1e-9)  # diameter 2 v/ω
    assert trajectory.constraint("roll")["force along the normal"].values == pytest.approx(np.full(9, 0.2 * 9.81))
    assert np.abs(trajectory.energy().balance.values).max() < 1e-10
