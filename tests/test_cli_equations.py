"""gyrostat equations: text, forms, LaTeX, JSON, the walk, and refusals."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import sympy
from exact_models import EXAMPLES
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, main
from gyrostat.progress import terminal_line

PENDULUM = EXAMPLES / "double_pendulum.yaml"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["equations", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def failing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Return exit code and message of a call that ends in an error."""
    monkeypatch.setattr(sys, "argv", ["gyrostat", "equations", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    printed = capsys.readouterr()
    assert printed.out == ""
    return int(end.value.code or 0), printed.err


def system() -> gs.System:
    return gs.formulate(gs.Model.load(PENDULUM))


def test_textbook_form_is_printed() -> None:
    shown = run(PENDULUM)
    assert shown == f"{system().equations()}\n"
    assert "(thetadot_1 + thetadot_2)**2*sin(theta_2)/2 + motor" in shown


@pytest.mark.parametrize("form", ["textbook", "regrouped", "expanded"])
def test_forms(form: str) -> None:
    assert run(PENDULUM, "--form", form) == f"{system().equations(form)}\n"


def test_recursive_form() -> None:
    shown = run(PENDULUM, "--form", "recursive")
    assert shown == f"{system().recursive_equations()}\n"
    assert shown.startswith("x1 = l1/2.0\n")


def test_the_regrouped_form_says_what_its_constants_are() -> None:
    assert "\nP2 = l1*l2*m2\n" in run(PENDULUM, "--form", "regrouped")


def test_the_walk() -> None:
    shown = run(PENDULUM, "--walk")
    assert shown == f"{system().roberson_schwertassek()}\n"
    assert "K^(bar1, bar2)" in shown
    assert run(PENDULUM, "--method", "roberson-schwertassek") == shown


@pytest.mark.parametrize(
    ("method", "piece"),
    [
        ("velocity-transformation", "Blocks of Ḃ (Trom 1990, table 2.3)"),
        ("absolute", "Augmented equations (eq 3.4.56)"),
    ],
)
def test_founding_methods(method: str, piece: str) -> None:
    assert piece in run(PENDULUM, "--method", method)


@pytest.mark.parametrize(
    ("options", "piece"),
    [
        ([], r"\ddot{\theta}_{1}"),
        (["--form", "regrouped"], r"P_{2} &= l_{1} l_{2} m_{2}"),
        (["--form", "recursive"], r"x_{1} &= \frac{l_{1}}{2}"),
        (["--walk"], r"\paragraph{Attachment vectors"),
    ],
)
def test_latex(tmp_path: Path, options: list[str], piece: str) -> None:
    target = tmp_path / "out.tex"
    assert run(PENDULUM, *options, "--latex", target) == ""
    text = target.read_text(encoding="utf-8")
    assert piece in text
    assert text.endswith("\n")


def parsed(text: str) -> Any:
    return sympy.sympify(text, locals={"motor": sympy.Symbol("motor")})


@pytest.mark.parametrize("form", ["textbook", "regrouped", "expanded", "recursive"])
def test_json(form: str) -> None:
    found = json.loads(run(PENDULUM, "--form", form, "--json"))
    assert list(found) == ["accelerations", "mass_matrix", "forcing", "constants"]
    assert found["accelerations"] == ["thetaddot_1", "thetaddot_2"]
    assert bool(found["constants"]) == (form in ("regrouped", "recursive"))
    entry = parsed(found["mass_matrix"][0][1])
    forcing = parsed(found["forcing"][1])
    for name, meaning in reversed(found["constants"].items()):
        entry, forcing = (x.subs(sympy.Symbol(name), parsed(meaning)) for x in (entry, forcing))
    right = system().equations()
    assert gs.trig_normal_form(entry - right.mass_matrix[0, 1]) == 0
    assert gs.trig_normal_form(forcing - right.forcing[1]) == 0


@pytest.mark.parametrize("form", ["textbook", "recursive"])
def test_json_of_a_loop(form: str) -> None:
    found = json.loads(run(EXAMPLES / "four_bar.yaml", "--form", form, "--json"))
    rows = ["constraint_names", "constraint_matrix", "constraint_rates", "constraints"]
    assert list(found) == ["accelerations", "mass_matrix", "forcing", *rows, "constants"]
    assert found["constraint_names"] == ["pin_rocker: force x", "pin_rocker: force y"]
    assert [len(row) for row in found["constraint_matrix"]] == [3, 3]
    assert [len(found[name]) for name in rows] == [2, 2, 2, 2]


def test_a_loop_is_printed_with_its_constraints() -> None:
    lines = run(EXAMPLES / "four_bar.yaml").splitlines()
    assert len(lines) == 5
    assert lines[2].endswith("= -c**2*g*line*cos(theta_4)/2 + c*lambda_pin_rocker_y")
    assert lines[3] == "0 = -a*cos(theta_2 - theta_4) - b*cos(theta_2 + theta_3 - theta_4) + c + d*cos(theta_4)"
    assert "Consistency conditions (eq 16)" in run(EXAMPLES / "four_bar.yaml", "--walk")


def test_json_and_latex_together(tmp_path: Path) -> None:
    target = tmp_path / "out.tex"
    assert json.loads(run(PENDULUM, "--json", "--latex", target))["accelerations"]
    assert target.exists()


@pytest.mark.parametrize(
    ("arguments", "pieces"),
    [
        (
            ["double_pendulum.yaml", "--form", "short"],
            ["gyrostat: There is no form 'short'", "'regrouped'", "recursive"],
        ),
        (
            ["seven_joint_arm.yaml", "--walk"],
            ["gyrostat: Written out, the equations of 'seven-joint arm'", "equations('recursive')"],
        ),
        (
            ["seven_joint_arm.yaml", "--method", "velocity-transformation"],
            ["gyrostat: Written out, the equations of 'seven-joint arm'"],
        ),
        (["double_pendulum.yaml", "--method", "kane"], ["gyrostat: There is no method 'kane'", "velocity-transf"]),
        (["double_pendulum.yaml", "--latex", "none/none/out.tex"], ["out.tex cannot be written: No such file"]),
    ],
)
def test_errors_end_in_one_paragraph(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], pieces: list[str]
) -> None:
    code, message = failing(monkeypatch, capsys, EXAMPLES / arguments[0], *arguments[1:])
    assert code == 1
    assert all(piece in message for piece in pieces), message
    assert len(message.strip().splitlines()) == 1
    assert "Traceback" not in message


def test_expressions_that_grow_without_end_come_in_the_compact_form() -> None:
    result = CliRunner().invoke(app, ["equations", str(EXAMPLES / "mcpherson_strut.yaml")])
    assert result.exit_code == 0, result.output
    assert "'McPherson strut', constraints: multiplied out," in result.stderr
    assert result.stderr.endswith("The compact form follows.\n")


def test_a_set_that_nobody_would_read_comes_in_the_compact_form() -> None:
    arm = EXAMPLES / "seven_joint_arm.yaml"
    result = CliRunner().invoke(app, ["equations", str(arm)], catch_exceptions=False)
    assert result.exit_code == 0
    assert result.stdout == f"{gs.formulate(gs.Model.load(arm)).equations('recursive')}\n"
    assert result.stderr.startswith("gyrostat: Written out, the equations of 'seven-joint arm' would have up to")
    assert result.stderr.endswith("The compact form follows.\n")


def test_a_terminal_sees_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal a line says which expression is being written; elsewhere nothing does."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("gyrostat.progress.PATIENCE", 0.0)
    monkeypatch.setattr("gyrostat.progress.INTERVAL", 0.0)
    seen: list[str] = []
    with terminal_line() as report:
        assert report is not None
        found = system().equations(progress=lambda progress: (seen.append(str(progress)), report(progress))[0])
        assert found.forcing.shape == (2, 1)
    assert "writing: 4 of 5" in terminal.getvalue()
    assert seen[-1] == "writing: 4 of 5"
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    with terminal_line() as report:
        assert report is None


def test_a_missing_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, message = failing(monkeypatch, capsys, "missing.yaml")
    assert code == 2
    assert message.startswith("gyrostat: missing.yaml")


def test_help_names_the_forms() -> None:
    shown = CliRunner().invoke(app, ["equations", "--help"]).stdout
    assert all(word in shown for word in ("textbook", "regrouped", "expanded", "recursive", "--walk", "--latex"))
