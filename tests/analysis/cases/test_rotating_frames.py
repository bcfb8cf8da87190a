"""Motion in frames that are turned by drivers."""

from __future__ import annotations

import numpy as np
from cases import at_times, case, value
from simulations import TIGHT, columns, event_times

import gyrostat as gs


def test_foucault_pendulum_turns_against_the_earth() -> None:
    # The case's equation is linear. A mass in a plane on the turning Earth, held by a spring of stiffness
    # m (w0² + Oz²), obeys it exactly: the case counts the centrifugal part Oz² in gravity.
    found = case("foucault_pendulum")
    p = found["parameters"]
    Oz = p["Omega_earth"] * np.sin(np.deg2rad(p["latitude_deg"]))
    model = gs.Model("Foucault", parameters={"Oz": Oz, "w": np.sqrt(p["g"] / p["L"])})
    model.add(gs.Body("earth", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Body("bob", gs.point_mass(1.0)))
    model.add(gs.Revolute("day", "ground", "earth", axis="z", driven="Oz*t"))
    model.add(gs.Planar("plane", "earth", "bob", driven={"angle": 0}))
    model.add(gs.Bushing("spring", "earth", "bob", ("w**2 + Oz**2", "w**2 + Oz**2", 0)))
    expected = at_times(found, "xy")
    farthest = gs.Event("farthest", "plane.x*plane.x.rate + plane.y*plane.y.rate", "falling")
    start = {"plane.x": found["initial_conditions"]["x"]}
    motion = gs.simulate(model, times=[0, *expected], initial=start, integrator=TIGHT, events=[farthest])
    np.testing.assert_allclose(columns(motion, "plane.x", "plane.y")[1:], list(expected.values()), atol=1e-10)
    times = event_times(motion, "farthest")
    np.testing.assert_allclose(times, value(found, "swing_period") / 2 * np.arange(1, len(times) + 1), rtol=2e-8)
    states = motion.at(times)
    swing = np.arctan(states["plane.y"] / states["plane.x"]).values
    np.testing.assert_allclose(swing / times, value(found, "precession_rate"), rtol=1e-9)


def _hoop() -> gs.System:
    p = case("bead_on_rotating_hoop")["parameters"]
    model = gs.Model("hoop", gravity=(0, 0, "-g"), parameters=p)
    model.add(gs.Body("hoop", gs.ring(0.7, "R", along="y")))
    model.add(gs.Body("bead", gs.point_mass("m"), points={"centre": (0, 0, "R")}))
    model.add(gs.Revolute("turn", "ground", "hoop", axis="z", driven="Omega*t"))
    model.add(gs.Revolute("theta", "hoop", "bead.centre", axis="y"))
    return gs.formulate(model)


def test_bead_on_a_rotating_hoop_stays_where_forces_balance() -> None:
    found = case("bead_on_rotating_hoop")
    rest = value(found, "equilibrium_theta")
    for side in (1, -1):
        motion = gs.simulate(_hoop(), duration=3, initial={"theta": side * rest}, integrator=TIGHT)
        np.testing.assert_allclose(motion["theta"], side * rest, atol=2e-13)
    small = 1e-5
    across = [gs.Event("across", f"theta - {rest!r}", "falling")]
    motion = gs.simulate(_hoop(), duration=10, initial={"theta": rest + small}, integrator=TIGHT, events=across)
    frequency = 2 * np.pi / np.diff(event_times(motion, "across"))
    np.testing.assert_allclose(frequency, value(found, "small_osc_freq"), rtol=1e-8)


def test_bead_leaves_the_bottom_of_a_fast_hoop_only() -> None:
    found = case("bead_on_rotating_hoop")
    small, t = 1e-9, 2.0
    motion = gs.simulate(_hoop(), duration=t, initial={"theta": small}, integrator=gs.DOP853(1e-13, 1e-22))
    growth = np.arccosh(motion["theta"].values[-1] / small) / t
    assert np.isclose(growth, value(found, "bottom_growth_rate"), rtol=1e-9)
    critical = value(found, "critical_speed")
    for speed, stays in ((0.99 * critical, True), (1.01 * critical, False)):
        motion = gs.simulate(_hoop(), duration=40, initial={"theta": 1e-6}, parameters={"Omega": speed})
        assert bool(motion["theta"].values.max() < 1e-4) is stays


def test_torque_that_keeps_a_hoop_turning() -> None:
    found = case("bead_on_rotating_hoop")
    p, rest = found["parameters"], value(found, "equilibrium_theta")
    start = {"theta": rest, "theta.rate": 1.5}
    motion = gs.simulate(_hoop(), duration=2, step=0.01, initial=start, integrator=TIGHT)
    torque, theta = motion.driver_load("turn"), motion["theta"]
    assert np.isclose(torque[0] / 1.5, value(found, "driving_torque_linear_coefficient"), rtol=1e-12)
    expected = 2 * p["m"] * p["R"] ** 2 * p["Omega"] * np.sin(theta) * np.cos(theta) * motion["theta.rate"]
    np.testing.assert_allclose(torque, expected, atol=1e-12)
    account = motion.energy()
    assert np.abs(account.balance).max() < 2e-12
    assert np.ptp(account.supplied.sel(supplier="turn").values) > 1  # the driver does work that the account counts
