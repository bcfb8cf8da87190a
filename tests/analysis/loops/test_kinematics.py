"""Kinematic analysis: full turns, dead points, ratios."""

import numpy as np
import pytest
from loop_models import four_bar, peaucellier

import gyrostat as gs
from gyrostat.analysis.integrators.prescribed_motion import PrescribedMotion
from gyrostat.program.warning import GyrostatWarning


def driven_four_bar(crank, coupler, rocker, base, drive="h1", course="t"):
    model = four_bar(crank, coupler, rocker, base)
    joints = {
        name: joint if name != drive else gs.Revolute(name, joint.parent, joint.child, driven=course)
        for name, joint in model.joints.items()
    }
    new = gs.Model(model.name, gravity=(0, -9.81, 0))
    for body in model.bodies.values():
        if body.name != "ground":
            new.add(body)
    for joint in joints.values():
        new.add(joint)
    return new


def test_a_crank_rocker_turns_fully_on_one_branch():
    run = gs.kinematics(driven_four_bar(0.4, 1.0, 0.8, 1.0), duration=4 * np.pi, step=0.05)
    assert run.status.success
    np.testing.assert_allclose(run["h1"].values, run.time, atol=1e-12)
    rocker = run["rocker.b"].values - run["rocker.a"].values
    coupler = run["coupler.b"].values - run["coupler.a"].values
    np.testing.assert_allclose(np.linalg.norm(rocker, axis=1), 0.8, atol=1e-12)
    np.testing.assert_allclose(run["coupler.b"].values, run["rocker.b"].values, atol=1e-11)
    side = np.sign(np.cross(rocker, coupler)[:, 2])
    assert (side == side[0]).all()
    np.testing.assert_allclose(
        run["crank.b"].values[:, :2], 0.4 * np.column_stack((np.cos(run.time), np.sin(run.time)))
    )


def test_rates_and_accelerations_are_derivatives():
    run = gs.kinematics(driven_four_bar(0.4, 1.0, 0.8, 1.0, course="0.3 + 2*t + 0.5*sin(3*t)"), duration=2, step=0.001)
    for name in ("h1", "h2", "h3", "h4"):
        values, rates, accelerations = (run[name + part].values for part in ("", ".rate", ".acc"))
        np.testing.assert_allclose(np.gradient(values, run.time)[2:-2], rates[2:-2], atol=1e-4)
        np.testing.assert_allclose(np.gradient(rates, run.time)[2:-2], accelerations[2:-2], atol=1e-3)


def test_virtual_work_links_ratios_and_loads():
    """The power of the driver raises energy: checked by the account of energy."""
    run = gs.kinematics(driven_four_bar(0.4, 1.0, 0.8, 1.0, course="2*t"), duration=3, step=0.02)
    energy = run.energy()
    assert np.abs(energy.balance.values).max() < 1e-9
    ratio = gs.velocity_ratio(run, "h2", "h1")
    np.testing.assert_allclose(ratio * run["h1.rate"].values, run["h2.rate"].values, atol=1e-12)


def test_the_transmission_angle_is_that_of_plane_geometry():
    run = gs.kinematics(driven_four_bar(0.4, 1.0, 0.8, 1.0), duration=2 * np.pi, step=0.1)
    found = gs.transmission_angle(run, ("coupler.a", "coupler.b"), ("rocker.a", "rocker.b"))
    diagonal = 0.4**2 + 1.0**2 - 2 * 0.4 * np.cos(run.time)
    between = np.arccos((1.0**2 + 0.8**2 - diagonal) / (2 * 1.0 * 0.8))
    np.testing.assert_allclose(found, np.minimum(between, np.pi - between), atol=1e-9)


def test_dead_centres_are_where_the_rocker_turns_back():
    run = gs.kinematics(driven_four_bar(0.4, 1.0, 0.8, 1.0), duration=2 * np.pi, step=0.05)
    (chord,) = run.system.topology.chords
    name = "h4" if chord != "h4" else chord
    found = gs.dead_centres(run, name)
    assert len(found) == 2
    for t in found:
        moment = run.at(t)
        a, b, c = (moment[point].values[0] for point in ("crank.a", "crank.b", "coupler.b"))
        assert abs(np.cross(b - a, c - a)[2]) < 1e-6  # crank and coupler in one line


def test_a_dead_point_stops_with_that_explanation():
    model = driven_four_bar(0.4, 1.0, 0.8, 1.0, drive="h4", course="2 + t")
    with pytest.warns(GyrostatWarning, match=r"leads beyond the reach of the mechanism. Limit it"):
        run = gs.kinematics(model, duration=6, step=0.05)
    assert run.status.outcome is gs.Outcome.NOT_CLOSED
    assert 0.0 < run.status.time < 6
    a, b, c = (run[point].values[-1] for point in ("crank.a", "crank.b", "coupler.b"))
    assert abs(np.cross(b - a, c - a)[2]) < 0.05


def test_freedom_that_is_left_is_told():
    with pytest.raises(gs.StateError, match=r"drivers of 'four-bar' leave it 1 of freedom.*Drive another coordinate"):
        gs.kinematics(four_bar(0.4, 1.0, 0.8, 1.0), duration=1)
    arm = gs.Model("arm")
    arm.add(gs.Body("bar", gs.rod(1, 1), points={"end": (0.5, 0, 0)}))
    arm.add(gs.Revolute("a", "ground", "bar.end", driven="sin(t)"))
    run = gs.kinematics(arm, duration=1, step=0.5)
    np.testing.assert_allclose(run["a.acc"].values, -np.sin(run.time))


def test_freedom_is_counted_at_the_guess():
    """From the model's own values the linkage folds onto a line, where it has a freedom beside that of its driver."""
    arm, side, crank = 1.0, 0.6, 0.3
    x = arm**2 / (4 * crank) + crank - side**2 / (4 * crank)  # of C and D, where the crank lies along x
    y = np.sqrt(arm**2 - x**2)
    outer, inner, far = np.arctan2(y, x), np.arctan2(y, x - 2 * crank), np.arctan2(-y, x - 2 * crank)
    guess = {"B1": inner, "B2": -inner, "C1": inner - outer, "D1": outer - inner, "C2": far - outer, "D2": outer - far}
    run = gs.kinematics(peaucellier("0.1*sin(t)", arm, side, crank), duration=2, step=0.1, guess=guess)
    assert run.status.success
    np.testing.assert_allclose(run["cp.b"].values[:, 0], (arm**2 - side**2) / (2 * crank), atol=1e-10)
    assert np.ptp(run["cp.b"].values[:, 1]) > 0.05


def _slider_crank():
    """A crank of 1 m turns at 2 rad/s; a rod of 3 m moves a slider along x."""
    model = gs.Model("slider crank")
    model.add(gs.Body("crank", mass=1, inertia=(1, 1, 1), points={"end": (1, 0, 0)}))
    model.add(gs.Revolute("a", "ground", "crank", driven="2*t"))
    model.add(gs.Body("rod", mass=1, inertia=(1, 1, 1), points={"end": (3, 0, 0)}))
    model.add(gs.Revolute("b", "crank.end", "rod"))
    model.add(gs.Body("slider", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("c", "rod.end", "slider"))
    model.add(gs.Prismatic("s", "ground", "slider", axis="x", initial={"displacement": 4.0}))
    return model


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_events_of_a_prescribed_motion_are_located_by_simulate(coordinates):
    """From (3.5 − cos a)² = 9 − sin² a follows cos a = 17/28; the slider turns back at a = π."""
    events = [gs.Event("passes", "slider.x - 3.5"), gs.Event("turns", "s.rate")]
    run = gs.simulate(gs.formulate(_slider_crank(), coordinates), 3, step=0.5, events=events)
    angle = np.arccos(17 / 28)
    np.testing.assert_allclose([one.time for one in run.at_event("passes")], [angle / 2, np.pi - angle / 2], atol=1e-9)
    np.testing.assert_allclose([one.time for one in run.at_event("turns")], [np.pi / 2], atol=1e-9)


def test_kinematics_names_the_analysis_that_has_events():
    with pytest.raises(
        gs.StateError, match=r"kinematics has no argument 'events'\. Use simulate\(…, events=…\), which"
    ):
        gs.kinematics(_slider_crank(), 1, events=[gs.Event("turns", "s.rate")])
    with pytest.raises(gs.StateError, match=r"kinematics has no argument 'gues'\. Did you mean 'guess'\?"):
        gs.kinematics(_slider_crank(), 1, gues={})


def test_a_prescribed_motion_refuses_events():
    with pytest.raises(gs.StateError, match=r"PrescribedMotion locates no events.*Use integrator=gs\.Rodas5P\(\)"):
        gs.simulate(_slider_crank(), 1, events=[gs.Event("turns", "s.rate")], integrator=PrescribedMotion())
