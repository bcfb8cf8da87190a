"""Every parameter and initial value has a knob: orientations, inner states, numbers of used models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from studio_desk import EXAMPLES, Desk, changed, knobs_of, written

import gyrostat as gs
from gyrostat.studio.rotation import euler_parameters, vector_of

BALL = """gyrostat: 1
name: ball
bodies: {top: {properties: {sphere: {mass: 1, radius: 0.1}}, points: {tip: [0, 0, -0.3]}}}
joints:
  ball: {type: Spherical, parent: ground, child: top.tip}
"""
FORMS = {
    "nothing": BALL,
    "nothing, in lines": BALL.replace(
        "ball: {type: Spherical, parent: ground, child: top.tip}",
        "ball:\n    type: Spherical\n    parent: ground\n    child: top.tip",
    ),
    "speeds": BALL.replace("tip}\n", "tip, initial: {w1: 2}}\n").replace("w1: 2}}}", "w1: 2}}"),
    "some": BALL.replace("child: top.tip}", "child: top.tip, initial: {e0: cos(0.1), e2: sin(0.1), w1: 2}}"),
    "some, in lines": BALL.replace(
        "ball: {type: Spherical, parent: ground, child: top.tip}",
        "ball:\n    type: Spherical\n    parent: ground\n    child: top.tip\n    initial:\n      e3: 1\n      e0: 0",
    ),
    "empty": BALL.replace("child: top.tip}", "child: top.tip, initial: {}}"),
}


def begin(file: Path) -> dict[str, float]:
    return gs.assemble(gs.Model.load(file)).state


@pytest.mark.parametrize("form", FORMS)
def test_joints_with_euler_parameters_are_turned_by_a_rotation_vector(tmp_path: Path, form: str) -> None:
    """The numbers that the page writes, and the move itself, mean the same orientation."""
    text, vector = FORMS[form], (0.4, -2.0, 1.1)
    desk = Desk(tmp_path, text)
    desk.tell("hello", file="model.yaml")
    knobs = [knobs_of(desk)[f"ball.rotation_vector.{axis}"] for axis in "xyz"]
    own = begin(desk.file)
    np.testing.assert_allclose(
        [k["value"] for k in knobs], vector_of([own[f"ball.e{i}"] for i in range(4)]), atol=1e-12
    )
    assert bool(knobs[0]["formula"]) == (form == "some")
    expected = euler_parameters("ball", vector)
    new = written(text, knobs[0]["spans"], list(expected.values()))
    (tmp_path / "changed.yaml").write_text(new, encoding="utf-8")
    state = begin(tmp_path / "changed.yaml")
    assert {name: state[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    assert state["ball.w1"] == own["ball.w1"], "other values stay"
    desk.tell("set", kind="rotation", name="ball.rotation_vector", value=vector, id=1)
    by_move = desk.only("motion").arrays["positions"]
    assert {name: desk.session._trajectory[name].values[0] for name in expected} == pytest.approx(expected, abs=1e-9)
    assert [m.type for m in desk.tell("text", text=new, id=2) if m.type in ("model", "failure")] == []
    motion = [m for m in desk.sent if m.type == "motion"]
    if motion:
        np.testing.assert_allclose(motion[0].arrays["positions"], by_move, atol=1e-4)


PART = """gyrostat: 1
name: part
parameters: {m: {value: 2, unit: kg}, start: 0.3}
bodies: {bar: {properties: {rod: {mass: m, length: 1, along: x}}, points: {end: [-0.5, 0, 0]}}}
joints:
  hinge: {type: Revolute, parent: ground, child: bar.end, axis: y, initial: start}
  ball: {type: Revolute, parent: bar, child: tip, axis: y}
"""
PART = PART.replace("bodies: {bar", "bodies: {tip: {properties: {sphere: {mass: 1, radius: 0.1}}}, bar")
WHOLE = """gyrostat: 1
name: whole
gravity: [0, 0, -9.81]
parameters: {heavy: 3}
subsystems:
  left: {use: part.yaml}
  right:
    use: part.yaml
    parameters: {m: heavy}
    at: [ground, [1, 0, 0]]
  third: {use: part.yaml, parameters: {m: 1, start: 10*deg}, at: [ground, [2, 0, 0]]}
"""


@pytest.fixture
def whole(tmp_path: Path) -> Desk:
    (tmp_path / "part.yaml").write_text(PART, encoding="utf-8")
    desk = Desk(tmp_path, WHOLE)
    desk.tell("hello", file="model.yaml")
    return desk


@pytest.mark.parametrize("name", ["left.m", "left.start", "right.m", "right.start", "third.m", "third.start"])
def test_parameters_of_subsystems_are_written_into_the_using_file(whole: Desk, tmp_path: Path, name: str) -> None:
    knob = knobs_of(whole)[name]
    assert not knob["home"]
    text = changed(WHOLE, knob, 0.7)
    (tmp_path / "changed.yaml").write_text(text, encoding="utf-8")
    assert gs.Model.load(tmp_path / "changed.yaml").flattened().values()[name] == pytest.approx(0.7)
    whole.tell("set", kind="parameter", name=name, value=0.7, id=1)
    by_move = whole.only("motion").arrays["positions"]
    sent = whole.tell("text", text=text, id=2)
    assert [m.type for m in sent if m.type in ("model", "failure")] == [], "no new equations"
    assert list(whole.session._overrides.parameters) == [name]
    whole.tell("text", text=WHOLE, id=3)
    assert whole.session._overrides.parameters == {}
    assert not np.allclose(whole.only("motion").arrays["positions"], by_move)


def test_initial_values_within_a_used_model_move_and_are_told_when_the_file_is_saved(whole: Desk) -> None:
    knob = knobs_of(whole)["left.ball.rate"]
    assert "'ball' in part.yaml" in knob["home"]
    before = whole.only("motion").arrays["positions"]
    whole.tell("set", kind="initial", name="left.ball.rate", value=2.0, id=1)
    assert whole.session._trajectory["left.ball.rate"].values[0] == pytest.approx(2.0)
    whole.tell("text", text=WHOLE, id=2)
    assert knobs_of(whole)["left.ball.rate"]["value"] == 2.0, "a text cannot contain it, so it stays"
    assert whole.session._trajectory["left.ball.rate"].values[0] == pytest.approx(2.0)
    whole.tell("save", text=WHOLE, name="model.yaml")
    assert "left.ball.rate = 2: it belongs to 'ball' in part.yaml" in whole.only("notice").values["text"]
    whole.tell("text", text=WHOLE.replace("  left: {use: part.yaml}\n", ""), id=3)
    assert "left.ball.rate" not in knobs_of(whole)
    whole.tell("open", file="model.yaml")
    np.testing.assert_allclose(whole.only("motion").arrays["positions"], before)


def test_a_used_file_that_changed_is_formulated_anew(whole: Desk, tmp_path: Path) -> None:
    (tmp_path / "part.yaml").write_text(PART.replace("length: 1,", "length: 1.5,"), encoding="utf-8")
    assert "model" in [m.type for m in whole.tell("text", text=WHOLE, id=1)]


CIRCUIT = """gyrostat: 1
name: circuit
bodies: {b: {properties: {sphere: {mass: 1, radius: 0.1}}}}
joints: {x: {type: Prismatic, parent: ground, child: b, axis: x}}
networks:
  battery: {type: VoltageSource, a: a, b: zero, voltage: 12}
  R: {type: Resistor, a: a, b: c, resistance: 1}
  coil: {type: Inductor, a: c, b: d, inductance: 0.1}
  tank: {type: Capacitor, a: d, b: zero, capacitance: 0.01, initial: 3}
  zero: {type: Datum}
forces:
  motor: {type: DCMotor, joint: x, constant: 0.1, resistance: 1, inductance: 0.1}
  rub: {type: JointFriction, joint: x, law: {LuGre: {mu: 1, mu_static: 2, stiffness: 1e3, damping: 1, speed: 0.1}}}
"""


def test_states_of_circuits_motors_and_bristles_have_knobs(tmp_path: Path) -> None:
    desk = Desk(tmp_path, CIRCUIT)
    desk.tell("hello", file="model.yaml")
    knobs = knobs_of(desk)
    assert knobs["tank.voltage"]["value"] == 3
    for number, name in enumerate(["coil.current", "tank.voltage", "motor.current"]):
        text = changed(CIRCUIT, knobs[name], 0.7)
        sent = desk.tell("text", text=text, id=number + 1)
        assert [m.type for m in sent if m.type in ("model", "failure")] == []
        assert desk.session._trajectory[name].values[0] == pytest.approx(0.7)
    (bristle,) = (name for name in knobs if name.startswith("rub."))
    assert knobs[bristle]["home"].startswith("model files have no field for it")
    desk.tell("set", kind="initial", name=bristle, value=1e-3, id=9)
    assert desk.session._trajectory[bristle].values[0] == pytest.approx(1e-3)


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.yaml")))
def test_every_coordinate_speed_and_state_of_the_examples_has_a_knob(tmp_path: Path, name: str) -> None:
    from gyrostat.studio.knobs import knobs_of as found_in
    from gyrostat.studio.model_text import ModelText

    text = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
    read = ModelText.read(text, EXAMPLES / "x.yaml")
    knobs = {knob.name for knob in found_in(read)}
    system = gs.formulate(read.model)
    turned = {f"{name}.e{k}" for name in system.coordinates.euler_parameters for k in range(4)}
    driven = {f"{one}{suffix}" for one in system.coordinates.all_driven for suffix in ("", ".rate")}
    vectors = {f"{name}.rotation_vector.{axis}" for name in system.coordinates.euler_parameters for axis in "xyz"}
    wanted = ({*system.coordinates.place_of, *read.model.values()} | vectors) - turned - driven
    assert not wanted - knobs
