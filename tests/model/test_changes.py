"""Changes of a model: components removed and replaced, parameters set, with messages where something is in the way."""

import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelError
from gyrostat.model import Parameter


@pytest.fixture
def model():
    parameters = {"m": Parameter(2, "kg", "mass"), "l": 1}
    model = gs.Model("pendulum", gravity=(0, -9.81, 0), parameters=parameters)
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    model.add(gs.SpringDamper("rope", "ground", "bar", force="a1.rate", length=0))
    return model


def test_components_are_removed_with_those_that_refer_to_them(model):
    model.check()
    model.remove("rope")
    assert list(model.components) == ["bar", "a1"]
    assert not model.forces
    model.remove("bar", "a1", "a1")
    assert not model.components
    model.add(gs.Body("bar", mass=1))


def test_what_something_refers_to_stays(model):
    with pytest.raises(ModelError) as error:
        model.remove("bar")
    assert str(error.value).splitlines() == [
        "body 'bar': it cannot be removed while joint 'a1' refers to 'bar.top' (child). Remove both: "
        "model.remove('bar', 'a1'), or replace 'a1'.",
        "body 'bar': it cannot be removed while force 'rope' refers to 'bar' (b). Remove both: "
        "model.remove('bar', 'rope'), or replace 'rope'.",
    ]
    with pytest.raises(ModelError, match=r"joint 'a1': .* while force 'rope' refers to 'a1\.rate' \(force\)"):
        model.remove("a1")
    assert list(model.components) == ["bar", "a1", "rope"]


def test_a_parameter_with_the_name_of_a_body_is_no_reference():
    model = gs.Model("m", parameters={"bar": 1})
    model.add(gs.Body("bar", mass=1))
    model.add(gs.Body("other", mass="bar"))
    model.remove("bar")
    assert list(model.bodies) == ["other"]


def test_parts_keep_their_owner():
    model = gs.Model("m")
    model.add(gs.Chain("chain", "ground", links=2, mass=1, length=1))
    model.add(gs.Torque("load", "chain.link2", (0, 0, 1)))
    with pytest.raises(ModelError, match=r"compound 'chain': .* while force 'load' refers to 'chain\.link2' \(body\)"):
        model.remove("chain")
    model.remove("chain", "load")
    assert not model.freeze().components


def test_unknown_names(model):
    with pytest.raises(ModelError, match=r"component 'ropes': there is none to remove\. Did you mean 'rope'\?"):
        model.remove("ropes")
    with pytest.raises(ModelError, match=r"component 'm': there is none to remove\. It is a parameter\."):
        model.remove("m")
    with pytest.raises(ModelError, match=r"body 'bars': there is none to replace\. Did you mean 'bar'"):
        model.replace(gs.Body("bars", mass=1))
    with pytest.raises(ModelError, match=r"force 'bar': it cannot replace body 'bar'\. Remove that first: model\.rem"):
        model.replace(gs.Torque("bar", "bar", (0, 0, 1)))
    with pytest.raises(GyrostatError, match=r"3 cannot be added to a model"):
        model.replace(3)


def test_a_replaced_component_keeps_its_place(model):
    before = gs.formulate(model)
    new = model.replace(gs.Revolute("a1", "ground", "bar.top", initial=0.3))
    assert model["a1"] is new
    assert list(model.components) == ["bar", "a1", "rope"]
    assert list(model.joints.values()) == [new]
    assert gs.formulate(model).initial_coordinates == [0.3]
    assert before.initial_coordinates == [0.0]


def test_parameters_are_set_in_place(model):
    system, copy = gs.formulate(model), model.copy()
    model.set_parameter("m", "3*l")
    model.set_parameter("new", 7)
    assert model.parameters["m"] == Parameter("3*l", "kg", "mass")
    assert model.values() == {"m": 3.0, "l": 1.0, "new": 7.0}
    assert copy.values() == system.model.values() == {"m": 2.0, "l": 1.0}
    model.set_parameter("m", {"value": 4, "unit": "t"})
    assert model.parameters["m"] == Parameter(4, "t")
    assert gs.formulate(model).mass_matrix([0.0])[0, 0] == pytest.approx(4 / 3)


def test_parameters_that_cannot_be_set(model):
    with pytest.raises(ModelError, match=r"parameter 'a1': joint 'a1' has the same name, so formulas would be ambig"):
        model.set_parameter("a1", 1)
    with pytest.raises(ModelError, match=r"'t' is a reserved word"):
        model.set_parameter("t", 1)
    with pytest.raises(GyrostatError, match=r"changed through its model: model\.set_parameter\('m', 3\)"):
        model.parameters["m"] = 3


@pytest.mark.parametrize(
    ("method", "arguments"), [("remove", ("a1",)), ("replace", (gs.Body("bar", mass=1),)), ("set_parameter", ("m", 1))]
)
def test_the_model_of_a_system_is_not_changed(model, method, arguments):
    frozen = gs.formulate(model).model
    with pytest.raises(GyrostatError, match=rf"is frozen because.*model\.copy\(\)\.{method}\(…\)"):
        getattr(frozen, method)(*arguments)
