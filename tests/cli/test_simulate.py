"""gyrostat simulate: options, files, JSON, exit codes, and calls that cannot be done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.analysis.simulation import simulate as simulation
from gyrostat.cli import app, main

EXAMPLES = Path(__file__).parents[2] / "examples"
PENDULUM = EXAMPLES / "double_pendulum.yaml"


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["simulate", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def as_json(*arguments: object, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(PENDULUM, *arguments, "--json", code=code), parse_constant=_no_constants)
    return found


def _no_constants(text: str) -> None:
    raise AssertionError(f"{text} is not JSON")


Failing = Callable[..., tuple[int, str]]


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Failing:
    """Gives exit code and message of a call that ends in an error, before anything is computed."""

    def call(*arguments: object) -> tuple[int, str]:
        def refuse(*_: object, **__: object) -> None:
            raise AssertionError("the simulation has begun")

        monkeypatch.setattr(simulation, "integrate", refuse)
        monkeypatch.setattr(sys, "argv", ["gyrostat", "simulate", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert printed.out == ""
        assert "Traceback" not in printed.err
        return int(end.value.code or 0), printed.err

    return call


def expected(**settings: Any) -> gs.Trajectory:
    return gs.simulate(gs.Model.load(PENDULUM), **settings)


# --- what it does -----------------------------------------------------------------------------------------------------


def test_a_summary_is_printed() -> None:
    shown = run(PENDULUM, "--duration", 0.5, "--step", 0.1).splitlines()
    right = str(expected(duration=0.5, step=0.1)).splitlines()
    assert shown[0] == right[0] == "Trajectory of 'double pendulum of bars': t = 0 … 0.5 s, 6 outputs, DOP853"
    assert shown[1] == "  completed, t = 0.5 s"
    assert shown[3:] == right[3:]


@pytest.mark.parametrize(
    ("arguments", "settings"),
    [
        ([], {}),
        (["--set", "m2=3", "--set", "l2 = l1/2"], {"parameters": {"m2": 3, "l2": "l1/2"}}),
        (["--initial", "a1=30*deg", "--initial", "a2.rate=-0.1"], {"initial": {"a1": "30*deg", "a2.rate": -0.1}}),
        (["--input", "motor=sin(t) - 0.1*a1.rate"], {"inputs": {"motor": "sin(t) - 0.1*a1.rate"}}),
        (["--input", "motor=3"], {"inputs": {"motor": 3}}),
        (["--tolerance", "1e-5"], {"integrator": gs.DOP853(rtol=1e-5, atol=1e-5 / 10)}),
        (["--integrator", "RKF45", "--tolerance", "1e-5"], {"integrator": gs.RKF45(rtol=1e-5, atol=1e-5 / 10)}),
        (["--integrator", "rk4", "--integrator-step", "0.01"], {"integrator": gs.RK4(step=0.01)}),
        (["--integrator", "cvode"], {"integrator": gs.CVODE()}),
        (["--integrator", "rodas5p", "--tolerance", "1e-6"], {"integrator": gs.Rodas5P(rtol=1e-6, atol=1e-6 / 10)}),
        (["--integrator-step", "0.01"], {"integrator": gs.DOP853(step=0.01)}),
    ],
)
def test_options_reach_the_simulation(arguments: list[str], settings: dict[str, Any]) -> None:
    found = as_json("--duration", 0.5, *arguments)
    right = expected(duration=0.5, **settings)
    assert found["state"] == right.state
    assert found["status"]["steps"] == right.status.steps


def test_a_budget_ends_the_run_with_code_1(tmp_path: Path) -> None:
    found = as_json("--duration", 5, "--most-steps", 7, code=1)
    assert found["status"]["outcome"] == "budget_exhausted"
    assert found["status"]["steps"] == 7
    assert "Give a larger one (most_steps=…)" in found["status"]["message"]
    assert as_json("--duration", 0.1, "--most-seconds", 60)["status"]["success"]


def test_json_tells_all(tmp_path: Path) -> None:
    out = tmp_path / "run.nc"
    found = as_json("--duration", 0.5, "--step", 0.1, "--out", out, "--output", "bar2.tip", "--output", "bar1.omega.z")
    right = expected(duration=0.5, step=0.1)
    assert list(found) == ["model", "status", "outputs", "state", "values", "events", "file", "csv"]
    assert found["model"] == "double pendulum of bars"
    assert found["status"] | {"seconds": 0} == {
        "outcome": "completed",
        "success": True,
        "time": 0.5,
        "message": "",
        "notes": [],
        "steps": right.status.steps,
        "rejected": right.status.rejected,
        "evaluations": right.status.evaluations,
        "seconds": 0,
    }
    assert found["outputs"] == 6
    assert found["values"] == {
        "bar2.tip": right["bar2.tip"].values[-1].tolist(),
        "bar1.omega.z": right["bar1.omega.z"].values[-1],
    }
    assert (found["events"], found["file"], found["csv"]) == ([], str(out), None)


def test_files_are_written(tmp_path: Path) -> None:
    out, csv = tmp_path / "run.nc", tmp_path / "run.csv"
    shown = run(PENDULUM, "--duration", 0.5, "--step", 0.1, "--out", out, "--csv", csv)
    assert shown.endswith(f"\nWritten: {out}\nWritten: {csv}\n")
    right = expected(duration=0.5, step=0.1)
    np.testing.assert_array_equal(gs.load(out).rows, right.rows)
    first, *rows = csv.read_text(encoding="utf-8").splitlines()
    assert first == "time,a1,a2,a1.rate,a2.rate,motor"
    np.testing.assert_array_equal(
        np.array([row.split(",") for row in rows], dtype=float),
        np.column_stack((right.time, right.q, right.u, right.inputs)),
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.csv", "run.nc"]


def test_outputs_go_to_the_files(tmp_path: Path) -> None:
    out, csv = tmp_path / "run.nc", tmp_path / "run.csv"
    names = ["--output", "bar2.tip", "--output", "a1.acc", "--output", "a1.acc"]
    run(PENDULUM, "--duration", 0.5, "--step", 0.1, "--out", out, "--csv", csv, *names)
    assert csv.read_text(encoding="utf-8").splitlines()[0] == "time,bar2.tip.x,bar2.tip.y,bar2.tip.z,a1.acc"
    with xarray.open_dataset(out) as data:
        np.testing.assert_array_equal(data["bar2.tip"], expected(duration=0.5, step=0.1)["bar2.tip"])
        assert {"a1", "a1.acc", "motor"} <= set(data.variables)


def test_files_are_replaced_by_force(tmp_path: Path) -> None:
    out, csv = tmp_path / "run.nc", tmp_path / "run.csv"
    out.write_text("old")
    csv.write_text("old")
    run(PENDULUM, "--duration", 0.1, "--out", out, "--csv", csv, "--force")
    assert gs.load(out).time[-1] == 0.1
    assert csv.read_text(encoding="utf-8").startswith("time,")


# --- runs that fail ---------------------------------------------------------------------------------------------------

BLOWS_UP = ["--duration", "2", "--input", "motor=1e3*a1.rate**3", "--initial", "a1.rate=1"]


def test_what_a_failing_run_reached_is_written(tmp_path: Path) -> None:
    out = tmp_path / "run.nc"
    result = CliRunner().invoke(app, ["simulate", str(PENDULUM), *BLOWS_UP, "--out", str(out)])
    assert result.exit_code == 1
    again = gs.load(out)
    assert not again.status.success
    assert 0 < again.time[-1] < 2
    assert f"Written: {out}" in result.stdout
    (paragraph,) = result.stderr.splitlines()
    assert paragraph.startswith("gyrostat: The simulation of 'double pendulum of bars' ended at t = ")


def test_a_failing_run_in_json() -> None:
    found = as_json(*BLOWS_UP, code=1)
    assert found["status"]["success"] is False
    assert found["status"]["message"]
    assert found["status"]["time"] < 2


def test_outputs_without_value_do_not_keep_a_failed_run_from_being_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, original = tmp_path / "run.nc", gs.Trajectory.__getitem__

    def partly(self: gs.Trajectory, name: str) -> xarray.DataArray:
        if name == "a1.acc":
            raise gs.StateError("it is not finite.")
        return original(self, name)

    monkeypatch.setattr(gs.Trajectory, "__getitem__", partly)
    call = ["simulate", str(PENDULUM), *BLOWS_UP, "--out", str(out), "--output", "a1.acc", "--output", "bar1.tip"]
    result = CliRunner().invoke(app, call, catch_exceptions=False)
    assert result.exit_code == 1
    assert "gyrostat: Output 'a1.acc' is left out: it is not finite.\n" in result.stderr
    with xarray.open_dataset(out) as data:
        assert "bar1.tip" in data
        assert "a1.acc" not in data


def test_numbers_that_json_does_not_have_are_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gs.Trajectory, "state", {"a1": float("nan"), "a2": float("inf"), "a1.rate": 1.0})
    assert as_json("--duration", 0.1)["state"] == {"a1": None, "a2": None, "a1.rate": 1.0}


def test_an_interrupted_run_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gyrostat.analysis.simulation import integrate

    def interrupted(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(integrate, "_drive", interrupted)
    found = as_json("--duration", 0.5, "--out", tmp_path / "run.nc", code=1)
    assert found["status"]["outcome"] == "interrupted"
    assert gs.load(tmp_path / "run.nc").status.outcome is gs.Outcome.INTERRUPTED


def test_signs_of_stiffness_are_told_once() -> None:
    call = [
        "simulate",
        str(EXAMPLES / "slider_pendulum.yaml"),
        "--duration",
        "3",
        "--set",
        "c=1e6",
        "--initial",
        "hinge=0.5",
    ]
    result = CliRunner().invoke(app, call, catch_exceptions=False)
    assert result.exit_code == 0
    assert result.output.count("the system is stiff") == 1
    assert result.stderr == ""


# --- calls that cannot be done ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--set", "m2"], 2, "--set 'm2' cannot be read. Write a name and a value, as in --set a1=0.5."),
        (["--set", "=3"], 2, "--set '=3' cannot be read."),
        (["--initial", "a1="], 2, "--initial 'a1=' cannot be read."),
        (["--input", "motor"], 2, "--input 'motor' cannot be read."),
        (["--set", "m2=3", "--set", "m2=4"], 2, "--set gives 'm2' twice: 3 and 4. Keep one of them."),
        (["--set", "m3=3"], 1, "'m3'"),
        (["--set", "m2=3+"], 1, "'3+'"),
        (["--initial", "a3=3"], 1, "There is no coordinate or speed 'a3' for an initial value. Known: a1, a1.rate, a2"),
        (["--initial", "a1=x"], 1, "The initial value of 'a1' uses 'x', which is not a parameter."),
        (["--input", "moter=1"], 1, "There is no input 'moter'. Did you mean 'motor'?"),
        (["--integrator", "rk5"], 2, "There is no integrator 'rk5'. Did you mean 'rk"),
        (["--integrator", "integrator"], 2, "There is no integrator 'integrator'."),
        (["--integrator", "rk4"], 2, "The integrator rk4 has a fixed step. Give it: --integrator-step 1e-3."),
        (
            ["--integrator", "rk4", "--integrator-step", "0.1", "--tolerance", "1e-3"],
            2,
            "--tolerance means nothing to rk4, whose step is fixed. Use --integrator-step.",
        ),
        (
            ["--integrator", "cvode", "--integrator-step", "0.1"],
            2,
            "--integrator-step means nothing to cvode, which chooses its steps. Use --tolerance.",
        ),
        (["--tolerance", "0"], 1, "DOP853(rtol=0.0): the rtol must be a positive number"),
        (["--integrator-step", "-1"], 1, "DOP853(step=-1.0): the step must be a positive number"),
        (["--step", "0"], 1, "The step is 0.0. It must be a positive number of seconds."),
        (["--duration", "-1"], 1, "The duration is -1.0. It must be a positive number of seconds."),
        (["--output", "bar2.tpi"], 1, "There is no output 'bar2.tpi'. Did you mean 'bar2.t"),
        (["--output", "bar2.tip.w"], 1, "There is no output 'bar2.tip.w'."),
        (["--out", "none/run.nc"], 1, "none/run.nc cannot be written: there is no folder"),
        (["--csv", "none/run.csv"], 1, "none/run.csv cannot be written: there is no folder"),
        (["--out", "."], 1, ". is a folder. Give the name of a file."),
        (["--out", "x.nc", "--csv", "./x.nc"], 2, "--out and --csv both name x.nc."),
        (["--out", PENDULUM, "--force"], 2, f"--out {PENDULUM} is the model file itself. Choose another name."),
    ],
)
def test_errors_end_in_one_paragraph(
    failing: Failing,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[object],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    duration = [] if "--duration" in arguments else ["--duration", 1]
    found, shown = failing(PENDULUM, *duration, *arguments)
    assert (found, len(shown.splitlines())) == (code, 1), shown
    assert shown.startswith("gyrostat: ")
    assert message in shown
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--out", "--csv"])
def test_nothing_is_overwritten(failing: Failing, tmp_path: Path, option: str) -> None:
    (tmp_path / "run").write_text("old")
    code, message = failing(PENDULUM, "--duration", 1, option, tmp_path / "run")
    assert code == 1
    assert message == (
        f"gyrostat: {tmp_path / 'run'} exists already. Choose another name, or replace it by force=True (--force).\n"
    )
    assert (tmp_path / "run").read_text() == "old"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([PENDULUM], "--duration"),
        ([PENDULUM, "--duration", "long"], "--duration"),
        (["--duration", "1"], "FILE"),
        ([PENDULUM, "--duration", "1", "--sett", "m2=3"], "--sett"),
    ],
)
def test_calls_that_cannot_be_read(failing: Failing, arguments: list[object], word: str) -> None:
    code, message = failing(*arguments)
    assert code == 2
    assert word in message


def test_files_that_are_no_models(failing: Failing, tmp_path: Path) -> None:
    code, message = failing("missing.yaml", "--duration", 1)
    assert code == 2
    assert message.startswith("gyrostat: missing.yaml cannot be read:")
    (tmp_path / "faulty.yaml").write_text("gyrostat: 1\nname: x\nbodies: {b: {mass: -1}}\n")
    code, message = failing(tmp_path / "faulty.yaml", "--duration", 1)
    assert code == 1
    assert "mass" in message


def test_help_names_every_option() -> None:
    shown = CliRunner().invoke(app, ["simulate", "--help"], env={"COLUMNS": "200"}).stdout
    for option in ("duration", "step", "set", "initial", "input", "integrator", "tolerance", "out", "csv", "force"):
        assert f"--{option}" in shown
