"""Rodas5P in closed loops: agreement, redundancy, singular positions, and a projection that excites no fast motion."""

import numpy as np
import pytest
from loop_models import closed_chain, four_bar, four_bars

import gyrostat as gs
from gyrostat.program.warning import GyrostatWarning

TIGHT = gs.DOP853(rtol=1e-12, atol=1e-13)


def residuals(run):
    return float(run.residuals()["position"].max()) / run.system.model_size


@pytest.fixture(scope="module")
def stiff_four_bar():
    """A four-bar with hard springs and strong dampers in its joints, pushed to and fro."""
    model = four_bar(0.4, 1.0, 0.8, 1.0)
    for name in ("h1", "h2", "h3"):
        model.add(gs.TorsionSpring(f"spring_{name}", name, stiffness=1e4, damping=1e3))
    model.add(gs.Torque("drive", "crank", (0, 0, "2e3*sin(3*t)")))
    return gs.formulate(model)


def test_agreement_with_an_explicit_method_at_tight_tolerances():
    system = gs.formulate(four_bar(0.4, 1.0, 0.8, 1.0))
    settings = {"duration": 3, "step": 0.3, "initial": {"h1": 1.0}}
    exact = gs.simulate(system, **settings, integrator=TIGHT)
    found = gs.simulate(system, **settings, integrator=gs.Rodas5P(rtol=1e-11, atol=1e-12))
    np.testing.assert_allclose(found.q, exact.q, atol=1e-8)
    np.testing.assert_allclose(found.u, exact.u, atol=1e-7)
    assert residuals(found) < 1e-14


@pytest.mark.parametrize(("tolerance", "error", "steps"), [(1e-4, 1e-5, 120), (1e-6, 1e-7, 250), (1e-8, 1e-9, 600)])
def test_a_stiff_four_bar(stiff_four_bar, tolerance, error, steps):
    settings = {"duration": 2, "step": 0.25, "initial": {"h1": 1.0}}
    exact = gs.simulate(stiff_four_bar, **settings, integrator=TIGHT)
    found = gs.simulate(stiff_four_bar, **settings, integrator=gs.Rodas5P(rtol=tolerance, atol=tolerance))
    np.testing.assert_allclose(found.q, exact.q, atol=error)
    assert found.status.steps < steps
    assert residuals(found) < 1e-12


def test_events_in_a_stiff_loop(stiff_four_bar):
    event = gs.Event("turns back", "h1.rate")
    settings = {"duration": 2, "step": 1, "initial": {"h1": 1.0}, "events": [event]}
    found = gs.simulate(stiff_four_bar, **settings, integrator=gs.Rodas5P())
    exact = gs.simulate(stiff_four_bar, **settings, integrator=TIGHT)
    times = [[one.time for one in run.motion.occurrences] for run in (found, exact)]
    assert len(times[0]) == len(times[1]) >= 1
    np.testing.assert_allclose(times[0], times[1], atol=1e-6)


def test_returning_to_the_constraints_wakes_nothing():
    """In the metric of the masses it would set what dampers have stopped in motion again: thrice the steps."""
    system = gs.formulate(closed_chain(12, damping=3.0))
    found = gs.simulate(system, duration=2, step=0.5, integrator=gs.Rodas5P(rtol=1e-4, atol=1e-4))
    fine = gs.simulate(system, duration=2, step=0.5, integrator=gs.Rodas5P(rtol=1e-9, atol=1e-10))
    assert found.status.steps + found.status.rejected < 60
    np.testing.assert_allclose(found.q, fine.q, atol=3e-4)
    assert residuals(found) < 1e-10


@pytest.mark.parametrize(("count", "tolerance", "error"), [(1, 1e-7, 1e-3), (1, 1e-10, 1e-5), (3, 1e-9, 1e-4)])
def test_flattening_parallelograms_are_passed(count, tolerance, error):
    system = gs.formulate(four_bars(count))
    settings = {"duration": 10, "step": 1, "initial": {"c0.rate": 1.0}}
    run = gs.simulate(system, **settings, integrator=gs.Rodas5P(rtol=tolerance, atol=tolerance))
    exact = gs.simulate(system, **settings, integrator=gs.DOP853(rtol=1e-11, atol=1e-11))
    assert run.status.success
    assert float(run["c0"].values[-1]) > 20  # several turns, each through two flat positions
    np.testing.assert_allclose(run["c0"], exact["c0"], atol=error)


def test_redundant_loops(request):
    """Bricard's mechanism has six hinges in space, and moves all the same."""
    model = gs.Model.load(request.config.rootpath / "examples" / "bricard.yaml")
    system = gs.formulate(model)
    assert system.rank.redundant
    exact = gs.simulate(system, duration=1, step=0.2, integrator=TIGHT)
    found = gs.simulate(system, duration=1, step=0.2, integrator=gs.Rodas5P(rtol=1e-5, atol=1e-5))
    np.testing.assert_allclose(found.q, exact.q, atol=2e-4)
    assert residuals(found) < 1e-10


def test_loops_in_space_with_euler_parameters(request):
    """A spatial mechanism in absolute coordinates: rotations and constraints together."""
    model = gs.Model.load(request.config.rootpath / "examples" / "spatial_slider_crank.yaml")
    system = gs.formulate(model, "absolute")
    assert any(name.endswith("e0") for name in system.coordinate_names)
    exact = gs.simulate(system, duration=0.5, step=0.1, integrator=TIGHT)
    found = gs.simulate(system, duration=0.5, step=0.1, integrator=gs.Rodas5P(rtol=1e-6, atol=1e-6))
    np.testing.assert_allclose(found.q, exact.q, atol=1e-4)
    assert residuals(found) < 1e-10


def test_rolling_without_slipping(request):
    """Constraints of speeds alone: a disc that rolls."""
    system = gs.formulate(gs.Model.load(request.config.rootpath / "examples" / "rolling_disc.yaml"))
    exact = gs.simulate(system, duration=1, step=0.2, integrator=TIGHT)
    found = gs.simulate(system, duration=1, step=0.2, integrator=gs.Rodas5P(rtol=1e-7, atol=1e-8))
    np.testing.assert_allclose(found.q, exact.q, atol=1e-5)


def test_a_run_that_fails_keeps_what_it_has(stiff_four_bar):
    model = four_bar(0.4, 1.0, 0.8, 1.0)
    model.add(gs.TorsionSpring("damper", "h2", damping=1e3))
    model.add(gs.Torque("blow", "crank", (0, 0, "1/(0.5 - t)**3")))
    with pytest.warns(GyrostatWarning, match="ended at t = 0"):
        run = gs.simulate(model, duration=1, step=0.1, initial={"h1": 1.0}, integrator=gs.Rodas5P())
    assert not run.status.success
    assert 0.3 < run.status.time <= 0.5
    assert len(run.time) >= 4
    assert residuals(run) < 1e-10
