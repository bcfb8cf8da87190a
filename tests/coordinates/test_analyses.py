"""Analyses by the model's own names, whatever the coordinates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case
from coordinate_models import quick_return
from loop_models import four_bar
from simulations import TIGHT, double_pendulum

import gyrostat as gs

CHOICES = ("joint", "absolute", "branch")
OTHERS = CHOICES[1:]


def _model() -> gs.Model:
    """Return two rods with a motor at the first hinge, and a spring at the second."""
    model = double_pendulum()
    model.add(gs.TorsionSpring("coil", "a2", 0.1, 0.01))
    return model


@cache
def _system(choice: str) -> gs.System:
    return gs.formulate(_model(), choice)


@cache
def _motion(choice: str) -> gs.Trajectory:
    """Return a motion in which the first hinge makes several turns."""
    settings: dict[str, Any] = {"initial": {"a1": 0.4, "a1.rate": 14.0}, "inputs": {"motor": "sin(3*t) - 0.1*a2"}}
    return gs.simulate(_system(choice), duration=2.0, step=0.05, integrator=TIGHT, **settings)


@pytest.mark.parametrize("choice", OTHERS)
def test_motions_agree_by_name_beyond_whole_turns(choice: str) -> None:
    expected, found = _motion("joint"), _motion(choice)
    assert np.abs(expected["a1"].values).max() > 4 * np.pi
    names = [*_system("joint").coordinate_names, *_system("joint").speed_names, "a1.acc", "a2.acc", "motor"]
    for name in (*names, "bar2.tip", "bar2.tip.velocity", "bar1.omega", "bar2.quaternion", "coil.force"):
        np.testing.assert_allclose(found[name].values, expected[name].values, rtol=1e-8, atol=1e-8, err_msg=name)
        assert found[name].attrs == expected[name].attrs


@pytest.mark.parametrize("choice", OTHERS)
def test_loads_energies_and_momenta_agree(choice: str) -> None:
    expected, found = _motion("joint"), _motion(choice)
    for joint in ("a1", "a2"):
        for part in ("force", "moment"):
            np.testing.assert_allclose(found.reaction(joint)[part], expected.reaction(joint)[part], atol=1e-6)
    for part in ("kinetic", "total", "balance"):
        np.testing.assert_allclose(found.energy()[part], expected.energy()[part], atol=1e-7)
    np.testing.assert_allclose(found.momentum().angular, expected.momentum().angular, atol=1e-8)


@pytest.mark.parametrize("choice", OTHERS)
def test_joint_limits_act_by_the_names_of_joints(choice: str) -> None:
    events = [
        gs.Event("limit", "a2 - 0.5", "rising", gs.Restitution(0.6, "a2")),
        gs.Event("kick", "t - 0.3", "rising", gs.Impulse("a1", 0.2)),
        gs.Event("end", "a1 + 0.55", "falling", gs.Stop()),
    ]
    settings: dict[str, Any] = {
        "initial": {"a1": 0.6, "a2": 0.2, "a2.rate": 4.0},
        "duration": 1.5,
        "step": 0.05,
        "integrator": TIGHT,
    }
    expected, found = (gs.simulate(_system(each), events=events, **settings) for each in ("joint", choice))
    assert [one.event for one in found.events] == [one.event for one in expected.events]
    assert {"limit", "kick"} <= {one.event for one in found.events}
    np.testing.assert_allclose([one.time for one in found.events], [one.time for one in expected.events], atol=1e-9)
    np.testing.assert_allclose(found["a2.rate"].values, expected["a2.rate"].values, atol=1e-7)


@pytest.mark.parametrize("choice", OTHERS)
def test_files_keep_the_choice(choice: str, tmp_path: Path) -> None:
    path = tmp_path / "motion.nc"
    _motion(choice).save(path)
    loaded = gs.load(path)
    assert loaded.system.coordinates.description == _system(choice).coordinates.description
    assert loaded.system.coordinate_names == _system(choice).coordinate_names
    np.testing.assert_array_equal(loaded["a2"].values, _motion(choice)["a2"].values)


def test_files_keep_trees_that_were_chosen(tmp_path: Path) -> None:
    system = gs.formulate(_model(), gs.Trees(["a1", "bar2"], ["bar1", "a2"]), planar=False)
    motion = gs.simulate(system, duration=0.2, step=0.1, initial={"a1": 0.3})
    motion.save(tmp_path / "motion.nc")
    loaded = gs.load(tmp_path / "motion.nc").system
    assert loaded.coordinates.tree_names == system.coordinates.tree_names
    assert loaded.speed_names == system.speed_names


@pytest.mark.parametrize("choice", OTHERS)
def test_sweeps(choice: str) -> None:
    grid = {"m2": [0.5, 2.0], "a1": [-0.5, 1.0]}
    analysis = gs.Simulation(0.5, step=0.1, integrator=gs.RK4(step=0.005), outputs=("last(a1)", "bar2.tip"))
    expected, found = (gs.sweep(_system(each), grid, analysis, workers=1) for each in ("joint", choice))
    for name in ("last(a1)", "bar2.tip"):
        np.testing.assert_allclose(found[name].values, expected[name].values, atol=1e-7)


@pytest.mark.parametrize("choice", OTHERS)
def test_plots_and_pictures(choice: str, tmp_path: Path) -> None:
    motion = _motion(choice)
    motion.plot("a1", "a2", path=tmp_path / "plot.png")
    motion.animate(tmp_path / "motion.html")
    assert {path.name for path in tmp_path.iterdir()} == {"plot.png", "motion.html"}


@pytest.mark.parametrize("choice", CHOICES)
def test_assembly_closes_loops_by_the_names_of_joints(choice: str) -> None:
    found = gs.assemble(gs.formulate(four_bar(), choice), {"h1": 1.0}, guess={"h2": -1.0})
    motion = found.system.body_motion(found.q, found.u)
    np.testing.assert_allclose(motion["rocker"].position[:2], [1 + np.cos(1) / 2, np.sin(1) / 2], atol=1e-10)
    assert found.open < 1e-10


@pytest.mark.parametrize("choice", OTHERS)
def test_assembly_heeds_parameters(choice: str) -> None:
    model = gs.Model("pendulum", parameters={"l": 1.0})
    model.add(gs.Body("bar", mass=1, inertia=(1, 1, 1), points={"top": (0, "l", 0)}))
    model.add(gs.Revolute("a", "ground", "bar.top"))
    found = gs.assemble(gs.formulate(model, choice), {"a": np.pi / 2}, parameters={"l": 3.0})
    position = found.system.poses(found.q, parameters={"l": 3.0})["bar"].position
    np.testing.assert_allclose(position, [3, 0, 0], atol=1e-12)


@pytest.mark.parametrize("choice", CHOICES)
def test_kinematics_of_the_quick_return(choice: str) -> None:
    model = quick_return(driven="0.4356 + 4*pi*t")
    records = [row for row in case("mcphee_quick_return")["quantities"] if "t" in row]
    run = gs.kinematics(gs.formulate(model, choice), times=[row["t"] for row in records])
    names = ("h16", "h14", "s20", "h16.rate", "h14.rate", "s20.rate")
    signs = np.array([1, -1, 1, 1, -1, 1])  # h14 turns the tool back, which does not turn
    found = signs * np.column_stack([run[name].values for name in names])
    np.testing.assert_allclose(found, [row["value"] for row in records], rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("choice", OTHERS)
def test_loads_of_drivers_and_joints_agree(choice: str) -> None:
    model = quick_return(driven="0.4356 + 4*pi*t")
    expected, found = (gs.kinematics(gs.formulate(model, each), duration=0.2, step=0.05) for each in ("joint", choice))
    np.testing.assert_allclose(found.driver_load("h17"), expected.driver_load("h17"), rtol=1e-7)
    assert found.driver_load("h17").attrs == expected.driver_load("h17").attrs
    np.testing.assert_allclose(found.reaction("h16").force, expected.reaction("h16").force, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("choice", CHOICES)
def test_checks_tell_the_same_freedom(choice: str) -> None:
    report = str(gs.check(quick_return(driven="0.4356 + 4*pi*t"), choice))
    assert "The mechanism has 0 degrees of freedom beside its 1 driven coordinate." in report


@pytest.mark.parametrize("choice", CHOICES)
def test_a_driven_joint_has_no_initial_value(choice: str) -> None:
    system = gs.formulate(quick_return(driven="0.4356 + 4*pi*t"), choice)
    with pytest.raises(gs.StateError, match=r"initial value of 'h17' contradicts the model: 'h17' is driven"):
        gs.assemble(system, {"h17": 0.1})
