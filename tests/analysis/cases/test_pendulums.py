"""Pendulums: published and analytic motions."""

from __future__ import annotations

import numpy as np
from cases import at_times, case, value
from random_trees import Floats
from scipy.special import ellipj, ellipk
from simulations import TIGHT, columns, event_times

import gyrostat as gs


def test_two_bars_of_forehand_cartmell_and_khanin() -> None:
    found = case("forehand_double_pendulum_bars")
    model = gs.Model("two bars", gravity=(0, "-g", 0), parameters=found["parameters"])
    for i in (1, 2):
        points = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.slender_rod(f"m{i}", f"l{i}", along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top"))
    expected = at_times(found, "theta1,theta2,rates")
    start = {"a1": found["initial_conditions"]["theta1"], "a2": found["initial_conditions"]["theta2"]}
    motion = gs.simulate(model, times=[0, *expected], initial=start, integrator=TIGHT)
    state = columns(motion, "a1", "a2", "a1.rate", "a2.rate")
    np.testing.assert_allclose(state[1:], list(expected.values()), atol=2e-12)


def test_two_point_masses_of_crous() -> None:
    found = case("crous_D1_double_pendulum")
    model = gs.Model("two bobs", gravity=(0, "-g", 0), parameters=found["parameters"])
    for i in (1, 2):
        model.add(gs.Body(f"bob{i}", gs.point_mass(f"m{i}"), points={"hook": (0, f"l{i}", 0)}))
    model.add(gs.Revolute("a1", "ground", "bob1.hook"))
    model.add(gs.Revolute("a2", "bob1", "bob2.hook"))
    first, second = (found["initial_conditions"][f"theta{i}_deg"] for i in (1, 2))
    expected = at_times(found, "theta1,theta2,theta1dot,theta2dot")
    start = {"a1": gs.deg(first), "a2": gs.deg(second - first)}
    motion = gs.simulate(model, times=[0, *expected], initial=start, integrator=TIGHT)
    relative = columns(motion, "a1", "a2", "a1.rate", "a2.rate")
    absolute = relative @ np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]])
    np.testing.assert_allclose(absolute[1:], list(expected.values()), atol=2e-11)


def _simple_pendulum() -> gs.System:
    model = gs.Model("A01", gravity=(0, -9.81, 0))
    model.add(gs.Body("P1", gs.point_mass(1.0), points={"pivot": (0, 1, 0)}))
    model.add(gs.Revolute("a", "ground", "P1.pivot", initial={"angle": "-pi/2"}))
    return gs.formulate(model)


def test_simple_pendulum_of_iftomm() -> None:
    found = case("iftomm_A01_simple_pendulum")
    expected = at_times(found, "P1_xy")
    events = [gs.Event("left", "a.rate", "rising"), gs.Event("bottom", "a")]
    motion = gs.simulate(_simple_pendulum(), times=[0, *expected], integrator=TIGHT, events=events)
    np.testing.assert_allclose(motion["P1"].values[1:, :2], list(expected.values()), atol=2e-12)
    assert np.ptp(motion.energy().total.values) < 5e-12
    period = value(found, "period")
    np.testing.assert_allclose(event_times(motion, "left"), period * np.arange(1, 5), rtol=2e-13)
    np.testing.assert_allclose(event_times(motion, "bottom"), period * np.arange(1, 17, 2) / 4, rtol=2e-13)
    at_bottom = motion.at(event_times(motion, "bottom")).reaction("a").force.values
    np.testing.assert_allclose(at_bottom[:, :2], [[0, value(found, "max_rod_tension")]] * 8, rtol=1e-11, atol=1e-10)
    fine = gs.simulate(_simple_pendulum(), duration=period, integrator=TIGHT).reaction("a").force
    assert np.linalg.norm(fine, axis=1).max() <= value(found, "max_rod_tension") * (1 + 1e-12)


def _swing(t: Floats) -> Floats:
    """Return x and y of a pendulum of 1 m released from the left, by Jacobi's elliptic functions."""
    k = np.sqrt(0.5)
    sn, _, dn, _ = ellipj(ellipk(k**2) - np.sqrt(9.81) * t, k**2)
    return np.column_stack((-2 * k * sn * dn, 2 * k**2 * sn**2 - 1))


def test_simple_pendulum_keeps_its_phase_for_two_thousand_seconds() -> None:
    times = np.arange(0.0, 2000.5, 0.5)
    motion = gs.simulate(_simple_pendulum(), times=times, integrator=TIGHT)
    assert np.abs(motion["P1"].values[:, :2] - _swing(times)).max() < 2e-8
    assert np.ptp(motion.energy().total.values) < 2e-10


def test_spherical_pendulum() -> None:
    found = case("spherical_pendulum")
    model = gs.Model("spherical pendulum", gravity=(0, 0, "-g"), parameters=found["parameters"])
    model.add(gs.Body("bob", gs.point_mass("m"), points={"pivot": (0, 0, "l")}))
    model.add(gs.Universal("j", "ground", "bob.pivot"))
    # at angle1 = 0 the bob is at azimuth 0; its speed l φ' sin θ across is l cos θ times the rate of angle1
    start = {"j.angle2": -1.0, "j.angle1.rate": 2.0 * np.tan(1.0)}
    turns = [gs.Event("inner", "bob.velocity.z", "rising"), gs.Event("outer", "bob.velocity.z", "falling")]
    motion = gs.simulate(model, duration=5, step=0.01, initial=start, integrator=TIGHT, events=turns)
    inner, outer = event_times(motion, "inner"), event_times(motion, "outer")
    period = value(found, "theta_period")
    np.testing.assert_allclose(inner, period * (np.arange(len(inner)) + 0.5), rtol=1e-12)
    np.testing.assert_allclose(outer, period * (np.arange(len(outer)) + 1.0), rtol=1e-12)
    smallest, largest = value(found, "theta_min,max")
    np.testing.assert_allclose(np.arccos(-motion.at(inner)["bob.z"]), smallest, rtol=1e-11)
    np.testing.assert_allclose(np.arccos(-motion.at(outer)["bob.z"]), largest, rtol=1e-11)
    x, y, _ = motion.at(inner[:1])["bob"].values[0]
    assert np.isclose(np.arctan2(y, x) % (2 * np.pi), value(found, "apsidal_angle"), rtol=1e-11)
    np.testing.assert_allclose(motion.momentum().angular.sel(axis="z"), value(found, "L_z"), rtol=1e-12)
