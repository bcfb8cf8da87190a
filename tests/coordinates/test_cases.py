"""Published motions in several choices of coordinates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import at_times, case, value
from simulations import TIGHT, columns

import gyrostat as gs

EXAMPLES = Path(__file__).parents[2] / "examples"
CHOICES = ("joint", "absolute", "branch")


@pytest.mark.parametrize("choice", CHOICES)
def test_two_bars_of_forehand_cartmell_and_khanin(choice: str) -> None:
    found = case("forehand_double_pendulum_bars")
    model = gs.Model("two bars", gravity=(0, "-g", 0), parameters=found["parameters"])
    for i in (1, 2):
        points = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.slender_rod(f"m{i}", f"l{i}", along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top"))
    expected = at_times(found, "theta1,theta2,rates")
    start = {"a1": found["initial_conditions"]["theta1"], "a2": found["initial_conditions"]["theta2"]}
    motion = gs.simulate(gs.formulate(model, choice), times=[0, *expected], initial=start, integrator=TIGHT)
    state = columns(motion, "a1", "a2", "a1.rate", "a2.rate")
    np.testing.assert_allclose(state[1:], list(expected.values()), atol=1e-10)


def _pendulum() -> gs.Model:
    model = gs.Model("A01", gravity=(0, -9.81, 0))
    model.add(gs.Body("P1", gs.point_mass(1.0), points={"pivot": (0, 1, 0)}))
    model.add(gs.Revolute("a", "ground", "P1.pivot", initial={"angle": "-pi/2"}))
    return model


@pytest.mark.parametrize("choice", [*CHOICES, gs.Trees(["P1"], ["a"])])
def test_simple_pendulum_of_iftomm(choice: str | gs.Trees) -> None:
    found = case("iftomm_A01_simple_pendulum")
    expected = at_times(found, "P1_xy")
    bottom = [gs.Event("bottom", "a", "rising")]
    system = gs.formulate(_pendulum(), choice)
    motion = gs.simulate(system, times=[0, *expected], integrator=TIGHT, events=bottom)
    np.testing.assert_allclose(motion["P1"].values[1:, :2], list(expected.values()), atol=2e-11)
    assert np.ptp(motion.energy().total.values) < 5e-11
    times = [one.time for one in motion.at_event("bottom")]
    np.testing.assert_allclose(times, value(found, "period") * (np.arange(len(times)) + 0.25), rtol=1e-12)
    load = motion.at(times).reaction("a").force.values
    np.testing.assert_allclose(load[:, 1], value(found, "max_rod_tension"), rtol=1e-10)


def _top() -> gs.Model:
    p = case("lagrange_top")["parameters"]
    across = p["I1_fixed_point"] - p["m"] * p["l"] ** 2
    model = gs.Model("top", gravity=(0, 0, -p["g"]))
    body: dict[str, Any] = {"mass": p["m"], "com": (0, 0, p["l"]), "inertia": (across, across, p["I3"])}
    model.add(gs.Body("top", points={"pole": (0, 0, 1)}, **body))
    model.add(gs.Spherical("j", "ground", "top"))
    return model


@pytest.mark.parametrize("choice", [*CHOICES, gs.Trees(["j"], ["top"])])
def test_heavy_top_precesses_steadily(choice: str | gs.Trees) -> None:
    rate, theta, spin = value(case("lagrange_top"), "steady_precession_slow_fast")[0], np.pi / 4, 60.0
    start = {"j.e0": np.cos(theta / 2), "j.e1": np.sin(theta / 2), "j.w2": rate * np.sin(theta), "j.w3": spin}
    system = gs.formulate(_top(), choice)
    motion = gs.simulate(system, duration=2, step=0.01, initial=start, integrator=TIGHT)
    x, y, z = motion["top.pole"].values.T
    np.testing.assert_allclose(z, np.cos(theta), atol=1e-10)
    azimuth = np.unwrap(np.arctan2(y, x))
    np.testing.assert_allclose(azimuth - azimuth[0], rate * motion.time, atol=1e-9)
    np.testing.assert_allclose(motion["j.w3"].values, spin, rtol=1e-10)


@pytest.mark.parametrize("choice", CHOICES)
def test_andrews_squeezer(choice: str) -> None:
    """The published order of angles is β, Θ, γ, φ, δ, Ω, ε; turns are counted in every choice."""
    published = case("ivp_andrews_squeezer")
    names = ("hinge_O", "hinge_F", "hinge_B", "hinge_G", "hinge_A5", "hinge_H", "hinge_A7")
    expected = np.array([float(x) for x in published["quantities"][0]["value"]])
    system = gs.formulate(gs.Model.load(EXAMPLES / "andrews_squeezer.yaml"), choice)
    motion = gs.simulate(system, duration=0.03, step=0.03, integrator=TIGHT)
    state = columns(motion, *names, *(f"{name}.rate" for name in names))[-1]
    np.testing.assert_allclose(state, expected[:14], rtol=1e-7)
