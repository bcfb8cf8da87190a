"""Sessions of the studio, without a server: messages in, messages out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from studio_desk import EXAMPLES, TEXT, Desk, changed, knobs_of

import gyrostat as gs
from gyrostat.studio import StudioFolder, StudioSession, exports, tabs
from gyrostat.studio.messages import StudioMessage


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    found = Desk(tmp_path)
    found.tell("hello", file="model.yaml")
    return found


def test_a_file_is_opened_read_and_simulated(desk: Desk) -> None:
    assert [m.type for m in desk.sent if m.type != "status"] == [
        *("hello", "opened", "faults", "knobs", "model", "motion")
    ]
    assert desk.only("opened").values["text"] == TEXT
    motion = desk.only("motion")
    expected = gs.simulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), duration=10, step=0.02)
    np.testing.assert_allclose(motion.arrays["positions"][:, 1], expected["bar2"].values, atol=1e-6)
    assert [body["name"] for body in motion.values["header"]["bodies"]][:2] == ["bar1", "bar2"]


def test_a_moved_knob_simulates_again_with_its_value(desk: Desk) -> None:
    desk.tell("set", kind="parameter", name="l1", value=1.5, id=1)
    desk.tell("set", kind="initial", name="a2.rate", value=2.0, id=2)
    motion = desk.only("motion")
    assert motion.values["id"] == 2
    expected = gs.simulate(
        *(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), 10),
        step=0.02,
        parameters={"l1": 1.5},
        initial={"a2.rate": 2.0},
    )
    np.testing.assert_allclose(motion.arrays["positions"][:, 1], expected["bar2"].values, atol=1e-5)
    rods = [body["shapes"] for body in motion.values["header"]["bodies"]]
    assert "1.5" in str(rods[0])


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "spinning_top", "rolling_disc", "vehicle_on_springs"])
def test_the_text_of_a_moved_knob_means_its_value(tmp_path: Path, name: str) -> None:
    """Whatever the form of the text, the number that a slider writes is the value that it sets."""
    text = (EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8")
    desk = Desk(tmp_path, text)
    desk.tell("hello", file="model.yaml")
    for knob in (one for one in knobs_of(desk).values() if one["kind"] != "rotation"):
        value = 0.98 * knob["value"] + 0.02 * knob["high"]
        (tmp_path / "changed.yaml").write_text(changed(text, knob, value), encoding="utf-8")
        model = gs.Model.load(tmp_path / "changed.yaml")
        if knob["kind"] == "parameter":
            found = model.values()[knob["name"]]
        else:
            system = gs.formulate(model)
            names = (*model.joints, *model.components)
            assert any(knob["name"].startswith(each) for each in names)
            joint = next(j for j in model.joints.values() if knob["name"] in (*j.coordinate_names, *j.speed_names))
            labels = dict(zip((*joint.coordinate_names, *joint.speed_names), _labels(joint), strict=True))
            found = float(system.model.evaluator()(joint.initial[labels[knob["name"]]]))
        assert found == pytest.approx(value, rel=1e-9), knob


STATES = """gyrostat: 1
name: states
bodies: {b: {properties: {sphere: {mass: 1, radius: 0.1}}}}
joints: {x: {type: Prismatic, parent: ground, child: b, axis: x}}
states:
  valve: {type: State, rate: -valve}
  written: {type: State, rate: -written, initial: 1/2}
  slow: {type: Lag, input: x, time_constant: 0.1}
  hold:
    type: Sampled
    period: 0.1
    law: hold.sum
    memory: {sum: 3}
    update: {sum: hold.sum + 1}
  control: {type: PID, input: x, proportional: 1, integral: 1, derivative: 1, filter_time: 0.1}
  block: {type: StateSpaceBlock, inputs: [x], A: [[-1, 0], [0, -1]], B: [[1], [1]], C: [[1, 1]]}
  other: {type: StateSpaceBlock, inputs: [x], A: [[-1, 0], [0, -1]], B: [[1], [1]], C: [[1, 1]], initial: [1, 2]}
"""


def test_every_state_with_a_field_for_its_initial_value_has_a_knob(tmp_path: Path) -> None:
    desk = Desk(tmp_path, STATES)
    desk.tell("hello", file="model.yaml")
    knobs = {name: knob for name, knob in knobs_of(desk).items() if not name.startswith("x")}
    states = gs.formulate(gs.Model.load(desk.file)).state_names
    assert tuple(knobs) == states
    for number, (name, knob) in enumerate(knobs.items()):
        text = changed(STATES, knob, 0.7)
        sent = desk.tell("text", text=text, id=number + 1)
        assert [m.type for m in sent if m.type in ("model", "failure")] == [], "no new equations"
        assert desk.session._overrides.initial == {name: 0.7}
        (tmp_path / "changed.yaml").write_text(text, encoding="utf-8")
        model = gs.Model.load(tmp_path / "changed.yaml")
        states_of_file = [one for one in model.components.values() if one.file_section == "states"]
        begins = {one.name: one.initial.number for state in states_of_file for one in state.state_variables}
        assert begins[name] == 0.7


def test_the_past_of_a_delay_is_part_of_the_equations(tmp_path: Path) -> None:
    past = STATES.replace("  valve:", "  late: {type: Delay, input: x, delay: 0.1, initial: 0.3}\n  valve:")
    desk = Desk(tmp_path, past)
    desk.tell("hello", file="model.yaml")
    sent = desk.tell("text", text=past.replace("initial: 0.3", "initial: 0.4"), id=1)
    assert [m.type for m in sent if m.type in ("model", "failure")] == ["model"]
    motion = desk.session._trajectory
    assert motion is not None
    assert motion["late"].values[0] == pytest.approx(0.4)


def test_a_further_initial_value_needs_no_new_formulation_and_a_lost_one_does(desk: Desk) -> None:
    text = TEXT.replace("initial: 0.8}", "initial: {angle: 0.8, rate: 2}}")
    assert text != TEXT
    assert [m.type for m in desk.tell("text", text=text, id=1) if m.type in ("model", "motion")] == ["motion"]
    assert desk.session._trajectory is not None
    assert desk.session._trajectory["a1.rate"].values[0] == pytest.approx(2.0)
    lost = TEXT.replace(", initial: 0.8}", "}")
    assert lost != TEXT
    assert [m.type for m in desk.tell("text", text=lost, id=2) if m.type in ("model", "motion")] == ["model", "motion"]
    assert desk.session._trajectory["a1"].values[0] == pytest.approx(0.0)


def _labels(joint: gs.Joint) -> list[str]:
    return [*(c.label for c in joint.coordinates), *joint.speed_labels]


def test_a_number_in_degrees_stays_in_degrees(tmp_path: Path) -> None:
    desk = Desk(tmp_path, (EXAMPLES / "four_bar.yaml").read_text(encoding="utf-8"))
    desk.tell("hello", file="model.yaml")
    knob = knobs_of(desk)["start"]
    assert "start: {value: 55*deg, unit" in changed(desk.file.read_text(encoding="utf-8"), knob, np.deg2rad(55))


def test_numbers_in_the_text_need_no_new_formulation(desk: Desk) -> None:
    desk.tell("text", text=TEXT.replace("l1: {value: 1,", "l1: {value: 1.5,"), id=3)
    assert "model" not in [m.type for m in desk.sent]
    by_text = desk.only("motion").arrays["positions"]
    desk.tell("text", text=TEXT, id=4)
    desk.tell("set", kind="parameter", name="l1", value=1.5, id=5)
    np.testing.assert_array_equal(by_text, desk.only("motion").arrays["positions"])
    desk.tell("text", text=TEXT, id=6)
    assert not np.allclose(by_text, desk.only("motion").arrays["positions"]), "the text is newer than the move"


def test_a_move_after_the_text_was_sent_is_kept(desk: Desk) -> None:
    desk.session.handle({"type": "text", "text": TEXT, "id": 7})
    desk.tell("set", kind="parameter", name="l1", value=1.5, id=8)
    last = [m for m in desk.sent if m.type == "motion"][-1]
    assert "1.5" in str(last.values["header"]["bodies"][0]["shapes"])


def test_a_text_that_changes_nothing_sends_no_motion_again(desk: Desk) -> None:
    knob = knobs_of(desk)["g"]
    desk.tell("set", kind="parameter", name="g", value=9.7, id=3)
    quick = desk.only("motion")
    assert not quick.values["fresh"], "the view stays while a slider moves"
    desk.tell("text", text=changed(TEXT, knob, 9.7), id=4)
    assert desk.only("kept").values == {"id": 4}
    assert not [message for message in desk.sent if message.type == "motion"]
    desk.tell("mode", number=None, id=5)
    assert desk.only("motion").values["id"] == 5, "the page draws a motion again after a mode"


def test_a_motion_that_outgrows_its_picture_is_framed_anew(desk: Desk) -> None:
    knob = knobs_of(desk)["l1"]
    desk.tell("set", kind="parameter", name="l1", value=3.0, id=3)
    before = desk.only("motion").values["header"]["size"]
    desk.tell("text", text=changed(TEXT, knob, 3.0), id=4)
    motion = desk.only("motion")
    assert motion.values["fresh"]
    assert motion.values["header"]["size"] > 1.5 * before


def test_a_change_of_structure_formulates_anew(desk: Desk) -> None:
    desk.tell("text", text=TEXT.replace("parent: bar1.tip", "parent: ground"), id=3)
    assert desk.only("model").values["bodies"] == ["bar1", "bar2"]
    assert desk.only("motion").values["fresh"]


def test_a_fault_is_told_at_its_place_and_the_last_good_model_stays(desk: Desk) -> None:
    desk.tell("text", text=TEXT.replace("type: Revolute, parent: ground", "type: Revolut, parent: ground"), id=3)
    (fault,) = desk.only("faults").values["faults"]
    line = TEXT.split("\n").index(next(line for line in TEXT.split("\n") if line.startswith("  a1:"))) + 1
    assert (fault["line"], fault["column"]) == (line, 14)
    assert "'Revolut' is not" in fault["text"]
    assert "motion" not in [m.type for m in desk.sent]
    desk.tell("set", kind="parameter", name="l1", value=1.5, id=4)
    assert desk.only("motion")
    desk.tell("text", text=TEXT, id=5)
    assert desk.only("faults").values["faults"] == []


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("", "the file is empty"),
        ("gyrostat: 1\nname: x\njoints: {a: {type: [}", "this is not YAML"),
        ("- 1\n- 2\n", "does not hold a mapping"),
        ("gyrostat: 1\nname: x\nbodies: {b: {mass: __import__('os').system('x')}}", "b"),
    ],
)
def test_texts_that_are_no_models_are_told(desk: Desk, text: str, fact: str) -> None:
    desk.tell("text", text=text, id=3)
    assert fact in str(desk.only("faults").values["faults"])


def test_a_run_that_fails_halfway_shows_what_it_has_and_says_why(tmp_path: Path) -> None:
    text = TEXT.replace("type: Actuator, joint: a1", "type: Torque, body: bar1, components: [0, 0, sqrt(1 - t)]")
    desk = Desk(tmp_path, text)
    desk.tell("hello", file="model.yaml")
    motion = desk.only("motion")
    assert motion.values["failure"].startswith("The simulation ended at t = ")
    assert 0 < motion.arrays["times"][-1] <= 1.001


def test_a_mechanism_that_cannot_be_assembled_is_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path, (EXAMPLES / "four_bar.yaml").read_text(encoding="utf-8"))
    desk.tell("hello", file="model.yaml")
    desk.tell("set", kind="parameter", name="d", value=3.0, id=1)
    assert desk.only("failure").values["topic"] == "motion"
    assert len(desk.only("failure").values["text"]) > 30
    desk.tell("set", kind="parameter", name="d", value=0.11, id=2)
    assert desk.only("motion").values["failure"] == ""


def test_a_slow_model_gets_a_duration_that_can_be_followed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, (EXAMPLES / "andrews_squeezer.yaml").read_text(encoding="utf-8"))
    desk.tell("hello", file="model.yaml")
    assert 0 < desk.only("motion").values["duration"] < 5
    desk.tell("duration", seconds=0.03, id=1)
    assert desk.only("motion").arrays["times"][-1] == pytest.approx(0.03)
    desk.tell("duration", seconds=-1, id=2)
    assert "positive number of seconds" in desk.only("notice").values["text"]


@pytest.mark.parametrize("tab", ["topology", "equations", "methods", "modes", "linear", "results"])
def test_each_tab_has_contents_that_follow_the_numbers(desk: Desk, tab: str) -> None:
    first = desk.only("tab", desk.tell("tab", tab=tab))
    assert first.values["tab"] == tab
    assert "failure" not in first.values
    second = desk.only("tab", desk.tell("set", kind="parameter", name="m2", value=2.5, id=1))
    if tab not in ("topology", "methods"):
        assert first.encoded() != second.encoded()


def test_responses_have_the_units_of_their_outputs_and_inputs(desk: Desk) -> None:
    desk.tell("tab", tab="linear", choices={"outputs": ["a1", "a2.rate"]})
    told = desk.only("tab").values
    assert told["units"] == ["rad", "rad/s"]
    assert told["ratios"] == ["rad/(N·m)", "rad/s/(N·m)"]


def test_equations_that_are_too_long_are_derived_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    refused: list[object] = []

    def refuse(equations: object, write: object) -> list[tuple[str, str]]:
        refused.append(equations)
        raise gs.SizeError("'pendulum', forcing: too many terms.")

    monkeypatch.setattr(tabs, "equation_lines", refuse)
    shown = [desk.only("tab", desk.tell("tab", tab=tab)).values["note"] for tab in ("equations", "methods")]
    assert shown[0] == "'pendulum', forcing: too many terms. Here is the recursive form."
    assert shown[1] == "Quantities are shown in numbers, at the start of the motion."
    desk.only("tab", desk.tell("set", kind="parameter", name="m2", value=2.5, id=1))
    assert len(refused) == 1


def test_modes_are_those_of_the_changed_system_and_move(desk: Desk) -> None:
    desk.tell("set", kind="parameter", name="g", value=1.62, id=1)
    modes = desk.only("tab", desk.tell("tab", tab="modes")).values["modes"]
    system = gs.formulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"))
    changed = {"g": 1.62}
    linear = gs.linearize(system, at=gs.equilibrium(system, parameters=changed))
    assert [mode["frequency"] for mode in modes] == pytest.approx(list(linear.modes().frequencies))
    mode = desk.only("mode", desk.tell("mode", number=0))
    assert np.ptp(mode.arrays["positions"][:, 1], axis=0).max() > 0.05
    np.testing.assert_allclose(mode.arrays["positions"][0], mode.arrays["positions"][-1], atol=1e-5)


def test_the_hand_pulls_a_body_to_the_pointer(desk: Desk) -> None:
    desk.tell("drive", on=True)
    target = np.array([0.9, -0.6, 0.0])
    start = desk.only("live").arrays["positions"][0, 1]
    desk.tell("hand", action="grab", body="bar2", point=[0, 0, 0], target=target.tolist())
    for _ in range(150):
        desk.sent.clear()
        desk.session.work()
    live = desk.only("live")
    assert live.values["time"] == pytest.approx(152 / 30, abs=0.01)
    reached = live.arrays["positions"][0, 1]
    assert np.linalg.norm(reached - target) < 0.5 * np.linalg.norm(start - target)
    desk.tell("hand", action="release")
    desk.tell("hand", action="input", name="motor", value=3.0)
    desk.tell("drive", on=False)
    assert desk.only("motion")
    assert "There is no body" in desk.only("notice", _refused(desk)).values["text"]


def _refused(desk: Desk) -> list[StudioMessage]:
    desk.tell("drive", on=True)
    return desk.tell("hand", action="grab", body="nobody", point=[0, 0, 0], target=[0, 0, 0])


def test_a_push_is_the_load_of_an_actuator(desk: Desk) -> None:
    desk.tell("drive", on=True)
    (push,) = desk.only("driving").values["pushes"]
    assert (push["joint"], push["unit"]) == ("a2", "N·m")
    free = desk.only("live").values["state"]["a2.rate"]
    desk.tell("drive", on=False)
    desk.tell("drive", on=True)
    desk.tell("hand", action="input", name=push["name"], value=5.0)
    pushed = desk.only("live").values["state"]["a2.rate"]
    assert abs(pushed - 2 * free) > 0.3


def test_saving_keeps_comments_line_ends_and_asks_before_it_replaces(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.file.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    desk.tell("hello", file="model.yaml")
    new = desk.only("opened").values["text"].replace("l1: {value: 1,", "l1: {value: 1.25,")
    assert "\r" not in new
    desk.tell("save", name="model.yaml", text=new)
    assert desk.only("saved")
    written = desk.file.read_bytes()
    assert (
        written == b"\xef\xbb\xbf" + TEXT.replace("l1: {value: 1,", "l1: {value: 1.25,").replace("\n", "\r\n").encode()
    )
    desk.file.write_text("# another program was here\n")
    assert (
        "changed by another program"
        in desk.only("notice", desk.tell("save", name="model.yaml", text=new)).values["text"]
    )
    assert desk.file.read_text() == "# another program was here\n"
    desk.tell("save", name="model.yaml", text=new, replace=True)
    assert desk.only("saved")


def test_a_file_that_vanishes_is_told_and_saved_again_on_request(desk: Desk) -> None:
    desk.file.unlink()
    assert "no longer in the folder" in desk.only("file", desk.tell("file")).values["text"]
    assert "not in the folder any more" in desk.only("notice", desk.tell("open", file="model.yaml")).values["text"]
    desk.tell("save", name="model.yaml", text=TEXT)
    assert desk.file.read_text(encoding="utf-8") == TEXT


@pytest.mark.parametrize(
    "name", ["../other.yaml", "/nowhere/passwd.yaml", "a/../../other.yaml", "notes.txt", "", "\0.yaml"]
)
def test_names_outside_the_folder_are_refused(desk: Desk, name: str) -> None:
    before = sorted(path.name for path in desk.file.parent.parent.rglob("*"))
    for kind in ("open", "save"):
        notice = [m for m in desk.tell(kind, file=name or " ", name=name or " ", text="x") if m.type == "notice"]
        assert notice, kind
    assert sorted(path.name for path in desk.file.parent.parent.rglob("*")) == before


def test_links_that_lead_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.yaml").write_text(TEXT)
    desk = Desk(tmp_path / "inside")
    (tmp_path / "inside" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    assert "leads out of the folder" in desk.only("notice", desk.tell("open", file="link.yaml")).values["text"]


def test_files_that_a_text_names_must_lie_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "table.csv").write_text("t,x\n0,0\n1,1\n")
    desk = Desk(tmp_path / "inside")
    desk.tell("hello", file="model.yaml")
    for path in ("../table.csv", str(tmp_path / "table.csv")):
        law = f"inputs:\n  F: {{law: {{table: {path!r}, time: t, value: x}}}}\n"
        desk.tell("text", text=TEXT + law, id=4)
        assert "leads out of the folder" in str(desk.only("faults").values["faults"])
    (tmp_path / "inside" / "table.csv").write_text("t,x\n0,0\n1,1\n")
    desk.tell("text", text=TEXT + "inputs:\n  F: {law: {table: table.csv, time: t, value: x}}\n", id=5)
    assert desk.only("faults").values["faults"] == []


def test_nothing_is_written_unless_asked(desk: Desk) -> None:
    before = {path: path.read_bytes() for path in desk.file.parent.iterdir()}
    desk.tell("set", kind="parameter", name="l1", value=1.5, id=1)
    desk.tell("text", text=TEXT.replace("l1: {value: 1,", "l1: {value: 3,"), id=2)
    desk.tell("tab", tab="equations")
    assert {path: path.read_bytes() for path in desk.file.parent.iterdir()} == before


@pytest.mark.parametrize(
    ("kind", "begin"),
    [("animation", b"<!doctype html>"), ("table", b"time"), ("topology", b"<svg")],
)
def test_exports_are_files_in_memory(desk: Desk, kind: str, begin: bytes) -> None:
    message = desk.only("export", desk.tell("export", kind=kind))
    assert message.arrays["data"].tobytes().startswith(begin)
    assert message.values["name"].startswith("double_pendulum")


def test_a_report_has_the_present_numbers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def report(system: gs.System, path: Path, *, duration: float, walks: bool) -> None:
        path.write_text(f"{system.model.values()['g']} {duration} {walks}")

    monkeypatch.setattr(exports, "report", report)
    desk.tell("text", text=TEXT.replace("9.81", "1.62"), id=1)
    message = desk.only("export", desk.tell("export", kind="report"))
    assert message.arrays["data"].tobytes() == b"1.62 10.0 True"
    assert message.values["name"] == "double_pendulum_of_bars.html"


def test_unreadable_messages_are_told(desk: Desk) -> None:
    for message in (
        {"type": "bogus"},
        {},
        {"type": "set"},
        {"type": "set", "kind": "parameter", "name": "l1", "value": "x", "id": 1},
    ):
        desk.sent.clear()
        desk.session.handle(message)
        assert "cannot be read" in desk.only("notice").values["text"]


def test_a_long_run_can_be_stopped_and_closing_ends_it(tmp_path: Path) -> None:
    (tmp_path / "model.yaml").write_text(
        (EXAMPLES / "andrews_squeezer.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )

    arrived, sent = threading.Condition(), []

    def send(message: StudioMessage) -> None:
        with arrived:
            sent.append(message)
            arrived.notify_all()

    def wait(wanted: Callable[[StudioMessage], Any], seconds: float = 60.0) -> None:
        with arrived:
            assert arrived.wait_for(lambda: any(wanted(m) for m in sent), seconds), [m.type for m in sent]

    session = StudioSession(StudioFolder(tmp_path), send)
    session.handle({"type": "hello", "file": "model.yaml"})
    wait(lambda m: m.type == "motion")
    sent.clear()
    session.handle({"type": "duration", "seconds": 1000, "id": 1})
    wait(lambda m: m.type == "status" and m.values["fraction"] is not None)
    session.handle({"type": "stop"})
    wait(lambda m: m.type == "motion" and "interrupted" in m.values["failure"])
    sent.clear()
    session.handle({"type": "duration", "seconds": 2000, "id": 2})
    wait(lambda m: m.type == "status" and m.values["fraction"] is not None)
    session.close()
    assert session.join(20.0)


def test_initial_values_of_a_loop_follow_the_one_that_was_moved_last(tmp_path: Path) -> None:
    desk = Desk(tmp_path, (EXAMPLES / "four_bar.yaml").read_text(encoding="utf-8"))
    desk.tell("hello", file="model.yaml")
    text = desk.file.read_text(encoding="utf-8")
    knobs = knobs_of(desk)
    assert desk.only("motion").values["yielded"] == {}
    moves = {"hinge_crank": 0.9, "hinge_coupler": -0.4, "hinge_crank.rate": 2.0, "hinge_coupler.rate": -1.0}
    for number, (name, value) in enumerate(moves.items()):
        desk.tell("set", kind="initial", name=name, value=value, id=number + 1)
        motion = desk.only("motion")
        assert motion.values["failure"] == ""
        assert desk.session._trajectory[name].values[0] == pytest.approx(value)
    assert motion.values["yielded"].keys() == {"hinge_crank", "hinge_crank.rate", "hinge_coupler"}
    begins = desk.session._trajectory["hinge_crank"].values[0]
    assert motion.values["yielded"]["hinge_crank"] == pytest.approx(begins)
    for name, value in sorted(moves.items(), key=lambda one: -knobs[one[0]]["start"]):
        text = changed(text, knobs[name], value)
    sent = desk.tell("text", text=text, id=9)
    assert [m.type for m in sent if m.type in ("failure", "model")] == []
    assert desk.session._trajectory["hinge_coupler.rate"].values[0] == pytest.approx(-1.0)
    assert desk.session._trajectory["hinge_crank"].values[0] == pytest.approx(begins), "the text changes nothing"


def test_a_position_that_cannot_be_reached_is_told_at_its_knob(tmp_path: Path) -> None:
    """The motion begins as near as the loops allow, as that of a file with this value does."""
    desk = Desk(tmp_path, (EXAMPLES / "four_bar.yaml").read_text(encoding="utf-8"))
    desk.tell("hello", file="model.yaml")
    desk.tell("set", kind="initial", name="hinge_rocker", value=3.0, id=1)
    motion = desk.only("motion")
    assert motion.values["failure"] == ""
    assert motion.values["yielded"] == {
        "hinge_rocker": pytest.approx(desk.session._trajectory["hinge_rocker"].values[0])
    }
