"""The command line: output and exit codes."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, main
from gyrostat.model.documents import read_document

SOUND = """\
gyrostat: 1
name: four-bar
gravity: [0, -9.81, 0]
parameters: {m: 1, unused: 2}
bodies:
  crank: &bar {properties: {rod: {mass: m, length: 1, along: x}}}
  coupler: *bar
  rocker: *bar
joints:
  a: {type: Revolute, parent: ground, child: crank}
  b: {type: Revolute, parent: crank, child: coupler}
  c: {type: Revolute, parent: coupler, child: rocker}
  d: {type: Revolute, parent: ground, child: rocker}
"""
FAULTY = """\
gyrostat: 1
name: faulty
parameters: {m: "1/0", k: q}
bodies:
  b1: {mass: -1, colour: red}
  b2: {mass: 1}
  b2: {mass: 2}
joints:
  a: {type: Revolute, parent: ground, child: b9, axis: [0, 0, 0]}
  w: {type: Weld, parent: ground, child: ground}
"""


@pytest.fixture
def file(tmp_path):
    def write(text=SOUND, name="model.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def run(*arguments, **options):
    """Run the command in this process."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], **options)


def shell(*arguments, **environment):
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "gyrostat", *map(str, arguments)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "error", "PYTHONIOENCODING": "utf-8", "COLUMNS": "120", **environment},
    )


# --- check ----------------------------------------------------------------------------------------------------------


def test_check_of_a_sound_model(file):
    result = run("check", file())
    assert result.exit_code == 0
    first, *notes = result.stdout.splitlines()
    assert first == "Model 'four-bar': 3 bodies, 4 joints, 0 forces, 2 parameters. No faults found."
    assert notes[0] == "Note: not used: unused."
    assert notes[-1] == "Note: The mechanism has 3 degrees of freedom."  # all its joints are at one point
    assert result.stderr == ""


def test_check_of_a_sound_model_for_machines(file):
    path = file()
    result = run("check", path, "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    notes = found.pop("notes")
    summary = "Model 'four-bar': 3 bodies, 4 joints, 0 forces, 2 parameters"
    assert found == {"file": path, "faults": [], "summary": summary}
    assert (notes[0], notes[-1]) == ("not used: unused.", "The mechanism has 3 degrees of freedom.")


def test_check_names_all_faults_at_once(file):
    path = file(FAULTY)
    result = run("check", path)
    assert result.exit_code == 1
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert lines[0] == f"{path}: 7 faults"
    assert [line.strip().partition(": ")[0] for line in lines[1:]] == [
        "line 7, column 3",
        "line 5, column 26",
        "line 9, column 56",
        "line 3, column 27",
        "line 3, column 17",
        "line 10, column 42",
        "line 6, column 7",
    ]


def test_check_names_all_faults_for_machines(file):
    path = file(FAULTY)
    result = run("check", path, "--json")
    assert result.exit_code == 1
    printed = json.loads(result.stdout)
    assert printed["file"] == path
    assert len(printed["faults"]) == 7
    assert all(fault["fact"] and fault["remedy"] and fault["line"] and fault["column"] for fault in printed["faults"])
    assert printed["faults"][2] == {
        "item": "joint 'a'",
        "path": ["axis"],
        "fact": "the axis is zero.",
        "remedy": "Give a direction, as in 'z' or (0, 0, 1).",
        "line": 9,
        "column": 56,
    }


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize(
    ("name", "text", "fact"),
    [
        ("missing.yaml", None, "there is no such file."),
        ("model.txt", SOUND, "the suffix '.txt' is not that of a model file."),
        ("broken.yaml", "a: [", "this is not YAML"),
        ("broken.json", "{", "this is not JSON"),
        ("empty.yaml", "", "the file is empty."),
        ("newer.yaml", "gyrostat: 2", "the file has format 2; this version reads 1."),
    ],
)
def test_check_of_what_cannot_be_read(file, tmp_path, name, text, fact, as_json):
    path = tmp_path / name if text is None else file(text, name)
    result = run("check", path, *(["--json"] if as_json else []))
    assert result.exit_code == 2
    if as_json:
        [fault] = json.loads(result.stdout)["faults"]
        assert fact in fault["fact"]
    else:
        assert result.stderr.startswith(f"{path}: 1 fault\n")
        assert fact in result.stderr


# --- schema ---------------------------------------------------------------------------------------------------------


def test_schema(file):
    result = run("schema")
    assert result.exit_code == 0
    schema = json.loads(result.stdout)
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(read_document(file()).data)


# --- topology -------------------------------------------------------------------------------------------------------


def test_topology(file):
    path = file()
    result = run("topology", path)
    assert result.exit_code == 0
    assert result.stdout == f"{gs.Topology.of(gs.Model.load(path))}\n"
    assert "Loop closed by d: d, −c, −b, −a" in result.stdout


def test_topology_with_chosen_chords_for_machines(file):
    result = run("topology", file(), "--cut", "b", "--json")
    assert json.loads(result.stdout) == {
        "arcs": ["a", "c", "d"],
        "chords": ["b"],
        "loops": {"b": [["b", 1], ["c", 1], ["d", -1], ["a", 1]]},
        "mobility": {"spatial": -2, "planar": 1},
    }


def test_topology_opens_subsystems(tmp_path):
    part = gs.Model("part")
    part.add(gs.Body("bar", mass=1, inertia=(1, 1, 1)))
    part.add(gs.Revolute("a", "ground", "bar"))
    model = gs.Model("whole")
    model.add(gs.Subsystem("left", part))
    model.save(tmp_path / "m.yaml")
    picture = tmp_path / "graph.svg"
    for options, vertex in (((), "left"), (("--open", "left"), "left.bar")):
        assert run("topology", tmp_path / "m.yaml", "--draw", picture, *options).exit_code == 0
        assert f'data-name="{vertex}"' in picture.read_text()


def test_topology_draws(file, tmp_path):
    picture = tmp_path / "graph.svg"
    assert run("topology", file(), "--draw", picture).exit_code == 0
    assert ET.parse(picture).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--cut", "x"], 1, "gyrostat: cut: there are no edges 'x'."),
        (["--cut", "a", "--cut", "d"], 1, "gyrostat: cut: without the edges 'a', 'd' the vertices"),
        (["--draw", "none/none/graph.svg"], 1, "gyrostat: "),
    ],
)
def test_topology_that_fails(file, monkeypatch, capsys, arguments, code, message):
    monkeypatch.setattr(sys, "argv", ["gyrostat", "topology", file(), *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(message)
    assert "Traceback" not in printed.err


def test_topology_of_faulty_and_missing_files(file, monkeypatch, capsys):
    for path, code in {file(FAULTY): 1, "missing.yaml": 2}.items():
        monkeypatch.setattr(sys, "argv", ["gyrostat", "topology", path])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == code
        assert capsys.readouterr().err.startswith(f"gyrostat: {path} ")


# --- the command itself ---------------------------------------------------------------------------------------------


def test_version_and_help():
    assert run("--version").stdout == f"gyrostat {gs.__version__}\n"
    for arguments in ([], ["--help"]):
        shown = run(*arguments)
        assert all(command in shown.output for command in ("check", "schema", "topology"))
    assert "FILE" in run("check", "--help").output


@pytest.mark.parametrize("arguments", [["chekc"], ["check"], ["check", "a.yaml", "b.yaml"], ["--wrong"]])
def test_calls_that_cannot_be_read(arguments):
    assert run(*arguments).exit_code == 2


def test_in_a_process_of_its_own(file, tmp_path):
    sound, faulty = file(), file(FAULTY, "faulty.yaml")
    assert shell("--version").stdout == f"gyrostat {gs.__version__}\n"
    checked = shell("check", sound)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.startswith("Model 'four-bar'")
    found = shell("check", faulty)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr.startswith(f"{faulty}: 7 faults\n")
    missing = shell("topology", tmp_path / "missing.yaml")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr.startswith(f"gyrostat: {tmp_path / 'missing.yaml'} cannot be read:\n")
    assert shell("chekc").returncode == 2


def test_a_terminal_without_special_signs(file):
    """A sign that a terminal does not have is escaped; it does not end in a traceback."""
    result = shell("topology", file(), PYTHONIOENCODING="latin-1")
    assert result.returncode == 0
    assert "Loop closed by d: d, \\u2212c" in result.stdout
    assert result.stderr == ""


def test_strange_names_can_be_printed(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"gyrostat": 1, "name": "x", "a\\ud800\\u202e": 1}', encoding="utf-8")
    for options in ([], ["--json"]):
        result = shell("check", path, *options)
        assert result.returncode == 1
        assert "\\ud800" in result.stdout + result.stderr
        assert "\u202e" not in result.stderr
        assert "Traceback" not in result.stderr
