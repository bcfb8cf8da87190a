"""gyrostat linearize and gyrostat optimize."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gyrostat.cli import app, main

EXAMPLES = Path(__file__).parents[2] / "examples"
PENDULUM = EXAMPLES / "double_pendulum.yaml"


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code
    return result.stdout


def failing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Return exit code and message of a call that ends in an error."""
    monkeypatch.setattr(sys, "argv", ["gyrostat", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0), capsys.readouterr().err


def test_modes_and_sensitivities() -> None:
    shown = run("linearize", PENDULUM, "--at", "equilibrium", "--modes", "--sensitivity", "m2,l2")
    assert "Linear model of 'double pendulum of bars' about equilibrium" in shown
    assert "Sensitivity of mode 0" in shown
    assert "  l2 " in shown


def test_matrices_without_modes() -> None:
    shown = run("linearize", PENDULUM, "--at", "a1=0", "--at", "a2=0")
    assert "mass:" in shown
    assert "stiffness:" in shown


def test_json_has_everything(tmp_path: Path) -> None:
    target = tmp_path / "matrices.mat"
    arguments = ("linearize", PENDULUM, "--json", "--sensitivity", "g", "--output", "a1", "--matlab", target)
    found = json.loads(run(*arguments))
    assert found["point"]["kind"] == "equilibrium"
    assert found["states"] == ["a1", "a2", "a1.rate", "a2.rate"]
    for number, mode in enumerate(found["modes"]):
        slope = found["sensitivity"][str(number)]["g"]["frequency"]
        assert slope * 9.81 / mode["frequency"] == pytest.approx(0.5, abs=1e-9)  # frequencies go with √g
    assert target.exists()


def test_a_choice_of_coordinates() -> None:
    joint, branch = (
        [
            mode["frequency"]
            for mode in json.loads(run("linearize", PENDULUM, "--json", "--coordinates", choice))["modes"]
        ]
        for choice in ("joint", "branch")
    )
    assert joint == pytest.approx(branch, rel=1e-10)


def test_optimize() -> None:
    arguments = (
        "optimize",
        PENDULUM,
        "--vary",
        "l2=0.3:3",
        "--target",
        "frequency:0=0.4",
        "--at-most",
        "parameters:l2=2.9",
    )
    found = json.loads(run(*arguments, "--json"))
    assert found["success"]
    assert found["quantities"]["frequency of mode 0 (Hz)"]["end"] == pytest.approx(0.4, rel=1e-4)
    assert "l2: 1 → " in run(*arguments)


def test_what_cannot_be_reached_has_exit_code_1() -> None:
    shown = run(
        *("optimize", PENDULUM, "--vary", "l2=0.3:3", "--minimize", "parameters:l2", "--at-least", "frequency:0=9"),
        code=1,
    )
    assert "not kept: frequency of mode 0 (Hz) ≥ 9" in shown


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("linearize", PENDULUM, "--at", "here"), 2, "--at 'here' cannot be read"),
        (("linearize", PENDULUM, "--at", "a1=0", "--guess", "a1=1"), 2, "--guess is for --at equilibrium"),
        (("linearize", PENDULUM, "--at", "a1=1"), 1, "The operating point is no equilibrium of"),
        (("linearize", PENDULUM, "--sensitivity", "m9"), 1, "There is no parameter 'm9'"),
        (
            ("linearize", PENDULUM, "--sensitivity", "m2,,l2"),
            2,
            "--sensitivity 'm2,,l2' cannot be read. Write names with",
        ),
        (("optimize", PENDULUM, "--vary", "l2=1", "--minimize", "frequency:0"), 2, "--vary l2=1 has no bounds"),
        (("optimize", PENDULUM, "--vary", "l2=1:2", "--minimize", "speed:0"), 2, "'speed:0' is no quantity"),
        (("optimize", PENDULUM, "--vary", "l2=1:2", "--target", "frequency:0"), 2, "has no value"),
        (("optimize", PENDULUM, "--vary", "l2=1:2"), 1, "There is nothing to optimise"),
    ],
)
def test_bad_calls_are_explained(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[object, ...],
    code: int,
    message: str,
) -> None:
    ended, told = failing(monkeypatch, capsys, *arguments)
    assert ended == code
    assert message in told
