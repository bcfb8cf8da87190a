"""Formulas know the names that are allowed where they stand, and have finite numbers."""

import pytest

import gyrostat as gs

BODY = gs.Body("b", mass=1, inertia=(1, 1, 1))
HINGE = gs.Revolute("a1", "ground", "b")
SLEEVE = gs.Cylindrical("c", "ground", "b")
MOTOR = gs.Actuator("motor", "a1")
HEAD = {"parameters": {"k": 2, "length": 3, "empty": None}}


@pytest.mark.parametrize(
    "law",
    ["k", "k*t", "a1", "a1.rate", "c.angle", "c.displacement", "c.displacement.rate", "motor", "-k*a1 - 0.1*a1.rate*t"],
)
def test_laws_may_use_coordinates_speeds_and_inputs_by_name(faults, law):
    force = gs.Force("f", "b", (0, law, 0))
    torsion = gs.TorsionSpring("s", "c.angle", torque=f"{law} + angle + rate", stiffness=law)
    assert faults(BODY, HINGE, SLEEVE, MOTOR, force, torsion, **HEAD) == []


def test_speeds_of_a_free_body_and_of_a_free_rotor_are_known(faults):
    wheel = gs.Rotor("wheel", "z", 0.1, free=True)
    body = gs.Body("sat", mass=1, inertia=(1, 1, 1), rotors=[wheel])
    law = "j.x + j.w1 + j.e0 + j.v3 + sat.wheel + sat.wheel.rate"
    assert faults(body, gs.Free("j", "ground", "sat"), gs.Force("f", "sat", (law, 0, 0))) == []


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (
            "q",
            r"force 'f', components[1]: q refers to 'q', which is not known here. It may use parameters, t, "
            "coordinates, speeds, places, inputs, states and outputs by name. ",
        ),
        ("a1.speed", "a1.speed refers to 'a1.speed', which is not known here."),
        ("c", "c refers to 'c', which is not known here."),
        (
            "c.angel",
            "refers to 'c.angel', which is not known here. It may use parameters, t, coordinates, speeds, "
            "places, inputs, states and outputs by name. Did you mean 'c.angle'",
        ),
        ("b", "b refers to 'b', which is a vector. Use a component: b.x, b.y, b.z."),
        ("b.velocity", "refers to 'b.velocity', which is a vector. Use a component: b.velocity.x, "),
        ("b.seen_from.ground", "refers to 'b.seen_from.ground', which is a vector. Use a component: "),
        ("b.quaternion.e0", "refers to 'b.quaternion.e0', which is not known here."),
        (
            "a1.acc",
            "refers to 'a1.acc', which follows from the accelerations or loads that these forces cause. "
            "Use positions, speeds, inputs and outputs of force elements.",
        ),
        ("b.acc.x", "refers to 'b.acc.x', which follows from the accelerations or loads that these forces cause."),
        ("c.force.x", "refers to 'c.force.x', which follows from the accelerations or loads that these forces cause."),
        ("rate", "rate refers to 'rate', which is not known here."),
        ("1/0", "force 'f', components[1]: 1/0 has no value: float division by zero. Correct it."),
        ("sqrt(-k)", "force 'f', components[1]: sqrt(-k) has no value: "),
        ("1e200*k*1e200", "has no value: the result is not finite. Correct it."),
    ],
)
def test_laws_that_mean_nothing(faults, law, message):
    found = faults(BODY, HINGE, SLEEVE, MOTOR, gs.Force("f", "b", (0, law, 0)), **HEAD)
    assert len(found) == 1
    assert message in found[0]


def test_a_name_with_two_meanings_is_refused(faults):
    spring = gs.SpringDamper("f", "ground.p", "b", force="k*(length - 1)")
    ground = gs.Body("ground", points={"p": (1, 0, 0)})
    assert faults(ground, BODY, HINGE, spring, **HEAD) == [
        "force 'f', force: k*(length - 1) refers to 'length', which has another meaning here: "
        "parameters, t, length, rate, coordinates, speeds, places, inputs, states and outputs by name. "
        "Rename the parameter or component of this name."
    ]
    assert faults(ground, BODY, HINGE, spring, parameters={"k": 1}) == []


@pytest.mark.parametrize(
    ("components", "place"),
    [
        ([gs.Body("b", mass="t", inertia=(1, 1, 1)), HINGE], "body 'b', mass"),
        ([gs.Body("b", gs.rod(1, "t", radius=1)), HINGE], "body 'b', properties.rod.length"),
        ([BODY, gs.Revolute("a1", ("ground", (0, "t", 0)), "b")], "joint 'a1', parent[1][1]"),
        ([BODY, gs.Revolute("a1", "ground", "b", axis=(0, "t", 1))], "joint 'a1', axis[1]"),
        ([BODY, gs.Revolute("a1", "ground", "b", initial="t")], "joint 'a1', initial.angle"),
        ([BODY, HINGE, gs.Bushing("f", "ground", "b", ("t", 0, 0))], "force 'f', stiffness[0]"),
        (
            [gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", "z", "t", spin="t")]), HINGE],
            "body 'b', rotors.w.inertia",
        ),
    ],
)
def test_time_stands_only_where_it_can(faults, components, place):
    found = faults(*components)
    assert found == [f"{place}: t uses time, which is not allowed here. Use parameters."]


@pytest.mark.parametrize(
    "components",
    [
        [BODY, gs.Revolute("a1", "ground", "b", driven="sin(t)")],
        [BODY, HINGE, gs.SpringDamper("f", "ground", ("b", (1, 0, 0)), stiffness="k + t", length="1 + 0.1*t")],
        [gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", "z", 0.1, spin="k*t")]), HINGE],
        [gs.Body("b", mass=1, inertia=(1, 1, 1), rotors=[gs.Rotor("w", "z", momentum="k*t")]), HINGE],
    ],
)
def test_drivers_rotors_and_laws_may_use_time(faults, components):
    assert faults(*components, **HEAD) == []


def test_drivers_may_not_use_coordinates(faults):
    [found] = faults(BODY, gs.Revolute("a1", "ground", "b", driven="a1 + c.angle*k"), SLEEVE, **HEAD)[:1]
    assert found.startswith(
        "joint 'a1', driven.angle: a1 + c.angle*k refers to 'a1', which is not known here. It may use parameters, t, "
        "inputs by name."
    )


@pytest.mark.parametrize(
    ("gravity", "message"),
    [
        ((0, "-G", 0), "model, gravity[1]: -G refers to 'G', which is not known here. It may use parameters."),
        ((0, 0, "-t"), "model, gravity[2]: -t uses time, which is not allowed here. Use parameters."),
        (("1/zero", 0, 0), "model, gravity[0]: 1/zero has no value: float division by zero. Correct it."),
        (("a1", 0, 0), "model, gravity[0]: a1 refers to 'a1', which is not known here."),
    ],
)
def test_gravity(faults, gravity, message):
    [found] = faults(BODY, HINGE, gravity=gravity, parameters={"zero": 0})
    assert found.startswith(message)


def test_gravity_of_formulas(faults):
    assert (
        faults(BODY, HINGE, gravity=(0, "-g*cos(tilt)", "-g*sin(tilt)"), parameters={"g": 9.81, "tilt": "5*deg"}) == []
    )
    assert faults(BODY, HINGE, gravity=(0, "-g", 0), parameters={"g": None}) == []


@pytest.mark.parametrize(
    ("parameters", "messages"),
    [
        (
            {"a": "b + 1"},
            ["parameter 'a': b + 1 refers to 'b', which is not known here. It may use parameters. Known: a."],
        ),
        ({"a": "2*t"}, ["parameter 'a': 2*t uses time, which is not allowed here. Use parameters."]),
        (
            {"a": "b", "b": "a"},
            ["parameter 'a': it depends on itself: a → b → a. Give one of these parameters a number."],
        ),
        ({"a": "log(0)"}, ["parameter 'a': log(0) has no value: "]),
        (
            {"a": "c", "lenght": 1, "b": "length"},
            [
                "parameter 'a': c refers to 'c'",
                "parameter 'b': length refers to 'length', which is not known here. It may use parameters. Did you",
            ],
        ),
    ],
)
def test_parameters(faults, parameters, messages):
    found = faults(parameters=parameters)
    assert len(found) == len(messages)
    assert all(text.startswith(message) for text, message in zip(found, messages, strict=True)), found


def test_one_faulty_parameter_does_not_hide_other_faults(faults):
    body = gs.Body("b", mass="-m", inertia=(1, 1, 1))
    found = faults(body, HINGE, parameters={"m": 1, "x": "1/0"})
    assert len(found) == 2
    assert any("its mass is -1." in text for text in found)


def test_formulas_without_values_are_left_alone(faults):
    body = gs.Body("b", gs.rod("empty", "k*empty", radius="-empty"))
    assert faults(body, HINGE, **HEAD) == []
