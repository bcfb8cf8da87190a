"""Free and heavy tops, and gyrostats: analytic motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import at_times, case, value
from simulations import TIGHT, columns, event_times

import gyrostat as gs


def _free_body(inertia: Any, *rotors: gs.Rotor) -> gs.System:
    model = gs.Model("free body")
    model.add(gs.Body("body", mass=1, inertia=tuple(inertia), com=(0, 0, 0), rotors=rotors))
    model.add(gs.Free("f", "ground", "body"))
    return gs.formulate(model)


def _spinning(omega: Any) -> dict[str, float]:
    return {f"f.w{i + 1}": float(w) for i, w in enumerate(omega)}


@pytest.mark.parametrize("rotations", gs.RotationUpdate)
def test_asymmetric_top_flips_about_its_middle_axis(rotations: gs.RotationUpdate) -> None:
    found = case("euler_top_dzhanibekov")
    expected = at_times(found, "omega")
    motion = gs.simulate(
        _free_body(found["parameters"]["I"]),
        times=[0, *expected, 40.0],
        initial=_spinning(found["initial_conditions"]["omega"]),
        integrator=gs.DOP853(rtol=1e-13, atol=1e-14, rotations=rotations),
        events=[gs.Event("flip", "f.w2")],
    )
    np.testing.assert_allclose(columns(motion, "f.w1", "f.w2", "f.w3")[1:-1], list(expected.values()), atol=2e-10)
    np.testing.assert_allclose(np.diff(event_times(motion, "flip")), value(found, "flip_interval_2K/p"), rtol=1e-9)
    twice, squared = value(found, "2E, L^2")
    angular = motion.momentum().angular.values
    np.testing.assert_allclose(2 * motion.energy().kinetic, twice, rtol=1e-12)
    np.testing.assert_allclose((angular**2).sum(axis=1), squared, rtol=1e-12)
    np.testing.assert_allclose(angular, angular[[0]].repeat(len(angular), axis=0), atol=1e-11)


def test_rotor_turns_the_precession_of_an_axisymmetric_body() -> None:
    found = case("gyrostat_axisymmetric")
    p = found["parameters"]["axisymmetric"]
    system = _free_body((p["A"], p["A"], p["C"]), gs.Rotor("wheel", "z", momentum=p["h"]))
    expected = at_times(found, "omega")
    motion = gs.simulate(
        system,
        times=[0, *expected, 20],
        initial=_spinning(found["initial_conditions"]["omega"]),
        integrator=TIGHT,
        events=[gs.Event("across", "f.w1", "falling")],
    )
    np.testing.assert_allclose(columns(motion, "f.w1", "f.w2", "f.w3")[1:-1], list(expected.values()), atol=1e-13)
    period = 2 * np.pi / value(found, "nutation_rate")
    np.testing.assert_allclose(np.diff(event_times(motion, "across")), period, rtol=1e-12)


def test_rotor_stabilises_the_middle_axis() -> None:
    found = case("gyrostat_axisymmetric")
    p = found["parameters"]["asymmetric"]
    small, t = 1e-6, 12.0
    start = _spinning((small, 0, p["omega_s"]))
    without = gs.simulate(_free_body(p["I"]), duration=t, initial=start, integrator=TIGHT)
    # the linear motion is ε cosh σt
    growth = np.arccosh(np.abs(without["f.w1"].values[-1]) / small) / t
    assert np.isclose(growth, value(found, "growth_rate_h0"), rtol=1e-7)
    system = _free_body(p["I"], gs.Rotor("wheel", "z", momentum=4.0))
    across = [gs.Event("across", "f.w1", "falling")]
    steady = gs.simulate(system, duration=50, initial=start, integrator=TIGHT, events=across)
    period = 2 * np.pi / value(found, "small_osc_freq_h=4")
    np.testing.assert_allclose(np.diff(event_times(steady, "across")), period, rtol=1e-8)
    critical = value(found, "critical_h")
    for h, stays in ((0.99 * critical, False), (1.01 * critical, True)):
        system = _free_body(p["I"], gs.Rotor("wheel", "z", momentum=h))
        motion = gs.simulate(system, duration=400, initial=start)
        assert bool(np.abs(motion["f.w1"].values).max() < 20 * small) is stays


def _top() -> gs.System:
    found = case("lagrange_top")
    p = found["parameters"]
    across = p["I1_fixed_point"] - p["m"] * p["l"] ** 2
    model = gs.Model("top", gravity=(0, 0, -p["g"]))
    model.add(
        gs.Body(
            "top",
            mass=p["m"],
            com=(0, 0, p["l"]),
            inertia=(across, across, p["I3"]),
            points={"pole": (0, 0, 1)},
        )
    )
    model.add(gs.Spherical("j", "ground", "top"))
    return gs.formulate(model)


def _tilted(theta: float, precession: float, spin: float) -> dict[str, float]:
    """Return a top tilted about x that precesses and spins."""
    half = theta / 2
    return {"j.e0": np.cos(half), "j.e1": np.sin(half), "j.w2": precession * np.sin(theta), "j.w3": spin}


@pytest.mark.parametrize("branch", [0, 1])
def test_heavy_top_precesses_steadily(branch: int) -> None:
    found = case("lagrange_top")
    rate = value(found, "steady_precession_slow_fast")[branch]
    motion = gs.simulate(_top(), duration=2, step=0.01, initial=_tilted(np.pi / 4, rate, 60.0), integrator=TIGHT)
    x, y, z = motion["top.pole"].values.T
    np.testing.assert_allclose(z, np.cos(np.pi / 4), atol=2e-12)
    azimuth = np.unwrap(np.arctan2(y, x))
    np.testing.assert_allclose(azimuth - azimuth[0], rate * motion.time, atol=1e-11)


def test_heavy_top_nutates_between_cusps() -> None:
    found = case("lagrange_top")
    turns = [gs.Event("lowest", "top.pole.velocity.z", "rising"), gs.Event("cusp", "top.pole.velocity.z", "falling")]
    start = _tilted(np.pi / 6, 0.0, 40.0)
    motion = gs.simulate(_top(), duration=6, step=0.01, initial=start, integrator=TIGHT, events=turns)
    lowest, cusp = event_times(motion, "lowest"), event_times(motion, "cusp")
    period = value(found, "nutation_period")
    np.testing.assert_allclose(lowest, period * (np.arange(len(lowest)) + 0.5), rtol=1e-11)
    np.testing.assert_allclose(cusp, period * (np.arange(len(cusp)) + 1.0), rtol=1e-11)
    tilt = np.arccos(motion.at(lowest)["top.pole.z"])
    np.testing.assert_allclose(tilt, value(found, "nutation_max_theta"), rtol=1e-11)
    fine = motion.at(np.concatenate((np.linspace(0, cusp[0], 200)[:-1], cusp[:1])))["top.pole"].values
    azimuth = np.unwrap(np.arctan2(fine[:, 1], fine[:, 0]))
    assert np.isclose(azimuth[-1] - azimuth[0], value(found, "precession_angle_per_nutation"), rtol=1e-11)


def test_top_sleeps_only_above_its_least_spin() -> None:
    least = value(case("lagrange_top"), "sleeping_top_min_spin")
    for spin, sleeps in ((0.98 * least, False), (1.02 * least, True)):
        motion = gs.simulate(_top(), duration=20, initial=_tilted(1e-5, 0.0, spin))
        assert bool(motion["top.pole.z"].values.min() > np.cos(1e-4)) is sleeps
