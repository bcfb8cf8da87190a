"""Signals of motion: accelerations, rotations, momenta, powers, relative motion; against differences in time."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import gyrostat as gs
from gyrostat.coordinates.arguments import Floats

STEP = 1e-3
MIDDLE = slice(2, -2)


def _model() -> gs.Model:
    model = gs.Model("crane", gravity=(0, 0, -9.81))
    model.add(gs.Body("boom", gs.rod(5, 2, along="x"), points={"tip": (1, 0, 0)}))
    hub = gs.Frame((0.1, 0, 0.2), [("x", 0.7)])
    wheel = gs.Rotor("wheel", "y", 0.05, spin="10 + t")
    model.add(
        gs.Body("load", gs.box(3, (0.4, 0.3, 0.2)), points={"hook": (0, 0, 0.5)}, frames={"hub": hub}, rotors=[wheel])
    )
    model.add(gs.Revolute("slew", "ground", ("boom", (-1, 0, 0)), axis="z", driven="0.4*t**2 + 0.2*sin(3*t)"))
    model.add(gs.Spherical("hoist", "boom.tip", "load.hook"))
    model.add(gs.SpringDamper("rope", "ground", "load.hub", stiffness=40, damping=3, length=0.5))
    model.add(gs.Input("wind", unit="N", law="3*cos(2*t)"))
    model.add(gs.Force("push", "load", ("wind", 0, 0)))
    model.add(gs.Measure("reach", "load.x - boom.tip.x", unit="m", description="reach of the load"))
    return model


@cache
def _run() -> gs.Trajectory:
    start = {"hoist.w1": 2.0, "hoist.w2": -1.0, "hoist.w3": 3.0}
    return gs.simulate(_model(), 3, step=STEP, initial=start, integrator=gs.DOP853(rtol=1e-12, atol=1e-13))


def _rate(values: Floats) -> Floats:
    """Return the derivative of samples, of fourth order."""
    return np.asarray((values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]) / (12 * STEP))


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("load.acc", "load.velocity"),
        ("boom.tip.acc", "boom.tip.velocity"),
        ("load.hub.acceleration", "load.hub.velocity"),
        ("load.alpha", "load.omega"),
        ("slew.acceleration", "slew.rate"),
        ("load.hook.seen_from.boom.velocity", "load.hook.seen_from.boom"),
        ("load.seen_from.boom.velocity", "load.seen_from.boom"),
        ("boom.tip.seen_from.load.hub.velocity", "boom.tip.seen_from.load.hub"),
    ],
)
def test_rates_are_differences_in_time(name: str, of: str) -> None:
    found = _run()[name]
    np.testing.assert_allclose(found.values[MIDDLE], _rate(_run()[of].values), atol=1e-5)
    assert found.attrs["units"].startswith(("m/s", "rad/s"))


def test_relative_positions_are_in_the_axes_of_the_other_body() -> None:
    run = _run()
    R, arm = run["load.rotation"].values, (run["boom.tip"] - run["load"]).values
    np.testing.assert_allclose(run["boom.tip.seen_from.load"], np.einsum("nji,nj->ni", R, arm), atol=1e-12)
    hub = Rotation.from_rotvec([0.7, 0, 0]).as_matrix()
    shifted = np.einsum("nji,nj->ni", R, arm) - [0.1, 0, 0.2]
    np.testing.assert_allclose(run["boom.tip.seen_from.load.hub"], shifted @ hub, atol=1e-12)
    assert "boom.tip.seen_from.load.hub.velocity.x" in run
    with pytest.raises(gs.StateError, match=r"no output .load\.seen_from\.bom."):
        run["load.seen_from.bom"]


def test_rotations_are_those_of_the_quaternion() -> None:
    run = _run()
    e = run["load.quaternion"].values
    expected = Rotation.from_quat(e[:, [1, 2, 3, 0]])
    found = run["load.rotation"]
    assert found.dims == ("time", "row", "column")
    np.testing.assert_allclose(found, expected.as_matrix(), atol=1e-12)
    np.testing.assert_allclose(run["load.rpy"], expected.as_euler("ZYX")[:, ::-1], atol=1e-9)
    assert list(run["load.rpy"].angle) == ["roll", "pitch", "yaw"]
    vector = run["load.rotation_vector"].values
    np.testing.assert_allclose(Rotation.from_rotvec(vector).as_matrix(), expected.as_matrix(), atol=1e-10)
    assert np.abs(np.diff(vector, axis=0)).max() < 0.3  # it does not jump at half a turn
    assert np.linalg.norm(vector, axis=1).max() > np.pi


def test_a_rotation_vector_counts_whole_turns() -> None:
    model = gs.Model("wheel")
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1)))
    model.add(gs.Revolute("a", "ground", "b", axis=(1, 2, 2), driven="15*sin(t)"))
    run = gs.simulate(model, 6, step=0.01)
    np.testing.assert_allclose(run["b.rotation_vector"], run["a"].values[:, None] * np.array([1, 2, 2]) / 3, atol=1e-7)


def test_rotations_of_a_joint_are_those_of_child_against_parent() -> None:
    run = _run()
    between = np.einsum("nji,njk->nik", run["boom.rotation"].values, run["load.rotation"].values)
    np.testing.assert_allclose(run["hoist.rotation"], between, atol=1e-12)
    np.testing.assert_allclose(run["slew.rpy"].sel(angle="yaw"), (run["slew"] + np.pi) % (2 * np.pi) - np.pi, atol=1e-9)
    np.testing.assert_allclose(run["slew.rotation_vector.z"], run["slew"], atol=1e-9)


def test_a_joint_has_all_its_coordinates() -> None:
    run = _run()
    assert list(run["hoist"].component) == ["e0", "e1", "e2", "e3"]
    np.testing.assert_array_equal(run["hoist"].values[:, 2], run["hoist.e2"])
    assert run["hoist"].attrs["units"] == "1"


def test_momenta_change_by_the_loads() -> None:
    run = _run()
    weight = 3 * np.array([0, 0, -9.81])
    loads = run["hoist.force"].values + run["push.force"].values + weight
    rope = run["rope.force"].values[:, None] * (-run["load.hub"]).values / run["rope.length"].values[:, None]
    np.testing.assert_allclose(_rate(run["load.momentum"].values), (loads + rope)[MIDDLE], atol=1e-5)
    arm = {place: (run[place] - run["load"]).values for place in ("load.hook", "load.hub")}
    moment = np.cross(arm["load.hook"], run["hoist.force"].values) + np.cross(arm["load.hub"], rope)
    moment = moment + run["hoist.moment"].values
    np.testing.assert_allclose(_rate(run["load.angular_momentum"].values), moment[MIDDLE], atol=1e-5)


def test_powers_and_energies_of_elements() -> None:
    run = _run()
    np.testing.assert_allclose(run["rope.energy"], 20 * (run["rope.length"] - 0.5) ** 2, atol=1e-12)
    np.testing.assert_allclose(run["rope.power"], -run["rope.force"] * run["rope.rate"], atol=1e-9)
    np.testing.assert_allclose(run["push.power"], run["wind"] * run["load.velocity.x"], atol=1e-9)
    elastic = -40 * (run["rope.length"] - 0.5) * run["rope.rate"]
    np.testing.assert_allclose(_rate(run["rope.energy"].values), -elastic.values[MIDDLE], atol=1e-5)
    assert (run["rope.energy"].attrs["units"], run["rope.power"].attrs["units"]) == ("J", "W")


def test_the_torque_of_a_driver() -> None:
    run = _run()
    np.testing.assert_array_equal(run["slew.torque"], run.driver_load("slew"))
    np.testing.assert_array_equal(run["slew.load"], run.driver_load("slew"))
    np.testing.assert_allclose(run["slew.moment"].sel(axis="z"), run["slew.torque"], atol=1e-9)
    np.testing.assert_array_equal(run["slew.force"], run["slew.reaction.force"])
    assert run["slew.torque"].attrs["units"] == "N·m"


def test_formulas_are_outputs() -> None:
    run = _run()
    found = run["load.x - boom.tip.x"]
    np.testing.assert_array_equal(found, run["load.x"] - run["boom.tip.x"])
    assert found.attrs == {"units": "m", "long_name": "load.x - boom.tip.x"}
    np.testing.assert_array_equal(run["reach"], found)
    assert run["reach"].attrs == {"units": "m", "long_name": "reach of the load"}
    mixed = run["2*hypot(load.velocity.x, reach) + load.quaternion.e0"]
    expected = 2 * np.hypot(run["load.velocity.x"], run["reach"]) + run["load.quaternion.e0"]
    np.testing.assert_allclose(mixed, expected, rtol=1e-14)
    assert mixed.attrs["units"] == ""
    np.testing.assert_array_equal(run["2 + 0"], 2)
    assert "reach" in run.names
    assert list(run.to_pandas("reach", "load.rpy", "boom.rotation").columns)[:5] == [
        *("reach", "load.rpy.roll", "load.rpy.pitch", "load.rpy.yaw", "boom.rotation.xx")
    ]
    with pytest.raises(gs.StateError, match=r"There is no output 'load.x - boom.tp.x'"):
        run["load.x - boom.tp.x"]


def test_measures_serve_events_linear_models_and_sweeps() -> None:
    stop = gs.Event("reached", "reach - 0.2", action=gs.Stop())
    run = gs.simulate(_model(), 3, initial={"hoist.w2": -1.0}, events=[stop], progress=False)
    assert run["reach"].values[-1] == pytest.approx(0.2, abs=1e-9)
    simulation = gs.Simulation(0.5, outputs=["maximum(reach)", "last(load.x - boom.tip.x)", "last(load.acc)"])
    found = gs.sweep(_model(), {"hoist.w2": [-1.0]}, simulation, progress=False)
    run = gs.simulate(_model(), 0.5, initial={"hoist.w2": -1.0})
    np.testing.assert_allclose(found["maximum(reach)"][0], run["reach"].max(), rtol=1e-12)
    np.testing.assert_allclose(found["last(load.acc)"][0], run["load.acc"][-1], rtol=1e-9)
