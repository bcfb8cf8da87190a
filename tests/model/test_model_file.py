"""Model files: exact round trips, the schema, and faults with their places."""

import json
from random import Random

import pytest
import yaml
from any_models import any_model
from campaign import campaign, examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import gyrostat as gs
from gyrostat.errors import ModelError, ModelFileError
from gyrostat.model.documents import read_json, read_yaml
from gyrostat.model.model_file import model_schema, model_to_plain, read_model

HEAD = "gyrostat: 1\nname: test\n"
SOUND = """\
gyrostat: 1
name: double pendulum
gravity: [0, -g, 0]
parameters: {m1: 10, l1: {value: 0.5, unit: m, description: length of the upper bar}, g: 9.81}
bodies:
  bar1: {properties: {rod: {mass: m1, length: l1, along: y}}, points: {top: [0, l1/2, 0], tip: [0, -l1/2, 0]}}
joints:
  a1: {type: Revolute, parent: ground, child: bar1.top, axis: z, symbol: theta_1}
forces:
  motor: {type: Actuator, joint: a1}
"""


def pendulum():
    parameters = {"m1": 10, "l1": gs.Parameter(0.5, "m", "length of the upper bar"), "g": 9.81}
    model = gs.Model("double pendulum", gravity=(0, "-g", 0), parameters=parameters)
    points = {"top": (0, "l1/2", 0), "tip": (0, "-l1/2", 0)}
    model.add(gs.Body("bar1", gs.rod("m1", "l1", along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top", axis="z", symbol="theta_1"))
    model.add(gs.Actuator("motor", "a1"))
    return model


@pytest.fixture
def load(tmp_path):
    """Write a file and load it."""

    def load(text, suffix="yaml"):
        path = tmp_path / f"model.{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return gs.Model.load(path)

    return load


@pytest.fixture
def faults(load):
    """The messages about a file, without its name."""

    def faults(text, suffix="yaml"):
        with pytest.raises(ModelError) as error:
            load(text, suffix)
        return [str(fault) for fault in error.value.faults]

    return faults


# --- round trips ----------------------------------------------------------------------------------------------------


def test_the_file_of_the_design_is_the_model_of_the_design(load):
    assert load(SOUND) == pendulum()


def test_a_file_is_written_as_people_write_it(tmp_path):
    pendulum().save(tmp_path / "m.yaml")
    text = (
        SOUND.replace(
            "parameters: {m1: 10, l1: {value: 0.5, unit: m, description: length of the upper bar}, g: 9.81}",
            "parameters:\n  m1: 10\n  l1: {value: 0.5, unit: m, description: length of the upper bar}\n  g: 9.81",
        )
        .replace(", axis: z", "")
        .replace("symbol: theta_1", "symbol: theta_1")
    )
    assert (tmp_path / "m.yaml").read_text(encoding="utf-8") == text


def exactly(model):
    """Return all that a file must keep, integers and floats told apart."""
    return repr(model_to_plain(model))


@settings(deadline=None, max_examples=examples(100), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32 - 1))
@example(seed=47194)  # solids within solids, deeply nested
@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_any_model_comes_back_exactly(suffix, seed, tmp_path):
    model = any_model(Random(seed))
    path = tmp_path / f"any.{suffix}"
    model.save(path)
    again = gs.Model.load(path)
    assert again == model
    assert exactly(again) == exactly(model)
    first = path.read_bytes()
    again.save(path)
    assert path.read_bytes() == first


@campaign(range(0, 120, 5), "start", each=5)
def test_many_models_come_back_exactly_and_fit_the_schema(start, tmp_path):
    check = Draft202012Validator(model_schema())
    for seed in range(start, start + 5):
        model = any_model(Random(seed))
        for suffix in ("yaml", "json"):
            path = tmp_path / f"any.{suffix}"
            model.save(path)
            assert exactly(gs.Model.load(path)) == exactly(model), f"seed {seed}"
        written = json.loads((tmp_path / "any.json").read_text(encoding="utf-8"))
        assert [error.message for error in check.iter_errors(written)] == []


def test_other_yaml_readers_see_the_same_numbers(tmp_path):
    """YAML 1.1 needs a point before an exponent, and quotes around words such as on."""
    model = gs.Model("on", parameters={"a": 1e22, "b": 1e-7, "c": 2**70, "d": 1.0, "no": "a*1e3", "y": -0.5e-300})
    model.save(tmp_path / "m.yaml")
    seen = yaml.safe_load((tmp_path / "m.yaml").read_text(encoding="utf-8"))
    assert seen["name"] == "on"
    assert seen["parameters"] == {"a": 1e22, "b": 1e-7, "c": 2**70, "d": 1.0, "no": "a*1e3", "y": -0.5e-300}


def test_ways_of_writing(load, tmp_path):
    model = load(SOUND)
    assert load(SOUND.replace("\n", "\r\n")) == model
    assert load(b"\xef\xbb\xbf" + SOUND.encode()) == model
    assert load(SOUND, "yml") == load(SOUND, "YAML") == model
    plain = json.dumps(read_yaml(SOUND).data)
    assert load(plain, "json") == model
    assert load(b"\xef\xbb\xbf" + plain.encode(), "json") == model
    assert gs.Model.load(str(tmp_path / "model.yaml")) == model


def test_sections_may_be_blank(load):
    model = load(HEAD + "description:\nparameters:\nbodies:\njoints: {}\nforces: ~\n")
    assert model == gs.Model("test")


def test_numbers_in_text_are_numbers(load):
    model = load(HEAD + "parameters: {a: '0.5', b: 0x10, c: 1_000, d: 012, e: +1.5e3, f: .5}")
    assert model.values() == {"a": 0.5, "b": 16, "c": 1000, "d": 12, "e": 1500, "f": 0.5}


def test_anchors_and_aliases_repeat_values(load):
    model = load(HEAD + "bodies:\n  b1: &b {properties: {rod: {mass: 1, length: 2}}}\n  b2: *b\n")
    assert model["b2"] == gs.Body("b2", gs.rod(1, 2))


# --- the schema -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema():
    return Draft202012Validator(model_schema())


def test_the_schema_is_one_and_can_be_printed():
    Draft202012Validator.check_schema(model_schema())
    assert json.loads(json.dumps(model_schema())) == model_schema()


def test_the_schema_describes_every_component():
    variants = model_schema()["properties"]["joints"]["additionalProperties"]["oneOf"]
    assert [variant["properties"]["type"]["const"] for variant in variants] == list(gs.JOINTS.tags)
    assert all(variant["description"] for variant in variants)
    assert set(model_schema()["$defs"]["solid"]["properties"]) == set(gs.SOLIDS.tags)
    assert set(model_schema()["$defs"]["shape"]["properties"]) == set(gs.SHAPES.tags)


def test_the_schema_accepts_the_example(schema):
    schema.validate(read_yaml(SOUND).data)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gyrostat: 1", "gyrostat: 2"),
        ("name: double pendulum", "title: x"),
        ("name: double pendulum", "name: ''"),
        ("gravity: [0, -g, 0]", "gravity: [0, -g]"),
        ("gravity: [0, -g, 0]", "gravity: 9.81"),
        ("gravity: [0, -g, 0]", "gravity: [0, true, 0]"),
        ("m1: 10", "m1: [10]"),
        ("unit: m", "unit: 3"),
        ("unit: m", "units: m"),
        ("mass: m1, ", ""),
        ("along: y", "along: up"),
        ("rod:", "rdo:"),
        ("{rod: {mass: m1, length: l1, along: y}}", "{}"),
        ("tip: [0, -l1/2, 0]", "tip: {x: 0}"),
        ("type: Revolute", "type: Revolut"),
        ("type: Revolute, ", ""),
        ("parent: ground, ", ""),
        ("child: bar1.top", "child: 3"),
        ("child: bar1.top", "child: [bar1, [0, 0]]"),
        ("axis: z", "axis: w"),
        ("axis: z", "axsi: z"),
        ("joint: a1", "joint: [a1]"),
        ("joints:", "jionts:"),
    ],
)
def test_the_schema_and_the_reader_refuse_the_same(schema, faults, old, new):
    text = SOUND.replace(old, new, 1)
    assert text != SOUND
    assert not schema.is_valid(read_yaml(text).data)
    assert faults(text)


# --- faults with their places ---------------------------------------------------------------------------------------


def test_all_faults_come_in_one_run_with_line_and_column(load):
    text = """\
gyrostat: 1
name: many faults
gravity: [0, -g, 0, 1]
color: red
parameters: {m: 1, 2m: 3, l: [1], t: 5}
bodies:
  bar: {properties: {rod: {mass: m, lenght: 2}}}
  box: {mass: 1, points: {tip: [0, 0], omega: [0, 0, 0]}}
  ok: {mass: 1, inertia: [1, 1, 1]}
joints:
  a1: {type: Revolut, parent: ground, child: bar}
  a2: {type: Revolute, parent: ground, child: ok, axsi: z}
  a3: {type: Weld, parent: ok, child: nowhere}
forces:
  f1: {type: Actuator, joint: a9}
  ok: {type: Actuator, joint: a3}
"""
    with pytest.raises(ModelError) as error:
        load(text)
    assert [str(fault) for fault in error.value.faults] == [
        "line 4, column 8: color: is not a section of a model file. "
        "Known: bodies, compounds, constraints, description, forces, gravity, gyrostat, inputs, joints, measures, "
        "name, networks, … (15 in all).",
        "line 3, column 10: gravity: [0, '-g', 0, 1] is not a vector. "
        "Give three numbers or formulas, as in (0, 'l/2', 0).",
        "line 5, column 24: parameters.2m: '2m' cannot be a name. "
        "Use letters, digits and underscores, beginning with a letter, for example '_2m'.",
        "line 5, column 30: parameters.l: value [1] is not a number or a formula. "
        "Give a number or text such as 'l1/2'.",
        "line 5, column 38: parameters.t: 't' is a reserved word. Call it 't_1', for example.",
        "line 7, column 45: body 'bar', properties.rod.lenght: is not a field here. Did you mean 'length'?",
        "line 7, column 27: body 'bar', properties.rod: 'length' is missing. length (m)",
        "line 8, column 32: body 'box', points.tip: [0, 0] is not a vector. "
        "Give three numbers or formulas, as in (0, 'l/2', 0).",
        "line 8, column 47: body 'box', points.omega: 'omega' is the name of an output of the same component. "
        "Call it 'omega_1', for example.",
        "line 11, column 14: joint 'a1', type: 'Revolut' is not a kind of joint. Did you mean 'Revolute'?",
        "line 12, column 57: joint 'a2', axsi: is not a field here. Did you mean 'axis'?",
        "line 16, column 7: force 'ok': the name is taken by another body. "
        "Names are unique in a model; choose another.",
        "line 13, column 39: joint 'a3', child: refers to body 'nowhere', which is not in the model. "
        "Known: ground, ok.",
        "line 15, column 31: force 'f1', joint: refers to joint 'a9', which is not in the model. Known: a3.",
    ]
    assert str(error.value).startswith(f"{error.value.heading}\n  line 4, column 8: color")
    assert error.value.heading.endswith("model.yaml has 14 faults:")


def test_places_in_json_count_lines_and_columns(faults):
    text = '{\n  "gyrostat": 1,\n  "name": "x",\n  "bodies": {\n    "b": {"mass": true, "com": [1, 2]}\n  }\n}'
    assert faults(text, "json") == [
        "line 5, column 19: body 'b', mass: value True is not a number or a formula. "
        "Give a number or text such as 'l1/2'.",
        "line 5, column 32: body 'b', com: [1, 2] is not a vector. "
        "Give three numbers or formulas, as in (0, 'l/2', 0).",
    ]


def test_faults_of_structure_have_places_too(load, tmp_path):
    model = load(SOUND.replace("joint: a1", "joint: a2").replace("mass: m1", "mass: -m1"))
    with pytest.raises(ModelError) as error:
        model.check()
    assert [str(fault.position) for fault in error.value.faults] == ["line 10, column 34", "line 6, column 35"]


def test_what_was_lost_is_not_missed_again(faults):
    """A component that cannot be read is reported once; nothing else is blamed for its absence."""
    text = """\
gyrostat: 1
name: follow-up
parameters: {k: "1 +"}
bodies:
  b1: {mas: 1}
  b2: {mass: 1, inertia: [1, 1, 1], points: {p: [k, 0, 0]}}
  b3: {mass: 0}
joints:
  a1: {type: Revolute, parent: ground, child: b1}
  a2: {type: Revolute, parent: b1.tip, child: b2.p}
  a3: {type: Revolut, parent: [b2, [0, 0, 0]], child: b3}
forces:
  f: {type: Force, at: b2, components: [a3, a3.rate, b1.x]}
  g: {type: Actuator, joint: a3}
"""
    assert [fault.partition(": ")[2].partition(":")[0] for fault in faults(text)] == [
        "parameters.k",
        "body 'b1', mas",
        "joint 'a3', type",
    ]


def test_a_component_whose_name_was_taken_is_not_missed_either(faults):
    text = (
        HEAD
        + """\
bodies: {b: {mass: 1, inertia: [1, 1, 1]}, a1: {mass: 1, inertia: [1, 1, 1]}}
joints: {a1: {type: Revolute, parent: ground, child: b}, a2: {type: Free, parent: ground, child: a1}}
forces: {motor: {type: Actuator, joint: a1}}
"""
    )
    [found] = faults(text)
    assert found.startswith("line 4, column 14: joint 'a1': the name is taken by another body.")


@pytest.mark.parametrize("joint", ["{type: Weld, parent: 3, child: b}", "{type: Weld, parent: ground}", "3", "{}"])
def test_bodies_are_not_loose_because_their_joint_could_not_be_read(faults, joint):
    found = faults(HEAD + "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: " + joint + "}")
    assert len(found) == 1
    assert "joint 'j'" in found[0]


def test_bodies_are_not_loose_because_the_joints_could_not_be_read(faults):
    found = faults(HEAD + "bodies: {b: {mass: 1}}\njoints: [1]")
    assert found == ["line 4, column 9: joints: [1] is not a mapping from names. Write name: {…} for each entry."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bodies: 0", "line 3, column 9: bodies: 0 is not a mapping from names. Write name: {…} for each entry."),
        ("bodies: false", "bodies: False is not a mapping from names."),
        ("bodies: ''", "bodies: '' is not a mapping from names."),
        ("joints: [a]", "joints: ['a'] is not a mapping from names."),
        ("forces: x", "forces: 'x' is not a mapping from names."),
        ("parameters: 0", "parameters: 0 is not a mapping from names."),
        ("parameters: {a: true}", "parameters.a: value True is not a number or a formula."),
        ("parameters: {a: {value: [1]}}", "parameters.a.value: value [1] is not a number or a formula."),
        ("parameters: {a: {unit: 5}}", "parameters.a.unit: 5 is not text."),
        ("parameters: {1.5: 2}", "parameters.1.5: '1.5' cannot be a name."),
        ("description: 0", "line 3, column 14: description: 0 is not text."),
        ("description: [a]", "description: ['a'] is not text."),
        ('description: "a\\x07"', "description: 'a\\x07' contains characters that cannot be printed."),
        ("gravity:", "gravity: None is not a vector."),
        ("gravity: {x: 1}", "gravity: {'x': 1} is not a vector."),
        ("gravity: [0, .inf, 0]", "gravity[1]: value inf is not a finite number."),
        ("gravity: [0, .nan, 0]", "gravity[1]: value nan is not a finite number."),
        ("gravity: [0, 1e400, 0]", "gravity[1]: value inf is not a finite number."),
        ("bodies: {b: }", "body 'b': None is not a mapping of fields."),
        ("bodies: {b: 5}", "body 'b': 5 is not a mapping of fields."),
        ("bodies: {b: {mass: {a: 1}}}", "body 'b', mass: value {'a': 1} is not a number or a formula."),
        ("bodies: {b: {properties: rod}}", "body 'b', properties: 'rod' is not a solid."),
        ("bodies: {b: {properties: {rod: 5}}}", "body 'b', properties.rod: 5 is not a mapping of fields."),
        ("bodies: {b: {properties: {rod: {}, box: {}}}}", "is not a solid."),
        ("bodies: {b: {properties: {composite: {parts: 3}}}}", "properties.composite.parts: 3 is not a list."),
        ("bodies: {b: {mass: 1, points: 3}}", "body 'b', points: 3 is not a mapping from names."),
        ("bodies: {b: {mass: 1, frames: {f: 3}}}", "body 'b', frames.f: 3 is not a mapping of fields."),
        ("bodies: {b: {mass: 1, frames: {f: {turn: [3]}}}}", "body 'b', frames.f.turn[0]: 3 is not a turn."),
        ("bodies: {b: {mass: 1, rotors: {w: 3}}}", "body 'b', rotors.w: 3 is not a mapping of fields."),
        ("bodies: {b: {mass: 1, rotors: {w: {axis: z}}}}", "rotors.w: neither spin nor momentum nor free given."),
        ("bodies: {b: {mass: 1, shape: 3}}", "body 'b', shape: 3 is not a list."),
        ("bodies: {b: {mass: 1, name: c}}", "body 'b', name: is not a field here."),
        ("bodies: {'a b': {mass: 1}}", "body 'a b': 'a b' cannot be a name."),
        ("joints: {j: 3}", "joint 'j': its type is missing. Write type: Revolute or another."),
        ("joints: {j: {parent: a}}", "joint 'j': its type is missing."),
        ("joints: {j: {type: 3}}", "joint 'j', type: 3 is not a kind of joint."),
        ("joints: {j: {type: Weld}}", "joint 'j': 'parent' is missing. Attachment on the parent"),
        ("joints: {j: {type: Weld, parent: [1], child: b}}", "joint 'j', parent: [1] is not a place on a body."),
        ("joints: {j: {type: Free, parent: a, child: b, initial: 3}}", "joint 'j', initial: a single value does not"),
        ("forces: {f: {type: Spring}}", "force 'f', type: 'Spring' is not a kind of force."),
        ("forces: {f: {type: Actuator}}", "force 'f': 'joint' is missing."),
        ("forces: {f: {type: Actuator, joint: 3}}", "force 'f', joint: 3 is not the name of a coordinate."),
    ],
)
def test_wrong_types_everywhere(faults, text, message):
    found = faults(HEAD + text)
    assert len([fault for fault in found if message in fault]) == 1, found


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("", "the model has no name."),
        ("name:", "the model has no name."),
        ("name: 3", "3 is not a name for a model."),
        ("name: ''", "'' is not a name for a model."),
        ('name: "a\\u202eb"', "'a\\u202eb' is not a name for a model."),
        ("name: [a]", "['a'] is not a name for a model."),
    ],
)
def test_a_model_needs_a_name(faults, name, fact):
    [found] = faults(f"gyrostat: 1\n{name}\n")
    assert found.endswith(f"name: {fact} Write 'name: …' with some printable text.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: x", r"line 1, column 1: the line 'gyrostat: 1' is missing\. Is this a model file\? If so, add"),
        ("gyrostat:\nname: x", "the line 'gyrostat: 1' is missing"),
        ("gyrostat: 2", r"line 1, column 11: the file has format 2; this version reads 1\. Install a newer gyrostat\."),
        ("gyrostat: 0", r"0 is not a format version\. Write 'gyrostat: 1'\."),
        ("gyrostat: -1", "-1 is not a format version"),
        ("gyrostat: true", "True is not a format version"),
        ("gyrostat: '1'", "'1' is not a format version"),
        ("gyrostat: [1]", r"\[1\] is not a format version"),
        ("gyrostat: " + "9" * 350, "the file has format 9{20}; this version"),
        ("- a", r"the file does not hold a mapping\. A model file begins with 'gyrostat: 1'\."),
        ("text", "the file does not hold a mapping"),
    ],
)  # fmt: skip
def test_versions(load, text, message):
    with pytest.raises(ModelFileError, match=message):
        load(text)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(
        ModelFileError, match=r"nothing\.yaml cannot be read:\n  there is no such file\. Check the path"
    ):
        gs.Model.load(tmp_path / "nothing.yaml")


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_keys_that_stand_twice_are_faults_among_others(faults, suffix):
    if suffix == "yaml":
        text = HEAD + "bodies:\n  b: {mass: 1}\n  b: {mass: 2}\n  c: {mass: 1, mass: 2, colour: red}\n"
        places = ["line 5, column 3", "line 6, column 16", "line 6, column 33"]
    else:
        text = '{"gyrostat": 1, "name": "x",\n "bodies": {"b": {"mass": 1},\n'
        text += '  "b": {"mass": 2}, "c": {"mass": 1, "mass": 2, "colour": "red"}}}'
        places = ["line 3, column 3", "line 3, column 38", "line 3, column 59"]
    found = faults(text, suffix)
    assert found[:2] == [
        f"{places[0]}: the key 'b' occurs twice. Keep one of them; names are unique.",
        f"{places[1]}: the key 'mass' occurs twice. Keep one of them; names are unique.",
    ]
    assert found[2].startswith(f"{places[2]}: body 'c', colour: is not a field here.")


def test_reading_goes_on_after_faults():
    reading = read_model(read_yaml(HEAD + "bodies: {b: {mas: 1}, c: {mass: 1}}\njoints: {j: {type: Weld}}"))
    assert list(reading.model.components) == ["c"]
    assert reading.lost >= {"b", "j"}
    assert len(reading.faults) == 3


def test_no_more_faults_are_collected_than_anyone_mends():
    reading = read_model(read_json(json.dumps({"gyrostat": 1, "name": "x", **{f"k{i}": 1 for i in range(2000)}})))
    assert len(reading.faults) == 501
    assert str(reading.faults[-1]).endswith("there are more than 500 faults. Correct these first.")
