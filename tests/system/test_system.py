"""A system's methods: shapes, names, defaults, parameters, and every message."""

from __future__ import annotations

import re

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.recipes.table import RECIPES


def _model() -> gs.Model:
    model = gs.Model("cart", gravity=(0, "-g", 0), parameters={"m": 1.2, "l": 0.8, "g": 9.81, "k": None})
    model.add(gs.Body("cart", mass=3.0))
    model.add(gs.Body("bob", gs.point_mass("m"), points={"hook": (0, "l", 0)}))
    model.add(gs.Prismatic("x", "ground", "cart", axis="x", initial={"": 0.25, "rate": "l/2"}))
    model.add(gs.Revolute("theta", "cart", "bob.hook", initial="30*deg"))
    model.add(gs.TorsionSpring("spring", "x", stiffness="k"))
    model.add(gs.Actuator("push", "x"))
    model.add(gs.Actuator("motor", "theta"))
    return model


VALUES = {"k": 7.0}
Q, U = np.array([0.1, 0.4]), np.array([-0.3, 0.9])


@pytest.fixture(scope="module")
def system() -> gs.System:
    return gs.formulate(_model())


def test_leading_axes_are_kept(system: gs.System) -> None:
    random = np.random.default_rng(0)
    q, u, a = (random.normal(size=(5, 3, 2)) for _ in range(3))
    at = {"parameters": VALUES}
    assert system.forward_dynamics(q, u, **at).shape == (5, 3, 2)
    assert system.inverse_dynamics(q, u, a, **at).shape == (5, 3, 2)
    assert system.mass_matrix(q, **at).shape == (5, 3, 2, 2)
    assert system.coordinate_rates(q, u, **at).shape == (5, 3, 2)
    energy = system.energy(q, u, **at)
    assert energy.kinetic.shape == energy.gravity.shape == energy.stored["spring"].shape == (5, 3)
    assert energy.total.shape == (5, 3)
    poses = system.poses(q, **at)
    assert poses["bob"].rotation.shape == (5, 3, 3, 3)
    assert poses["bob"].position.shape == (5, 3, 3)
    assert system.reactions(q, u, **at)["theta"].force.shape == (5, 3, 3)
    assert system.driver_loads(q, u, **at) == {}
    derivatives = system.forward_dynamics_derivatives(q, u, **at)
    assert {name: d.shape for name, d in derivatives.items()} == {
        "udot": (5, 3, 2),
        "q": (5, 3, 2, 2),
        "u": (5, 3, 2, 2),
        "inputs": (5, 3, 2, 2),
    }


def test_one_state_after_the_other_gives_the_same(system: gs.System) -> None:
    random = np.random.default_rng(1)
    q, u = random.normal(size=(2, 37, 2))
    together = system.forward_dynamics(q, u, parameters=VALUES)
    alone = [system.forward_dynamics(q[i], u[i], parameters=VALUES) for i in range(37)]
    np.testing.assert_allclose(together, alone, rtol=1e-13)
    M = system.mass_matrix(q, parameters=VALUES)
    np.testing.assert_allclose(M, [system.mass_matrix(x, parameters=VALUES) for x in q], rtol=1e-13)
    np.testing.assert_array_equal(M, M.transpose(0, 2, 1))


def test_arguments_broadcast(system: gs.System) -> None:
    q = np.random.default_rng(2).normal(size=(4, 1, 2))
    u = np.random.default_rng(3).normal(size=(6, 2))
    found = system.forward_dynamics(q, u, inputs=[1.0, 2.0], parameters=VALUES)
    assert found.shape == (4, 6, 2)
    one = system.forward_dynamics(q[1, 0], u[2], inputs=[1.0, 2.0], parameters=VALUES)
    np.testing.assert_allclose(found[1, 2], one, rtol=1e-13)
    assert system.forward_dynamics(Q, U, t=np.zeros(3), parameters=VALUES).shape == (3, 2)


def test_no_states_give_no_results(system: gs.System) -> None:
    assert system.forward_dynamics(np.empty((0, 2)), U, parameters=VALUES).shape == (0, 2)


def test_states_by_name(system: gs.System) -> None:
    expected = system.forward_dynamics(Q, U, inputs=[0.5, 0.0], parameters=VALUES)
    by_name = {"theta": 0.4, "x": 0.1}, {"x.rate": -0.3, "theta.rate": 0.9}
    np.testing.assert_array_equal(system.forward_dynamics(*by_name, inputs={"push": 0.5}, parameters=VALUES), expected)
    many = system.forward_dynamics({"theta": [0.4, 0.5], "x": 0.1}, by_name[1], parameters=VALUES)
    assert many.shape == (2, 2)


def test_what_is_left_out_has_the_initial_value(system: gs.System) -> None:
    np.testing.assert_allclose(system.initial_coordinates, [0.25, np.pi / 6])
    np.testing.assert_allclose(system.initial_speeds, [0.4, 0.0])
    found = system.forward_dynamics({}, {"theta.rate": 1.0}, parameters=VALUES)
    expected = system.forward_dynamics([0.25, np.pi / 6], [0.4, 1.0], parameters=VALUES)
    np.testing.assert_array_equal(found, expected)


def test_accelerations_left_out_are_those_of_forward_dynamics(system: gs.System) -> None:
    a = system.forward_dynamics(Q, U, parameters=VALUES)
    given, implied = (system.reactions(Q, U, *udot, parameters=VALUES) for udot in ((a,), ()))
    np.testing.assert_array_equal(given["theta"].force, implied["theta"].force)
    by_name = system.inverse_dynamics(Q, U, {"x.rate": 1.0}, parameters=VALUES)
    np.testing.assert_array_equal(by_name, system.inverse_dynamics(Q, U, [1.0, 0.0], parameters=VALUES))


def test_parameters_change_without_compiling(system: gs.System) -> None:
    before = system.program("forward_dynamics")
    masses = [system.mass_matrix(Q, parameters={"k": 1, "m": m})[0, 0] for m in (0.5, 2.0)]
    np.testing.assert_allclose(masses, [3.5, 5.0])
    a = system.forward_dynamics(Q, U, parameters={"k": 7.0})
    b = system.forward_dynamics(Q, U, parameters={"k": 8.0})
    assert a[0] != b[0]
    assert system.program("forward_dynamics") is before


def test_values_of_parameters_belong_to_who_asked() -> None:
    model = gs.Model("ball", parameters={"m": 2.0})
    model.add(gs.Body("ball", mass="m"))
    model.add(gs.Prismatic("s", "ground", "ball"))
    system = gs.formulate(model)
    first = system.parameter_values()
    before = first.copy()

    first[:] = 0.0

    np.testing.assert_array_equal(system.parameter_values(), before)


def test_equal_models_share_programs_whatever_their_parameters() -> None:
    other = _model()
    changed = gs.Model("cart", gravity=other.gravity, parameters={"m": 5, "l": 2, "g": 1, "k": 3})
    for component in other.components.values():
        changed.add(component)
    first = gs.formulate(other).forward_dynamics(Q, U, parameters={"m": 5, "l": 2, "g": 1, "k": 3})
    np.testing.assert_array_equal(gs.formulate(changed).forward_dynamics(Q, U), first)


def test_energy_is_a_number_where_one_is_asked_for(system: gs.System) -> None:
    energy = system.energy(Q, U, parameters=VALUES)
    parts = float(energy.kinetic) + float(energy.gravity) + float(energy.stored["spring"])
    assert float(energy) == pytest.approx(parts, rel=1e-15)
    assert np.asarray(energy) == pytest.approx(parts, rel=1e-15)
    assert float(energy.stored["spring"]) == pytest.approx(0.5 * 7.0 * 0.1**2)


def test_poses_are_found_by_name(system: gs.System) -> None:
    poses = system.poses(Q, parameters=VALUES)
    assert list(poses) == ["cart", "bob"]
    assert len(poses) == 2
    np.testing.assert_allclose(poses["bob"].position, [0.1 + 0.8 * np.sin(0.4), -0.8 * np.cos(0.4), 0], atol=1e-15)
    np.testing.assert_allclose(poses["bob"].quaternion, [np.cos(0.2), 0, 0, np.sin(0.2)], atol=1e-15)
    with pytest.raises(KeyError):
        poses["wheel"]


def test_a_system_says_what_it_is(system: gs.System) -> None:
    assert str(system).startswith(
        "System of 'cart' in joint coordinates: 2 bodies, 2 joints\n"
        "  coordinates (2): x, theta\n"
        "  speeds (2): x.rate, theta.rate\n"
        "  inputs (2): push, motor\n"
        "  constraints: none; mobility by counting: 2"
    )


def test_the_model_of_a_system_is_frozen() -> None:
    model = _model()
    system = gs.formulate(model)
    model.add(gs.Actuator("later", "x"))
    assert system.inputs == ("push", "motor")
    with pytest.raises(gs.GyrostatError, match="is frozen because it belongs to a system"):
        system.model.add(gs.Actuator("later", "x"))


def test_a_system_whose_coordinates_are_all_driven_has_no_unknowns() -> None:
    model = gs.Model("driven", gravity=(0, -9.81, 0))
    model.add(gs.Body("bar", mass=2, com=(1, 0, 0), inertia=(0.1, 0.5, 0.5)))
    model.add(gs.Revolute("a", "ground", "bar", driven="t**2"))
    system = gs.formulate(model)
    t = np.array([0.0, 0.5])
    assert system.forward_dynamics([], [], t=t).shape == (2, 0)
    assert system.mass_matrix([], t=t).shape == (2, 0, 0)
    torque = system.driver_loads([], [], t=t)["a"]
    np.testing.assert_allclose(torque, 2.5 * 2 + 2 * 9.81 * np.cos(t**2), rtol=1e-13)
    np.testing.assert_allclose(system.reactions([], [], t=t)["a"].moment[:, 2], torque, rtol=1e-13)


# --- messages --------------------------------------------------------------------------------------------------------


def _refused(system: gs.System, message: str, **arguments: object) -> None:
    given = {"q": Q, "u": U, "parameters": VALUES} | arguments
    with pytest.raises(gs.StateError, match=re.escape(message)):
        system.forward_dynamics(given.pop("q"), given.pop("u"), **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"q": [0.1]}, "The coordinates have shape (1,); the last axis must have 2 entries: x, theta."),
        ({"q": 0.1}, "The coordinates have one number; the last axis must have 2 entries: x, theta."),
        (
            {"u": np.zeros((3, 4))},
            "The speeds have shape (3, 4); the last axis must have 2 entries: x.rate, theta.rate.",
        ),
        ({"inputs": [1.0]}, "The inputs have shape (1,); the last axis must have 2 entries: push, motor."),
        ({"q": {"thta": 1}}, "There is no coordinate 'thta'. Did you mean 'theta'?"),
        ({"u": {"x": 1}}, "There is no speed 'x'."),
        ({"inputs": {"pull": 1}}, "There is no input 'pull'."),
        ({"q": [np.nan, 0]}, "The coordinate 'x' is nan. Give finite values."),
        ({"u": [[0, 0], [0, -np.inf]]}, "The speed 'theta.rate' is -inf. Give finite values."),
        ({"inputs": {"motor": np.inf}}, "The input 'motor' is inf. Give finite values."),
        ({"t": np.nan}, "The time is not finite. Give a finite value."),
        ({"t": "soon"}, "The times cannot be read as numbers: 'soon'."),
        ({"q": {"x": "far"}}, "The coordinate 'x' cannot be read as numbers: 'far'."),
        ({"q": [[1, 2], [3]]}, "The coordinates cannot be read as numbers: [[1, 2], [3]]."),
        ({"q": [1j, 0]}, "The coordinates cannot be read as numbers: [1j, 0]."),
        ({"q": np.array([1j, 0])}, "The coordinates cannot be read as numbers: array([0.+1.j, 0.+0.j])."),
        ({"q": np.zeros((3, 2)), "u": np.zeros((4, 2))}, "The leading axes (), (3,), (4,), "),
        ({"q": {"x": [1, 2], "theta": [1, 2, 3]}}, "The coordinates by name have shapes that do not fit each other"),
        ({"parameters": None}, "Parameter 'k' has no value. Give one: parameters={'k': …}."),
    ],
)
def test_bad_arguments_are_named(system: gs.System, arguments: dict[str, object], message: str) -> None:
    _refused(system, message, **arguments)


def test_accelerations_are_named_too(system: gs.System) -> None:
    with pytest.raises(gs.StateError, match=r"There is no acceleration of speed 'y'\."):
        system.inverse_dynamics(Q, U, {"y": 1}, parameters=VALUES)


def test_unknown_parameters_are_refused(system: gs.System) -> None:
    with pytest.raises(gs.GyrostatError, match="'mass'"):
        system.forward_dynamics(Q, U, parameters={"mass": 1, **VALUES})


def test_unknown_programs_are_refused(system: gs.System) -> None:
    with pytest.raises(gs.StateError, match=rf"There is no program 'fly'\. Known: {', '.join(RECIPES)}\."):
        system.program("fly")


def test_long_lists_of_names_are_cut() -> None:
    model = gs.Model("chain")
    for i in range(14):
        model.add(gs.Body(f"b{i}", mass=1, inertia=(1, 1, 1)))
        model.add(gs.Revolute(f"a{i}", f"b{i - 1}" if i else "ground", f"b{i}"))
    with pytest.raises(gs.StateError, match=r"a10, a11, … \(14 in all\)"):
        gs.formulate(model).coordinate_rates([0.0], [0.0])


def test_unknown_coordinates_are_refused() -> None:
    with pytest.raises(gs.TopologyError, match="Coordinates 'polar' are not known"):
        gs.formulate(_model(), coordinates="polar")


def test_faulty_models_are_refused() -> None:
    model = gs.Model("lost")
    model.add(gs.Revolute("hinge", "ground", "nobody"))
    with pytest.raises(gs.ModelError, match="refers to body 'nobody'"):
        gs.formulate(model)
