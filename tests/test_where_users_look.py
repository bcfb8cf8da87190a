"""Names and forms that users try first: they work, or the message leads to the right one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from block_models import block_on_a_slide

import gyrostat as gs


def crane(**slew: Any) -> gs.Model:
    """Return a boom that slews as given, with a load that hangs from it, and a trolley that is driven on the boom."""
    model = gs.Model("crane", gravity=(0, 0, -9.81), parameters={"l": 0.5})
    model.add(gs.Body("boom", gs.rod(2, 1, along="x"), points={"tip": (0.5, 0, 0)}))
    model.add(gs.Body("trolley", gs.point_mass(0.3)))
    model.add(gs.Body("load", gs.sphere(1, 0.1), points={"top": (0, 0, "l")}))
    model.add(gs.Revolute("slew", "ground", "boom", axis="z", **slew))
    model.add(gs.Prismatic("rail", "boom", "trolley", axis="x", driven="0.1*sin(2*t)"))
    model.add(gs.Spherical("hoist", "boom.tip", "load.top"))
    return model


@pytest.fixture(scope="module")
def run() -> gs.Trajectory:
    return gs.simulate(crane(driven="0.3*t**2"), duration=0.2, step=0.1)


def test_loads_of_drivers_and_joints(run: gs.Trajectory) -> None:
    """The load of a driver is a number, along its coordinate; the force of a joint a vector, with the driver's."""
    assert (run["slew.torque"].shape, run["slew.torque"].attrs["units"]) == ((3,), "N·m")
    t = run.time
    along = 0.3 * 0.1 * np.sin(2 * t) * (-4 - (0.6 * t) ** 2)
    np.testing.assert_allclose(run["rail.load"], along, atol=1e-12)
    across = np.stack((np.cos(0.3 * t**2), np.sin(0.3 * t**2), 0 * t), axis=-1)
    np.testing.assert_allclose((run["rail.force"].values * across).sum(axis=1), along, atol=1e-12)
    assert run["hoist.force"].shape == (3, 3)
    assert list(run["hoist"].coords["component"].values) == ["e0", "e1", "e2", "e3"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("boom.angular_velocity", r"There is no output 'boom\.angular_velocity'\. Use 'boom\.omega'\."),
        ("boom.angular_acceleration", r"Use 'boom\.alpha'\."),
        ("load.yaw", r"Use 'load\.rpy'\."),
        ("hoists", r"There is no output 'hoists'\. Did you mean 'hoist'"),
    ],
)
def test_other_words_for_outputs(run: gs.Trajectory, name: str, message: str) -> None:
    with pytest.raises(gs.StateError, match=message):
        run[name]


def test_hints_know_names_that_begin_with_a_given_one() -> None:
    with pytest.raises(gs.StateError, match=r"'hoist' for an initial value\. Did you mean one of hoist\.e0, hoist\.e1"):
        gs.simulate(crane(driven="0"), duration=1, initial={"hoist": 1})
    model = crane(driven="0")
    model.add(gs.Force("push", "load", ("hoist", 0, 0)))
    with pytest.raises(gs.ModelError, match=r"hoist refers to 'hoist', .* one of hoist\.e0, hoist\.e1, hoist\.e2"):
        model.check()


def test_a_spring_on_a_slide_and_a_run_from_its_equilibrium() -> None:
    model = block_on_a_slide(gs.JointSpring("spring", "x", stiffness=4, damping=0.1, length=0.2))
    run = gs.simulate(model, duration=1, initial=gs.equilibrium(model))
    np.testing.assert_allclose(run["x"], 0.2, atol=1e-9)
    for name in ("spring.force", "spring.energy", "spring.power"):
        assert np.abs(run[name]).max() < 1e-8


def test_forms_of_formulas_and_solids() -> None:
    run = gs.simulate(block_on_a_slide(gs.Force("f", "block", ("max(0, min(1, 2 - t))", 0, 0))), times=[0, 1])
    assert float(run["x"][-1]) == pytest.approx(0.5)
    inertia = gs.box(12, 1, 0.6, 0.3)
    body = gs.Body("b", inertia)
    model = gs.Model("box")
    model.add(body)
    model.add(gs.Revolute("a", "ground", "b", axis="z"))
    assert gs.formulate(model).mass_matrix([0.0])[0, 0] == pytest.approx(1 + 0.36)
    with pytest.raises(gs.ModelError, match=r"formula 'l\^2' contains \^\. Write \*\* for powers, as in l\*\*2\."):
        gs.Force("f", "block", ("l^2", 0, 0))
    with pytest.raises(gs.ModelError, match=r"a parameter may name its unit: \{value: 2, unit: kg\}"):
        gs.Body("b", mass="2 kg")


def test_parameters_are_changed_through_the_model() -> None:
    model = crane(driven="0")
    model.set_parameter("l", 0.7)
    assert model.values()["l"] == 0.7
    with pytest.raises(gs.GyrostatError, match=r"changed through its model: model\.set_parameter\('l', 2\)\."):
        model.parameters["l"] = 2  # type: ignore[index]


def test_friction_written_as_a_force_counts_as_dissipated() -> None:
    model = block_on_a_slide(gs.Force("drag", "block", ("-2*tanh(x.rate/0.01)", 0, 0)))
    run = gs.simulate(model, times=[0, 0.4], initial={"x.rate": 1})
    lost = float(run.energy()["dissipated"].sel(damper="drag")[-1])
    assert lost == pytest.approx(0.5 * (1 - float(run["x.rate"][-1]) ** 2), rel=1e-5)
