"""Loops closed by springs: convergence to constraints, energy, file form, and faults."""

from pathlib import Path

import numpy as np
import pytest
from campaign import campaign
from closed_models import closed_system
from loop_models import four_bar

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelError, TopologyError

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def closed_and_sprung(model, stiffness, duration, *, damping=0.0, initial=None, **choice):
    """Return coordinates over time with constraints, and with springs for each stiffness."""
    system = gs.formulate(model, **choice)
    start = gs.assemble(system, initial or {}).state
    times = np.linspace(0, duration, 11)
    exact = gs.simulate(system, times=times, initial=initial or {}, integrator=gs.DOP853(1e-10, 1e-10))
    method = gs.Rodas5P(1e-8, 1e-10) if damping else gs.DOP853(1e-9, 1e-10)
    found = []
    for k in stiffness:
        sprung = gs.formulate(model, closing=gs.Compliant(k, damping * k), **choice)
        assert sprung.coordinate_names == system.coordinate_names
        assert not sprung.constrained
        run = gs.simulate(sprung, times=times, initial=dict(start), integrator=method)
        found.append(run)
    return exact, found


def away(exact, run):
    return max(float(np.abs(run[name].values - exact[name].values).max()) for name in run.system.coordinate_names)


def test_four_bar_converges_with_the_stiffness_and_keeps_its_energy():
    exact, runs = closed_and_sprung(four_bar(0.4, 1.0, 0.8, 1.0), (1e4, 1e5, 1e6), 1.0, initial={"h1": 1.0})
    errors = [away(exact, run) for run in runs]
    assert errors[-1] < 2e-3
    assert errors[0] > 20 * errors[2]  # of the order 1/k, with oscillations of that size
    for run in runs:
        assert np.abs(run.energy()["balance"].values).max() < 1e-7
    gap, force = runs[-1]["h4.gap"].values, np.linalg.norm(runs[-1]["h4.force"].values, axis=1)
    np.testing.assert_allclose(force, 1e6 * gap, rtol=1e-6)


def test_load_of_a_damped_closure_is_the_reaction_of_the_joint():
    exact, (run,) = closed_and_sprung(four_bar(0.4, 1.0, 0.8, 1.0), [1e6], 1.0, damping=3e-3, initial={"h1": 1.0})
    reaction = exact.reaction("h4").force.values[1:]
    np.testing.assert_allclose(run["h4.force"].values[1:], reaction, atol=0.02 * np.abs(reaction).max())


@pytest.mark.parametrize("name", ["spatial_four_bar", "spatial_slider_crank", "universal_drive_line"])
def test_spatial_loops_of_the_examples_converge(name):
    model = gs.Model.load(EXAMPLES / f"{name}.yaml")
    exact, runs = closed_and_sprung(model, (1e5, 1e6), 0.05, damping=1e-3)
    first, second = (away(exact, run) for run in runs)
    assert second < max(0.2 * first, 1e-6)


@campaign(40, few=[39])
def test_random_loops_converge(seed):
    found = closed_system(seed)
    if found is None:
        return
    system, names = found.system, found.system.topology.chords
    start = dict(zip((*system.coordinate_names, *system.speed_names), (*found.q, *found.u), strict=True))
    times = np.linspace(0, 0.02, 3)
    exact = gs.simulate(system, times=times, initial=start, integrator=gs.DOP853(1e-10, 1e-10))
    errors = []
    for k in (1e6, 1e8):
        sprung = gs.formulate(system.model, cut=names, closing=gs.Compliant(k, 1e-3 * k))
        run = gs.simulate(sprung, times=times, initial=start, integrator=gs.Rodas5P(1e-7, 1e-9))
        errors.append(away(exact, run))
    assert errors[1] < max(0.1 * errors[0], 2e-6)


def test_statics_and_file(tmp_path):
    model = four_bar(0.4, 1.0, 0.8, 1.0)
    system = gs.formulate(model, closing=gs.Compliant(1e7))
    rest = gs.equilibrium(gs.formulate(model), guess={"h1": -1.2, "h2": 1.0, "h3": 0.5})
    sprung = gs.equilibrium(system, guess={name: rest[name] for name in system.coordinate_names})
    assert sprung["h1"] == pytest.approx(rest["h1"], abs=1e-4)
    run = gs.simulate(system, duration=0.01, initial=sprung.state)
    run.save(tmp_path / "run.nc")
    again = gs.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(again["h4.gap"].values, run["h4.gap"].values)
    system.model.save(tmp_path / "sprung.yaml")
    assert gs.Model.load(tmp_path / "sprung.yaml").forces["h4"] == system.model.forces["h4"]


def test_faults_are_explained():
    model = four_bar(0.4, 1.0, 0.8, 1.0)
    with pytest.raises(TopologyError, match=r"gs.Compliant: stiffness is 0. Give a value above zero"):
        gs.Compliant(0)
    with pytest.raises(TopologyError, match=r"damping is -1. Give zero or more"):
        gs.Compliant(1e6, -1)
    with pytest.raises(TopologyError, match="'stiff', which is not a number"):
        gs.Compliant("stiff")
    model.add(gs.Actuator("motor", "h4"))
    with pytest.raises(ModelError, match="h4"):
        gs.formulate(model, cut=["h4"], closing=gs.Compliant(1e6))
    driven = four_bar(0.4, 1.0, 0.8, 1.0)
    driven.replace(gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a", driven="t"))
    with pytest.raises(TopologyError, match="'h4' closes a loop and is driven: springs do not drive it"):
        gs.formulate(driven, cut=["h4"], closing=gs.Compliant(1e6))
    with pytest.raises(GyrostatError, match=r"closing=1000000.0 is not a way to close loops. Give gs.Compliant"):
        gs.formulate(model, closing=1e6)
