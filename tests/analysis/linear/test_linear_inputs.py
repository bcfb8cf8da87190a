"""Inputs and outputs of linear models: names, kinds, drivers, refusals."""

from pathlib import Path

import numpy as np
import pytest
from linear_models import hanging_four_bar, rotating_pendulum, slider_pendulum
from scipy.spatial.transform import Rotation

import gyrostat as gs
from gyrostat.analysis.linear.time_response import displaced
from gyrostat.analysis.variations.variations import require_inertia

EXAMPLES = Path(__file__).parents[3] / "examples"


def driven_pendulum(chord: bool = False, driven: object = "0") -> gs.Model:
    """Return a pendulum whose pivot slides as a driver wants; by an arc, or by a joint that closes a loop."""
    model = gs.Model("driven pendulum", gravity=(0, "-g", 0), parameters={"m": 2.0, "l": 0.5, "g": 9.81})
    model.add(gs.Body("slider", mass=1.0))
    model.add(gs.Body("bob", gs.point_mass("m"), points={"top": (0, "l", 0)}))
    if chord:
        model.add(gs.Prismatic("free", "ground", "slider", axis="x"))
        model.add(gs.Revolute("a", "slider", "bob.top"))
        model.add(gs.Prismatic("drive", "ground", "slider", axis="x", driven=driven))
        return model
    model.add(gs.Prismatic("drive", "ground", "slider", axis="x", driven=driven))
    model.add(gs.Revolute("a", "slider", "bob.top"))
    return model


def test_inputs_of_every_kind_by_hand() -> None:
    lin = gs.linearize(
        slider_pendulum(),
        inputs=["motor", "spring", "slider.force.y", "bar.tip.force", "bar.moment.x", "k"],
        outputs=["y", "theta", "bar.tip.y"],
    )
    assert lin.inputs[:4] == ("motor", "spring", "slider.force.y", "bar.tip.force.x")
    forces = lin.second_order.forces
    expected = {
        "motor": (0, 1),
        "spring": (1, 0),
        "slider.force.y": (1, 0),
        "bar.tip.force.x": (0, 0),
        "bar.tip.force.y": (1, 2),
        "bar.tip.force.z": (0, 0),
        "bar.moment.x": (0, 1),
        "k": (0, 0),
    }
    for i, name in enumerate(lin.inputs):
        assert forces[:, i] == pytest.approx(expected[name], abs=1e-12), name
    assert lin.C.sel(output="bar.tip.y", state=["y", "theta"]).values == pytest.approx([1, 2])


def test_loads_of_a_mount_by_its_name() -> None:
    """In a tilted mount, forces in its axes act on b, and their reactions on a."""
    model = gs.Model("mounted")
    tilted = {"seat": gs.Frame((0.1, 0, 0), [("x", 0.5)])}
    model.add(gs.Body("base", gs.box(4, 1, 1, 1), frames=tilted))
    model.add(gs.Body("load", gs.box(2, 0.5, 0.4, 0.3), points={"p": (0, 0.2, 0)}))
    model.add(gs.Free("g", "ground", "base"))
    model.add(gs.Free("f", "ground", "load", initial={"x": 0.1, "y": -0.2}))
    model.add(gs.Bushing("mount", "base.seat", "load.p", (300, 200, 100), (1, 2, 3), (30, 20, 10), (1, 1, 1)))
    model.add(gs.Bushing("soft", "ground", "base", (1, 1, 1), (1, 1, 1), (1, 1, 1), (1, 1, 1)))
    system = gs.formulate(model)
    point = gs.equilibrium(system)
    lin = gs.linearize(system, point, inputs=["mount"])
    assert lin.inputs == tuple(f"mount.{kind}.{axis}" for kind in ("force", "moment") for axis in "xyz")
    assert gs.linearize(system, point, inputs=["mount.moment"]).inputs == lin.inputs[3:]
    R, r_p = point["base.rotation"] @ Rotation.from_euler("x", 0.5).as_matrix(), point["load.p"]
    forces = lin.second_order.forces
    power = np.zeros_like(forces)
    for k, speed in enumerate(system.speed_names):
        moving = gs.operating_point(system, {**point.state, speed: 1.0})
        gap = moving["load.p.velocity"] - moving["base.velocity"] - np.cross(moving["base.omega"], r_p - moving["base"])
        turn = moving["load.omega"] - moving["base.omega"]
        power[k] = np.concatenate((R.T @ gap, R.T @ turn))
    order = [lin.flow.reduction.speeds.index(name) for name in system.speed_names]
    np.testing.assert_allclose(forces[order], power, atol=1e-9)


def test_motors_and_friction_by_their_names() -> None:
    model = driven_pendulum()
    model.add(gs.DCMotor("motor", "a", 1, 0.01, 0.1, voltage=0))
    model.add(gs.JointFriction("brake", "a", gs.Coulomb(0.1, 0.01)))
    lin = gs.linearize(model, inputs=["motor", "brake"])
    np.testing.assert_allclose(lin.second_order.forces, [[1, 1]])


def test_outputs_that_depend_on_accelerations_and_loads() -> None:
    system = hanging_four_bar(2.0)
    names = ["h1.acc", "h4", "h4.rate", "a.r.velocity", "h4.reaction.force", "2*h1 + h2"]
    lin = gs.linearize(system, outputs=names)
    values, direction = [], np.array([1.0, 0.7])
    step = 1e-4
    for sign in (1, -1):
        state = displaced(lin, sign * step * direction)
        q, u = [state[n] for n in system.coordinate_names], [state[n] for n in system.speed_names]
        point = gs.operating_point(system, state)
        reaction = system.reactions(q, u)["h4"].force
        row = [point["h1.acc"], point["h4"], point["h4.rate"], *point["a.r.velocity"], *reaction]
        values.append([*row, 2 * state["h1"] + state["h2"]])
    slopes = (np.array(values[0]) - np.array(values[1])) / (2 * step)
    assert lin.form.C @ direction == pytest.approx(slopes, abs=2e-6)
    assert lin.output_values["h4"] == pytest.approx(np.pi / 3)


@pytest.mark.parametrize("driven", ["0", ([0, 1, 2, 3], [0, 0, 0, 0])], ids=["formula", "table"])
@pytest.mark.parametrize("chord", [False, True])
def test_driver_as_input(chord: bool, driven: object) -> None:
    """With x the pivot's displacement, l ä + g a = −ẍ."""
    model = driven_pendulum(chord, driven)
    by_place = gs.linearize(model, inputs=["drive"], outputs=["a", "bob.x"])
    frequencies = np.array([0.1, 0.5, 2.0])
    s = 2j * np.pi * frequencies
    expected = -(s**2) / (0.5 * s**2 + 9.81)
    found = by_place.frequency_response(frequencies).values
    assert found.sel(output="a", input="drive").values == pytest.approx(expected, rel=1e-9)
    assert found.sel(output="bob.x", input="drive").values == pytest.approx(1 + 0.5 * expected, rel=1e-9)
    by_acceleration = gs.linearize(model, inputs=["drive.acc"], outputs=["a", "drive", "drive.rate"])
    assert by_acceleration.states[-2:] == ("drive", "drive.rate")
    found = by_acceleration.frequency_response(frequencies).values
    assert found.sel(output="a", input="drive.acc").values == pytest.approx(expected / s**2, rel=1e-9)
    assert found.sel(output="drive", input="drive.acc").values == pytest.approx(1 / s**2, rel=1e-9)


def test_output_that_needs_rates_of_a_driver() -> None:
    lin = gs.linearize(driven_pendulum(), inputs=["drive"], outputs=["slider.velocity.x", "a.acc"])
    s = 2j * np.pi * np.array([0.3])
    found = lin.frequency_response([0.3]).values
    assert found.sel(output="slider.velocity.x").values.ravel() == pytest.approx(s)
    assert found.sel(output="a.acc").values.ravel() == pytest.approx(-(s**4) / (0.5 * s**2 + 9.81))
    for use in (lin.to_scipy, lambda: lin.step_response("drive", 1.0)):
        with pytest.raises(gs.StateError, match=r"need rates of.*'drive\.acc'"):
            use()
    with pytest.raises(gs.StateError, match=r"no transfer function.*'drive\.acc'"):
        lin.transfer_function("drive", "a.acc")


def test_parameter_as_input_moves_the_equilibrium() -> None:
    model = gs.Model("weight", gravity=(0, 0, -9.81), parameters={"m": 2.0, "k": 100.0})
    model.add(gs.Body("mass", gs.point_mass("m")))
    model.add(gs.Prismatic("z", "ground", "mass", axis="z", initial="-9.81*m/k"))
    model.add(gs.TorsionSpring("spring", "z", stiffness="k", damping=1.0))
    lin = gs.linearize(model, inputs=["m", "k"], outputs=["z"])
    gains = [lin.transfer_function(name, "z").static_gain for name in ("m", "k")]
    assert gains == pytest.approx([-9.81 / 100, 9.81 * 2 / 100**2])


def test_refusals() -> None:
    system = slider_pendulum()
    with pytest.raises(gs.StateError, match=r"no input 'moto' to linearize.*motor"):
        gs.linearize(system, inputs=["moto"])
    with pytest.raises(gs.StateError, match=r"There is no output 'thet'\. Did you mean 'theta'"):
        gs.linearize(system, outputs=["thet"])
    with pytest.raises(gs.StateError, match=r"The output 'bar\.quaternion\.e0' follows from earlier instants"):
        gs.linearize(system, outputs=["bar.quaternion"])
    with pytest.raises(gs.StateError, match="is a vector"):
        gs.linearize(system, outputs=["2*bar.tip"])
    with pytest.raises(
        gs.StateError, match=r"no equilibrium of 'slider-pendulum'.*theta\.rate \S+ rad/.*gs\.equilibrium"
    ):
        gs.linearize(system, {"theta": 0.3})
    with pytest.raises(
        gs.StateError, match=r"no steady motion of 'rotating pendulum'.*theta\.rate \S+ rad/.*steady_motion"
    ):
        gs.linearize(rotating_pendulum(), {"theta": 0.5, "phi.rate": 1.0})
    with pytest.raises(gs.StateError, match="no coordinate 'psi' to be independent"):
        gs.linearize(hanging_four_bar(1.0), coordinates=["psi"])
    with pytest.raises(gs.StateError, match="'h2' cannot be independent beside 'h1': the constraints leave 1"):
        gs.linearize(hanging_four_bar(1.0), coordinates=["h1", "h2"])
    lin = gs.linearize(system)
    with pytest.raises(gs.StateError, match=r"has no input 'motor'. It has none: give linearize"):
        lin.transfer_function("motor", "y")
    with pytest.raises(gs.StateError, match="needs inputs and outputs"):
        lin.frequency_response()


def test_singular_mass_matrix_is_explained() -> None:
    model = gs.Model("gimbal", gravity=(0, 0, -9.81))
    model.add(gs.Body("top", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.05)))
    model.add(gs.Spherical("ball", "ground", "top", angles="zxz"))
    system = gs.formulate(model)
    with pytest.raises(gs.StateError, match="singular at this"):
        gs.linearize(system)
    with pytest.raises(
        gs.StateError, match=r"mass matrix of 'gimbal' is singular: motion with 'ball\.angle[13]\.rate'"
    ):
        require_inertia(system, system.mass_matrix({}), np.eye(3))
    with pytest.raises(gs.StateError, match="leave it no freedom"):
        require_inertia(system, np.zeros((0, 0)), np.zeros((3, 0)))


def test_a_motion_with_changing_coefficients_is_refused() -> None:
    """A pendulum on a turning arm in the plane of gravity: the arm keeps its speed, the pendulum's pull goes round."""
    model = gs.Model("turning arm", gravity=(0, -9.81, 0), parameters={"w": 3.0})
    model.add(gs.Body("arm", mass=1.0, inertia=(1, 1, 1), points={"end": (1.0, 0, 0)}))
    model.add(gs.Body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add(gs.Revolute("turn", "ground", "arm", driven="w*t"))
    model.add(gs.Prismatic("slide", "arm.end", "wheel", axis="y"))
    model.add(gs.TorsionSpring("hold", "slide", stiffness="100 + 50*sin(turn)", torque="9.81*cos(turn)"))
    with pytest.raises(gs.StateError, match=r"not constant along this motion.*gs\.floquet.*frozen=True"):
        gs.linearize(model)
    assert gs.linearize(model, frozen=True).stiffness.item() == pytest.approx(100 - 9.0)


def test_world_outputs_in_a_turn_are_refused() -> None:
    system = gs.formulate(gs.Model.load(EXAMPLES / "rolling_disc.yaml"))
    with pytest.raises(gs.StateError, match=r"output 'disc\.x' does not depend on the states in the same way"):
        gs.linearize(system, outputs=["disc.x"])
    lin = gs.linearize(system, outputs=["disc.z"])
    assert np.abs(lin.form.C).max() > 0.1
