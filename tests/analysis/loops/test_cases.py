"""Published and independently computed motions of closed loops."""

from pathlib import Path

import numpy as np
import pytest
from cases import at_times, case, value

import gyrostat as gs

EXAMPLES = Path(__file__).parents[3] / "examples"
TIGHT = gs.DOP853(rtol=1e-11, atol=1e-12)


def example(name):
    return gs.formulate(gs.Model.load(EXAMPLES / f"{name}.yaml"))


def test_andrews_squeezer_to_eight_digits():
    system = example("andrews_squeezer")
    names = ("hinge_O", "hinge_F", "hinge_B", "hinge_G", "hinge_A5", "hinge_H", "hinge_A7")
    reference = case("ivp_andrews_squeezer")
    expected = np.array([float(x) for x in reference["quantities"][0]["value"]])
    run = gs.simulate(system, duration=0.03, step=0.03, integrator=TIGHT)
    np.testing.assert_allclose([run[name].values[-1] for name in names], expected[:7], rtol=1e-8)
    np.testing.assert_allclose([run[f"{name}.rate"].values[-1] for name in names], expected[7:14], rtol=1e-7)


def test_bricard_moves_although_a_constraint_is_redundant():
    system = example("bricard")
    expected = at_times(case("iftomm_A04_bricard"), "P3_xyz")
    run = gs.simulate(system, times=[0.0, *expected], integrator=TIGHT)
    np.testing.assert_allclose(run["rod2.P3"].values[1:], np.array(list(expected.values())), atol=1e-6)
    assert system.rank.redundant
    assert [(d.owner, d.count, d.total) for d in system.rank.dependences] == [("a6", 1, 5)]


def test_spatial_slider_crank():
    reference = case("iftomm_spatial_slider_crank")
    expected = at_times(reference, "crank_angle,slider_x,crank_rate")
    system = example("spatial_slider_crank")
    run = gs.simulate(system, times=[0.0, *expected], integrator=TIGHT)
    crank = "hinge"
    found = np.column_stack([run[name].values[1:] for name in (crank, "track", f"{crank}.rate")])
    np.testing.assert_allclose(found, np.array(list(expected.values())), atol=2e-6)
    np.testing.assert_allclose(run["rod.omega"].values[0], value(reference, "rod_omega_global_t0"), atol=1e-10)


def test_slider_crank_by_kinematics():
    reference = case("mcphee_slider_crank")
    speed = reference["parameters"]["omega"]
    run = gs.kinematics(example("crank_slider"), duration=2 * np.pi / speed)
    names = ("hinge_rod", "guide", "hinge_rod.rate", "guide.rate", "hinge_rod.acc", "guide.acc")
    for quantity in reference["quantities"]:
        if "beta8" in quantity:
            moment = run.at(quantity["beta8"] / speed)
            found = [moment[name].values[0] for name in names]
            np.testing.assert_allclose(found, quantity["value"], rtol=1e-11, atol=1e-9)
    np.testing.assert_allclose(gs.dead_centres(run, "guide") * speed, [np.pi], atol=1e-9)


def test_quick_return_by_kinematics():
    reference = case("mcphee_quick_return")
    expected = at_times(reference, "theta9,theta12,s20,theta9dot,theta12dot,s20dot")
    system = example("quick_return")
    rocker = next(name for name in system.coordinate_names if "rocker" in name)
    run = gs.kinematics(system, times=sorted({0.0, *expected}))
    found = np.column_stack(
        [run[name + rate].values for rate in ("", ".rate") for name in (rocker, "hinge_link", "guide_ram")]
    )
    np.testing.assert_allclose(found, np.array([expected[t] for t in run.time]), rtol=1e-9, atol=1e-9)


def test_the_spatial_four_bar_swings_like_its_closed_form():
    inertia, stiffness = value(case("trom_four_bar"), "closed_form")
    system = example("spatial_four_bar")
    small = 1e-4
    run = gs.simulate(system, duration=4.0, step=0.1, initial={"hinge_2": small}, integrator=TIGHT)
    expected = small * np.cos(np.sqrt(stiffness / inertia) * run.time)
    np.testing.assert_allclose(run["hinge_2"].values, expected, atol=small * 1e-6)


@pytest.mark.parametrize(
    "name", ["andrews_squeezer", "bricard", "spatial_slider_crank", "four_bar", "spatial_four_bar"]
)
def test_energy_balances_and_loops_stay_closed(name):
    system = example(name)
    duration = 0.03 if name == "andrews_squeezer" else 2.0
    run = gs.simulate(system, duration=duration, step=duration / 40, integrator=TIGHT)
    energy = run.energy()
    scale = float(np.ptp(energy.kinetic.values)) + 1e-12
    assert float(np.abs(energy.balance.values).max()) < 1e-8 * scale
    rows = system.program("constraints").loop(run.rows)
    residuals = rows[:, system.program("constraints").output_slice("residuals")]
    assert np.abs(residuals).max() < 1e-10 * system.model_size
