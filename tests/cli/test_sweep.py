"""gyrostat sweep: ranges, lists, distributions; stores that are resumed; calls that cannot be read."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, main

MODEL = "examples/double_pendulum.yaml"


def run(*arguments, out):
    return CliRunner().invoke(app, ["sweep", MODEL, "--out", str(out), "--workers", "1", *arguments])


def refused(capsys, monkeypatch, out, *arguments):
    """Return the exit code and the paragraph of a call that fails."""
    monkeypatch.setattr("sys.argv", ["gyrostat", "sweep", MODEL, "--out", str(out), *arguments])
    with pytest.raises(SystemExit) as end:
        main()
    return end.value.code, capsys.readouterr().err


def test_a_grid_is_swept_and_resumed(tmp_path):
    out = tmp_path / "s.zarr"
    call = ("--over", "m2=1:10:4", "--over", "a1=30*deg,60*deg", "--duration", "0.5", "--output", "last(a2)")
    first = run(*call, "--plot", "last(a2)", out=out)
    assert first.exit_code == 0, first.output
    assert "over m2 (4), a1 (2): 8 points, 8 done, 0 failed, 0 not run" in first.output
    assert (tmp_path / "s.png").exists()
    found = gs.load_sweep(out)
    assert found.dataset["m2"].values.tolist() == [1, 4, 7, 10]
    one = gs.simulate(gs.Model.load(MODEL), 0.5, parameters={"m2": 4}, initial={"a1": "30*deg"})
    assert found["last(a2)"].values[1, 0] == pytest.approx(one.q[-1, 1], rel=1e-9)
    again = run(*call, "--resume", "--json", out=out)
    assert again.exit_code == 0, again.output
    told = json.loads(again.stdout)
    assert (told["points"], told["done"], told["reused"]) == (8, 8, 8)
    assert "has 8 of 8 points; these are not run again" in again.stderr


def test_samples_stops_and_settings(tmp_path):
    out = tmp_path / "s.zarr"
    result = run(
        *("--over", "l2=uniform(0.8, 1.2)", "--points", "latin:4", "--duration", "2", "--integrator", "rkf45"),
        *("--stop", "low=a1", "--output", "time(low)", "--set", "m1=2", "--initial", "a2=0", "--input", "motor=0.1*t"),
        out=out,
    )
    assert result.exit_code == 0, result.output
    found = gs.load_sweep(out)
    length = float(found.dataset["l2"][2])
    one = gs.simulate(
        gs.Model.load(MODEL), 2, parameters={"m1": 2, "l2": length}, initial={"a2": 0}, inputs={"motor": "0.1*t"},
        events=[gs.Event("low", "a1", action=gs.Stop())], integrator=gs.RKF45(),
    )  # fmt: skip
    assert found["time(low)"].values[2] == pytest.approx(one.events[0].time, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--over", "m2"], 2, "--over 'm2' cannot be read"),
        (["--over", "m2=1:10:x"], 2, "'x' is no count of values"),
        (["--over", "m2=1:10:0"], 2, "'0' is no count of values"),
        (["--over", "m2=a:10:3"], 2, "--over m2: 'a' is no number"),
        (["--over", "m2=1,,2"], 2, "--over m2=1,,2 cannot be read"),
        (["--over", "m2=uniform(2,1)"], 1, "is no distribution"),
        (["--over", "m9=1,2"], 1, "There is no parameter, initial value or input 'm9' to sweep"),
        (["--over", "m2=1", "--points", "dice:3"], 2, "--points 'dice:3' cannot be read"),
        (["--over", "m2=1", "--figure", "a.png"], 2, "Say what to plot"),
        (["--over", "m2=1", "--integrator", "magic"], 2, "There is no integrator 'magic'"),
        (["--over", "m2=1", "--scheduler", "nowhere"], 1, "does not answer"),
    ],
)
def test_bad_calls_end_in_one_paragraph(tmp_path, capsys, monkeypatch, arguments, code, message):
    if "--scheduler" in arguments:
        pytest.importorskip("dask.distributed")
        monkeypatch.setattr("gyrostat.analysis.sweeps.cluster._TIMEOUT", 0.3)
    found, told = refused(capsys, monkeypatch, tmp_path / "s.zarr", *arguments)
    assert message in told
    assert found == code


def test_a_budget_limits_each_point(tmp_path):
    result = run("--over", "m2=1,2", "--duration", "5", "--most-steps", "7", out=tmp_path / "s.zarr")
    assert result.exit_code == 0
    assert "the budget of 7 steps is exhausted" in gs.load_sweep(tmp_path / "s.zarr").failures[1].reason


def test_a_sweep_that_is_interrupted_ends_with_code_1(tmp_path, monkeypatch):
    from gyrostat.analysis.sweeps import progress

    def interrupt(self, done, failed):
        raise KeyboardInterrupt

    monkeypatch.setattr(progress.ProgressTeller, "add", interrupt)
    result = run("--over", "m2=1:10:40", "--duration", "0.1", out=tmp_path / "s.zarr")
    assert result.exit_code == 1
    assert "was interrupted; " in result.stderr
    assert np.isnan(gs.load_sweep(tmp_path / "s.zarr")["last(a1)"].values).any()
