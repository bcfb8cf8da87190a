"""Changed parameters that give mass properties no body can have are refused, wherever they are given."""

import re

import pytest

import gyrostat as gs


def _model(**parameters):
    model = gs.Model("two", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81, "J": 0.5, **parameters})
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0), "tip": (0, "-l/2", 0)}))
    rotors = [gs.Rotor("disc", "z", "J/10", spin=3)]
    model.add(gs.Body("wheel", mass="m/2", inertia=((0.3, 0, 0), (0, 0.3, 0), (0, 0, "J")), rotors=rotors))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    model.add(gs.Revolute("a2", "bar.tip", "wheel"))
    return model


@pytest.fixture(scope="module")
def system():
    return gs.formulate(_model())


MASS = "Body 'bar' has the mass -2 with the parameter m = -2. Masses and moments of inertia cannot be negative."


@pytest.mark.parametrize(
    "call",
    [
        lambda system, given: system.parameter_values(given),
        lambda system, given: system.mass_matrix([0, 0], parameters=given),
        lambda system, given: gs.simulate(system, duration=1, parameters=given),
        lambda system, given: gs.equilibrium(system, parameters=given),
        lambda system, given: gs.linearize(system, parameters=given),
    ],
    ids=["values", "mass matrix", "simulation", "equilibrium", "linear model"],
)
def test_a_negative_mass_is_refused(system, call):
    with pytest.raises(gs.StateError, match=re.escape(MASS)):
        call(system, {"m": -2})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"m": "l - 4"}, "the mass -3 with the parameter m = -3."),
        ({"J": -0.5}, "Body 'wheel' has the principal moments of inertia -0.5, 0.3, 0.3 with the parameter J = -0.5."),
        (
            {"J": 5},
            "Body 'wheel' has the principal moments of inertia 0.3, 0.3, 5 with the parameter J = 5. No principal "
            "moment exceeds the sum of the other two.",
        ),
        ({"m": 0}, "Body 'wheel' has inertia but no mass with the parameter m = 0."),
        (
            {"l": -1},
            "Body 'bar' has a solid of impossible dimensions (rod.length: l = -1 is not positive) with the parameter "
            "l = -1. Give a value above zero.",
        ),
    ],
)
def test_what_it_says(system, given, message):
    with pytest.raises(gs.StateError, match=re.escape(message)):
        system.parameter_values(given)


def test_a_formula_of_the_model_is_named():
    system = gs.formulate(_model(total=4, m="total/2"))
    with pytest.raises(gs.StateError, match=re.escape("with the parameter m = -1 (in the model total/2).")):
        system.parameter_values({"total": -2})


def test_a_rotor_is_named():
    model = _model(I=0.1)
    model.add(gs.Body("gyro", gs.sphere(1, 1), rotors=[gs.Rotor("disc", "z", "I", free=True)]))
    model.add(gs.Spherical("a3", "ground", "gyro"))
    system = gs.formulate(model)
    with pytest.raises(
        gs.StateError,
        match=re.escape("Body 'gyro' has the rotor 'disc' of axial inertia -0.1 with the parameter I = -0.1."),
    ):
        system.parameter_values({"I": -0.1})


@pytest.mark.parametrize(
    "call",
    [
        lambda system: system.mass_matrix([0.0], parameters={"J": 5}),
        lambda system: gs.simulate(system, duration=1, parameters={"J": 5}),
        lambda system: gs.linearize(system, parameters={"J": 5}),
        lambda system: gs.simulate(system, duration=1, events=[gs.Event("e", "a", action=gs.SetParameter("J", 5))]),
    ],
    ids=["mass matrix", "simulation", "linear model", "event"],
)
def test_the_triangle_inequality_holds_for_changed_values(call):
    model = gs.Model("disc", parameters={"J": 1})
    model.add(gs.Body("disc", mass=1, inertia=(1, 1, "J")))
    model.add(gs.Revolute("a", "ground", "disc"))
    with pytest.raises(gs.StateError, match="Body 'disc' has the principal moments of inertia 1, 1, 5 with the param"):
        call(gs.formulate(model))


def test_a_rotor_is_part_of_its_body():
    model = _model(I=0.1)
    model.add(gs.Body("gyro", gs.sphere(1, 1), rotors=[gs.Rotor("disc", "z", "I", free=True)]))
    model.add(gs.Spherical("a3", "ground", "gyro"))
    message = (
        "Body 'gyro' has the rotor 'disc' of axial inertia 2, but 0.4 about the same axis, with the parameter I = 2."
    )
    with pytest.raises(gs.StateError, match=re.escape(message)):
        gs.formulate(model).parameter_values({"I": 2})


def test_values_that_are_possible_pass(system):
    assert system.parameter_values({"m": 0.1, "g": -9.81, "l": 2})[0] == 0.1


def test_a_mass_without_a_value_of_its_own():
    system = gs.formulate(_model(m=None))
    assert system.parameter_values({"m": 1})[0] == 1
    with pytest.raises(gs.StateError, match="has the mass -1"):
        system.parameter_values({"m": -1})


def test_an_event_that_sets_one(system):
    event = gs.Event("low", "a1", action=gs.SetParameter("m", -2))
    with pytest.raises(gs.StateError, match=re.escape(f"Event 'low' sets 'm'. {MASS}")):
        gs.simulate(system, duration=1, events=[event])


def test_an_event_that_sets_one_later(system):
    """A formula may have a possible value at first, and none when the event happens."""
    events = [
        gs.Event("low", "a1", action=gs.SetParameter("l", 3)),
        gs.Event("high", "a1.rate", action=gs.SetParameter("m", "2.5 - l")),
    ]
    with pytest.warns(match=re.escape("event 'high': Body 'bar' has the mass -0.5 with")):
        motion = gs.simulate(system, duration=3, initial={"a1": 1}, events=events)
    assert motion.status.outcome is gs.Outcome.ACTION_FAILED


@pytest.mark.parametrize(
    "settings",
    [{}, {"integrator": gs.RK4(step=0.01)}, {"events": [gs.Event("end", "a1 - 9", action=gs.Stop())]}],
    ids=["together", "in lanes", "one by one"],
)
@pytest.mark.parametrize("over", ["m", "total"])
def test_sweeps_write_it_down(settings, over):
    """Of many points only that one fails, among others of its piece."""
    system = gs.formulate(_model(total=4, m="total/2"))
    values = [1.0 + 0.01 * i for i in range(100)]
    values[70] = -2.0
    found = gs.sweep(system, {over: values}, gs.Simulation(0.1, outputs=["last(a1)"], **settings), workers=1)
    (failure,) = found.failures
    assert failure.number == 70
    assert failure.reason.startswith(f"Body 'bar' has the mass {-2 if over == 'm' else -1} with the parameter m")
    assert found["last(a1)"].isnull().values.tolist() == [value < 0 for value in values]
