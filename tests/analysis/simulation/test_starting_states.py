"""Initial states: orientations by angles, operating points, assemblies, trajectories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from block_models import block_on_a_slide
from scipy.spatial.transform import Rotation
from simulations import double_pendulum

import gyrostat as gs
from gyrostat.model.formula import Formula


def _top(**joint: object) -> gs.Model:
    model = gs.Model("top", gravity=(0, 0, -9.81), parameters={"tilt": 0.3})
    model.add(gs.Body("top", mass=1, inertia=(0.1, 0.2, 0.3), points={"foot": (0, 0, -0.5)}))
    model.add(gs.Spherical("ball", "ground", "top.foot", **joint))
    model.add(gs.Actuator("motor", "hinge"))
    model.add(gs.Body("arm", mass=0.5, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Revolute("hinge", "top", "arm"))
    return model


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_an_orientation_is_given_by_angles(coordinates: str) -> None:
    system = gs.formulate(_top(), coordinates)
    run = gs.simulate(system, times=[0, 1e-3], initial={"ball": gs.euler("zyx", 0.7, "tilt + 10*deg", -0.4)})
    expected = Rotation.from_euler("ZYX", [0.7, 0.3 + np.pi / 18, -0.4]).as_matrix()
    np.testing.assert_allclose(run["top.rotation"][0], expected, atol=1e-12)
    assert gs.assemble(system, {"ball": gs.euler("x", 0.5)}).state != gs.assemble(system).state


def test_a_joint_with_the_same_angles_takes_them_as_they_are() -> None:
    run = gs.simulate(_top(angles="zxz"), times=[0, 1e-3], initial={"ball": gs.euler("zxz", 0.7, 0.2, "-tilt")})
    np.testing.assert_allclose(run["ball"][0], [0.7, 0.2, -0.3], atol=1e-12)


@pytest.mark.parametrize("axes", ["x", "zy", "zyx", "xzx", "xyzxy"])
def test_euler_parameters_are_those_of_the_turns(axes: str) -> None:
    angles = np.random.default_rng(len(axes)).uniform(-4, 4, len(axes))
    found = [Formula.of(one).value() for one in gs.euler(axes, *angles.tolist()).values()]
    turned = Rotation.identity()
    for axis, angle in zip(axes, angles, strict=True):
        turned = turned * Rotation.from_euler(axis, angle)
    expected = turned.as_quat(scalar_first=True)
    np.testing.assert_allclose(found, expected * np.sign(expected @ found), atol=1e-14)


def test_a_joint_has_an_orientation_of_its_own(tmp_path: Path) -> None:
    model = _top(initial=gs.euler("zyx", 0.7, "tilt", -0.4))
    model.add(gs.Body("box", gs.box(1, 1, 1, 1)))
    model.add(gs.Free("pose", "ground", "box", initial={"x": 2, **gs.euler("zyx", 0.1, 0.2, 0.3)}))
    model.save(tmp_path / "top.yaml")
    for one in (model, gs.Model.load(tmp_path / "top.yaml")):
        run = gs.simulate(one, times=[0, 1e-3], parameters={"tilt": 0.5})
        np.testing.assert_allclose(run["ball.rpy"][0], [-0.4, 0.5, 0.7], atol=1e-12)
        np.testing.assert_allclose(run["pose.rpy"][0], [0.3, 0.2, 0.1], atol=1e-12)
        assert float(run["pose.x"][0]) == 2
    with pytest.raises(gs.ModelError, match=r"'e0' does not belong to this joint\. Known: angle1"):
        _top(angles="zyx", initial=gs.euler("zyx", 0, 1, 0)).check()


def test_orientations_in_guesses_and_sweeps() -> None:
    hanging = gs.euler("xy", "pi - 0.1", 0.05)
    assert gs.equilibrium(_top(), {"ball": hanging})["top.z"] == pytest.approx(-0.5)
    run = gs.Simulation(times=[0, 1e-3], initial={"ball": gs.euler("zyx", 0.7, "tilt", -0.4)}, outputs=["ball.rpy"])
    tilts = [0.1, 0.2]
    for batched in (run, replace(run, integrator=gs.RK4(step=1e-3))):
        found = gs.sweep(_top(), {"tilt": tilts}, batched)["ball.rpy"].values[:, 0]
        np.testing.assert_allclose(found, [[-0.4, tilt, 0.7] for tilt in tilts], atol=1e-12)
    with pytest.raises(gs.StateError, match=r"A value of 'ball' is an orientation\. Sweep its angles as parameters"):
        gs.sweep(_top(), {"ball": [hanging]}, run)


def test_runs_of_a_sweep_start_from_known_states() -> None:
    system = gs.formulate(double_pendulum())
    point = gs.equilibrium(system, fixed={"a1": 0.4}, solve_for=["motor"], parameters={"m2": 3.0})
    for known in (point, gs.assemble(system, {"a1": 0.4}), gs.simulate(system, 0.5, initial={"a1": 0.4})):
        found = gs.sweep(system, {"m1": [1.5, 2.5]}, gs.Simulation(0.1, initial=known, outputs=["a1", "motor"]))
        expected = gs.simulate(system, 0.1, initial=known, parameters={"m1": 2.5})
        for name in ("a1", "motor"):
            np.testing.assert_array_equal(found[name].sel(m1=2.5), expected[name])
    late = block_on_a_slide(gs.Delay("late", "x", 0.1), gs.JointSpring("s", "x", 1, 1))
    with pytest.raises(gs.StateError, match=r"have no past, which the delay 'late' needs\. Give the initial values by"):
        gs.Simulation(1, initial=gs.equilibrium(late))


def test_angles_that_mean_nothing_are_refused() -> None:
    for axes in ("", "zwx", 3):
        with pytest.raises(gs.StateError, match=r"The axes of Euler angles are .* Give letters x, y, z in order"):
            gs.euler(axes, 1)  # type: ignore[arg-type]
    with pytest.raises(gs.StateError, match="Euler angles about 'zyx' need 3 angles; 1 are given"):
        gs.euler("zyx", 1)
    with pytest.raises(gs.StateError, match=r"'hinge' has no Euler parameters.*It has hinge: give these.*: ball\."):
        gs.simulate(_top(), 1, initial={"hinge": gs.euler("z", 1)})
    with pytest.raises(gs.StateError, match=r"'bal' has no Euler parameters.*There is no such joint"):
        gs.simulate(_top(), 1, initial={"bal": gs.euler("z", 1)})
    with pytest.raises(gs.StateError, match=r"The initial value of 'ball\.e0' uses 'tilf', which is not a parameter"):
        gs.simulate(_top(), 1, initial={"ball": gs.euler("z", "tilf")})


def test_a_run_starts_from_an_operating_point_with_its_inputs_and_parameters() -> None:
    system = gs.formulate(double_pendulum())
    point = gs.equilibrium(system, fixed={"a1": 0.4}, solve_for=["motor"], parameters={"m2": 3.0})
    run = gs.simulate(system, 1, initial=point)
    np.testing.assert_allclose(run["a1"], 0.4, atol=1e-6)
    np.testing.assert_allclose(run["motor"], point.inputs["motor"])
    assert run.parameters[0, list(system.model.parameters).index("m2")] == 3.0
    free = gs.simulate(system, 1, initial=point, inputs={"motor": 0})
    assert abs(float(free["a1"][-1]) - 0.4) > 0.05


def test_a_run_starts_from_an_assembly_and_from_a_trajectory() -> None:
    system = gs.formulate(double_pendulum())
    run = gs.simulate(system, 1, initial=gs.assemble(system, {"a1": 0.3}))
    assert float(run["a1"][0]) == 0.3
    again = gs.simulate(system, 1, initial=run)
    assert float(again["a1"][0]) == float(run["a1"][-1])


def test_other_states_are_refused() -> None:
    system, other = gs.formulate(double_pendulum()), gs.formulate(_top())
    with pytest.raises(gs.StateError, match="The initial state is one of 'top' in joint coordinates, which has other"):
        gs.simulate(system, 1, initial=gs.assemble(other))
    with pytest.raises(gs.StateError, match=r"The initial state is 3\. Give values by name, an operating point"):
        gs.simulate(system, 1, initial=3)  # type: ignore[arg-type]
