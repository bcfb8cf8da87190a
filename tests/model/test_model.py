"""The model as a builder: names, heads, copies, values."""

import copy
import pickle

import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelError, Position
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.model_sections import SECTIONS


@pytest.fixture
def model():
    model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81}, description="one bar")
    model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    model.add(gs.Revolute("a1", "ground", "bar.top"))
    model.add(gs.Actuator("motor", "a1"))
    return model


def test_components_are_returned_and_found_by_name(model):
    slide = gs.Prismatic("s", "bar", "block")
    assert model.add(slide) is slide
    assert model["s"] is slide
    assert "s" in model
    assert "ground" in model
    assert "block" not in model
    assert list(model.components) == ["bar", "a1", "motor", "s"]
    assert list(model.bodies) == ["bar"]
    assert list(model.joints) == ["a1", "s"]
    assert list(model.forces) == ["motor"]
    assert model.inputs == ("motor",)
    with pytest.raises(KeyError):
        model["block"]


def test_components_cannot_be_changed_from_outside(model):
    with pytest.raises(TypeError):
        model.components["x"] = model["bar"]
    model.bodies.clear()
    assert list(model.bodies) == ["bar"]


def test_the_ground_is_always_there_and_takes_points(model):
    assert model.ground == gs.Body("ground")
    assert list(model.bodies) == ["bar"]
    ground = model.add(
        gs.Body("ground", points={"pivot": (1, 2, "l")}, frames={"hub": gs.Frame((0, 0, 1), [("x", 1)])})
    )
    assert model.ground is ground is model["ground"]
    R, r = model.placement(End("ground", "pivot"), model.evaluator())
    assert r == (1.0, 2.0, 1.0)
    assert R == ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def test_places_on_bodies(model):
    value = model.evaluator({"l": 4})
    assert model.placement(End("bar", "top"), value)[1] == (0.0, 2.0, 0.0)
    assert model.placement(End("bar"), value)[1] == (0, 0, 0)
    assert model.placement(End("bar", None, (Formula.of(1), Formula.of("l"), Formula.of(0))), value)[1] == (1, 4, 0)
    assert model.placement(End("bar", "tip"), value) is None
    assert model.placement(End("a1", "tip"), value) is None
    assert model.placement(End("nothing", "tip"), value) is None


def test_a_frame_has_axes_of_its_own(model):
    model.add(gs.Body("b", mass=1, frames={"hub": gs.Frame((1, 0, 0), [("z", "90*deg")])}))
    R, r = model.placement(End("b", "hub"), model.evaluator())
    assert r == (1.0, 0.0, 0.0)
    assert [list(row) for row in R] == [pytest.approx(row, abs=1e-15) for row in ([0, -1, 0], [1, 0, 0], [0, 0, 1])]


@pytest.mark.parametrize(
    ("component", "message"),
    [
        (gs.Body("bar", mass=1), r"body 'bar': the name is taken by another body\. Names are unique in a model"),
        (gs.Weld("bar", "ground", "bar"), r"joint 'bar': the name is taken by another body\."),
        (gs.Body("a1", mass=1), r"body 'a1': the name is taken by another joint\."),
        (gs.Actuator("a1", "a1"), r"force 'a1': the name is taken by another joint\."),
        (gs.Weld("ground", "ground", "bar"), r"joint 'ground': 'ground' is the name of the inertial body\. Choose"),
        (gs.Weld("m", "ground", "bar"), r"joint 'm': a parameter has the same name, so formulas would be ambiguous"),
        (gs.Actuator("g", "a1"), r"force 'g': a parameter has the same name.* Rename one of them\."),
        (gs.Weld("t", "ground", "bar"), r"joint 't': 't' is a reserved word\. Call it 't_1', for example\."),
        (gs.Actuator("pi", "a1"), r"force 'pi': 'pi' is a reserved word\."),
        (gs.Revolute("sin", "ground", "bar"), r"joint 'sin': 'sin' is a reserved word\."),
        (gs.Body("world", mass=1), r"body 'world': 'world' is a reserved word\."),
    ],
)  # fmt: skip
def test_names_that_are_refused(model, component, message):
    before = dict(model.components)
    with pytest.raises(ModelError, match=message):
        model.add(component)
    assert dict(model.components) == before


def test_a_body_may_have_the_name_of_a_parameter_or_function(model):
    assert model.add(gs.Body("l", mass=1)).name == "l"
    assert model.add(gs.Body("t", mass=1)).name == "t"


@pytest.mark.parametrize("thing", [3, "bar", None, gs.rod(1, 1), gs.Rotor("w", "z", momentum=1), gs.Body, gs.Frame()])
def test_only_components_are_added(model, thing):
    with pytest.raises(
        GyrostatError,
        match=r"cannot be added to a model\. Add bodies, joints, forces, constraints, states, elements of "
        r"networks, inputs, measures, compounds or subsystems\.",
    ):
        model.add(thing)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gs.Model(""), r"model, name: '' is not a name for a model\. Give it some printable text\."),
        (lambda: gs.Model("  "), "is not a name for a model"),
        (lambda: gs.Model("a\nb"), r"'a\\nb' is not a name for a model"),
        (lambda: gs.Model(3), "3 is not a name for a model"),
        (
            lambda: gs.Model("a", gravity=9.81),
            r"model, gravity: 9\.81 is not a vector\. Give three numbers or formulas",
        ),
        (lambda: gs.Model("a", gravity=(0, 0)), r"model, gravity: \(0, 0\) is not a vector"),
        (lambda: gs.Model("a", gravity=(0, "1+", 0)), r"model, gravity\[1\]: formula '1\+' is not a formula"),
        (lambda: gs.Model("a", gravity=(0, float("nan"), 0)), r"gravity\[1\]: value nan is not a finite number"),
        (lambda: gs.Model("a", description=3), r"model, description: 3 is not text"),
        (lambda: gs.Model("a", parameters=[1]), r"parameters: \[1\] is not a mapping from names\. Write \{name: value"),
    ],
)
def test_heads_that_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_all_faults_of_the_head_come_at_once():
    with pytest.raises(ModelError) as error:
        gs.Model("", gravity=1, description=2)
    assert [fault.path for fault in error.value.faults] == [("name",), ("description",), ("gravity",)]


@pytest.mark.parametrize("name", ["name", "gravity", "description", "parameters", "components", "bodies"])
def test_what_a_model_was_made_with_stays(model, name):
    with pytest.raises(AttributeError):
        setattr(model, name, (0, 0, 0))


def test_a_copy_lives_on_its_own(model):
    other = model.copy()
    assert other == model
    other.add(gs.Body("more", mass=1))
    assert other != model
    assert "more" not in model


def test_a_frozen_model_refuses_changes_and_its_copy_does_not(model):
    frozen = model.freeze()
    assert frozen == model
    with pytest.raises(
        GyrostatError, match=r"Model 'pendulum' is frozen because it belongs to a system\. Change a copy: model\.copy"
    ):
        frozen.add(gs.Body("more", mass=1))
    model.add(gs.Body("more", mass=1))
    assert "more" not in frozen
    frozen.copy().add(gs.Body("more", mass=1))


def test_equality_looks_at_everything(model):
    def variant(**changes):
        head = {"gravity": model.gravity, "parameters": model.parameters, "description": model.description} | changes
        other = gs.Model(head.pop("name", "pendulum"), **head)
        for component in model.components.values():
            other.add(component)
        return other

    assert variant() == model
    assert variant(name="other") != model
    assert variant(gravity=(0, 0, 0)) != model
    assert variant(description="") != model
    assert variant(parameters={"m": 2, "l": 1, "g": 9.8}) != model
    assert variant(parameters={"l": 1, "m": 2, "g": 9.81}) != model
    assert model != "pendulum"
    with pytest.raises(TypeError):
        hash(model)


def test_order_matters_within_a_section_only():
    bodies = [gs.Body("b1", mass=1), gs.Body("b2", mass=1)]
    weld = gs.Weld("w", "b1", "b2")

    def built(*components):
        model = gs.Model("order")
        for component in components:
            model.add(component)
        return model

    assert built(*bodies, weld) == built(weld, *bodies)
    assert built(*bodies) != built(*reversed(bodies))


def test_models_travel_through_pickle(model):
    assert pickle.loads(pickle.dumps(model)) == model
    assert copy.deepcopy(model.freeze()) == model


def test_printing_counts(model):
    assert str(model) == repr(model) == "Model 'pendulum': 1 body, 1 joint, 1 force, 3 parameters"
    model.add(gs.Body("ground", points={"p": (0, 0, 0)}))
    model.add(gs.Body("b2", mass=1))
    assert str(model) == "Model 'pendulum': 2 bodies, 1 joint, 1 force, 3 parameters"
    assert str(gs.Model("x", parameters={"m": 1})) == "Model 'x': 0 bodies, 0 joints, 0 forces, 1 parameter"


def test_sections_name_their_components():
    assert {section: cls.file_section for section, cls in SECTIONS.items()} == {
        section: section for section in SECTIONS
    }


def test_positions_are_known_only_for_files(model, tmp_path):
    assert model.position(None, ("gravity",)) is None
    model.save(tmp_path / "m.yaml")
    loaded = gs.Model.load(tmp_path / "m.yaml")
    lines = (tmp_path / "m.yaml").read_text(encoding="utf-8").splitlines()

    def place(text):
        [line] = [number for number, content in enumerate(lines) if text in content]
        return Position(line + 1, lines[line].index(text) + 1)

    assert loaded.position(loaded["bar"], ("points", "top")) == place("[0, l/2, 0]")
    assert loaded.copy().position(None, ("gravity", 1)) == place("-g")
    added = loaded.add(gs.Body("later", mass=1))
    assert loaded.position(added, ("mass",)) is None
