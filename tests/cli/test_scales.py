"""gyrostat scales: text, JSON, LaTeX, certificates, and what cannot be done."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gyrostat.cli import app, main

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["scales", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def failing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Return exit code and message of a call that ends in an error."""
    monkeypatch.setattr(sys, "argv", ["gyrostat", "scales", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    return int(end.value.code or 0), capsys.readouterr().err


def test_text_tells_ordering_equations_and_what_order_means() -> None:
    shown = run(EXAMPLES / "parametric_pendulum.yaml", "--resonance", "Omega ≈ 2*omega_theta")
    assert "Parametric excitation A (inertia) is of order ε" in shown
    assert "a' = 3*A*Omega**2*a*eps*sin(gamma)/(8*l*omega_theta) - 3*a*c*eps/(2*l**2*m)" in shown
    assert "Order 1: the slow scale T1 is kept" in shown


def test_json() -> None:
    found = json.loads(run(EXAMPLES / "spring_pendulum.yaml", "--json", "--resonance", "omega_r = 2*omega_theta"))
    assert found["equilibrium"] == {"swing": "0", "slide": "0"}
    assert found["definitions"] == {"omega_theta": "sqrt(g/l)", "omega_r": "sqrt(k/m)"}
    assert found["modulation"]["a_slide"] == "3*a_swing**2*eps*l*omega_theta*sin(gamma)/16"
    assert found["solution"]["swing"] == "a_swing*eps*cos(beta_swing + omega_theta*t)"


def test_latex(tmp_path: Path) -> None:
    target = tmp_path / "scales.tex"
    assert f"Written: {target}" in run(EXAMPLES / "spring_pendulum.yaml", "--latex", target)
    assert r"\dot{a_{\mathrm{slide}}}" in target.read_text(encoding="utf-8")


def test_certificate_compares_with_the_mechanism() -> None:
    shown = run(EXAMPLES / "spring_pendulum.yaml", "--certificate", "--resonance", "omega_r = 2*omega_theta")
    assert "Certified: order 1 promises the power 1" in shown


def test_options_reach_the_analysis() -> None:
    found = json.loads(
        run(
            EXAMPLES / "double_pendulum.yaml",
            "--json",
            "--numbers",
            "--set",
            "m2=2",
            "--at",
            "a1=0",
            "--input",
            "motor=0",
        )
    )
    assert found["order"] == 1
    small = ("--small", "c=2", "--small", "A=2")
    found = json.loads(run(EXAMPLES / "parametric_pendulum.yaml", "--json", *small))
    assert found["ordering"]["parameters"] == {"c": 2, "A": 2}


def test_calls_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / "parametric_pendulum.yaml"
    code, message = failing(monkeypatch, capsys, file, "--small", "c=much")
    assert (code, "gives no power of ε" in message) == (2, True)
    code, message = failing(monkeypatch, capsys, file, "--at", "swing")
    assert (code, "--at 'swing' cannot be read" in message) == (2, True)


def test_refusals_end_with_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, message = failing(monkeypatch, capsys, EXAMPLES / "parametric_pendulum.yaml", "--at", "swing=pi")
    assert code == 1
    assert "a small disturbance of 'swing' grows" in message
