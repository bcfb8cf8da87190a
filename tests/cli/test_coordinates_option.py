"""The options that choose coordinates: same names, equations, trees and drawings; calls that cannot be read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, main

EXAMPLES = Path(__file__).parents[2] / "examples"
PENDULUM = EXAMPLES / "double_pendulum.yaml"
CRANK_SLIDER = EXAMPLES / "crank_slider.yaml"
FOUR_BAR = EXAMPLES / "four_bar.yaml"


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def failing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    """Return exit code and message of a call that ends in an error."""
    monkeypatch.setattr(sys, "argv", ["gyrostat", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    printed = capsys.readouterr()
    assert printed.out == ""
    return int(end.value.code or 0), printed.err


def test_equations_in_branch_coordinates() -> None:
    shown = run("equations", PENDULUM, "--coordinates", "branch")
    assert shown == f"{gs.formulate(gs.Model.load(PENDULUM), 'branch').equations()}\n"
    assert "cos(angle_bar1 - angle_bar2)" in shown


def test_equations_in_chosen_trees() -> None:
    shown = json.loads(run("equations", PENDULUM, "--translation", "a1,a2", "--rotation", "bar1, bar2", "--json"))
    assert shown == json.loads(run("equations", PENDULUM, "--coordinates", "Branch", "--json"))


def test_one_tree_for_both() -> None:
    assert run("equations", PENDULUM, "--translation", "a1,a2") == run("equations", PENDULUM)


def test_a_simulation_gives_the_same_motion_in_all_choices() -> None:
    call = ("simulate", FOUR_BAR, "--duration", 0.2, "--output", "hinge_crank", "--output", "pin_rocker", "--json")
    joint, absolute = (json.loads(run(*call, "--coordinates", choice))["values"] for choice in ("joint", "absolute"))
    assert joint.keys() == absolute.keys()
    for name in joint:
        assert absolute[name] == pytest.approx(joint[name], rel=1e-7)


@pytest.mark.parametrize("choice", ["joint", "absolute", "branch"])
def test_check_in_a_choice(choice: str) -> None:
    assert run("check", CRANK_SLIDER, "--coordinates", choice) == run("check", CRANK_SLIDER)


def test_topology_tells_the_trees(tmp_path: Path) -> None:
    drawing = tmp_path / "trees.svg"
    shown = run("topology", CRANK_SLIDER, "--coordinates", "branch", "--draw", drawing)
    assert shown.startswith(run("topology", CRANK_SLIDER))
    assert "\nTree of positions: bearing, hinge_rod, pin_crank\nTree of orientations: rod, bearing, guide\n" in shown
    assert "coordinates (1): rod.angle" in shown
    assert "rod: angle" in drawing.read_text(encoding="utf-8")


def test_topology_for_machines() -> None:
    found = json.loads(run("topology", CRANK_SLIDER, "--translation", "bearing,hinge_rod,guide", "--json"))
    assert found["translation"] == found["rotation"] == ["bearing", "guide", "hinge_rod"]
    assert found["coordinates"] == ["guide", "hinge_rod"]
    assert found["constraints"] == ["pin_crank: force x", "pin_crank: force y"]
    assert "translation" not in json.loads(run("topology", CRANK_SLIDER, "--json"))


def test_choices_are_compared() -> None:
    model = gs.Model.load(FOUR_BAR)
    assert run("topology", FOUR_BAR, "--compare").endswith(f"\n{gs.compare_coordinates(model)}\n")
    found = json.loads(run("topology", FOUR_BAR, "--compare", "--json"))
    assert [(one["coordinates"], one["u"], one["constraints"]) for one in found["choices"]] == [
        ("joint", 3, 2),
        ("absolute", 9, 8),
        ("branch", 3, 2),
    ]
    assert found["recommended"] == "branch"
    assert found["choices"][2]["operations"] < found["choices"][0]["operations"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--coordinates", "absolut"), "--coordinates 'absolut' is not known. Write joint, absolute or branch"),
        (("--coordinates", "branch", "--translation", "a1,a2"), "Leave out --coordinates, or --translation"),
        (("--rotation", "a1,a2"), "Name the tree of positions too: --translation h8,h9."),
        (("--translation", "a1,,a2"), "--translation 'a1,,a2' cannot be read. Write names with commas between them"),
    ],
)
def test_calls_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    for command in ("equations", "topology", "check"):
        code, told = failing(monkeypatch, capsys, command, PENDULUM, *options)
        assert code == 2
        assert message in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--translation", "a1,a3"), "The translation tree names 'a3', which is no joint or body."),
        (("--translation", "a1,a2", "--rotation", "a1"), "leaves 'bar2' without orientation. Add one of 'bar2', 'a2'."),
        (("--translation", "a1,bar1"), "'a1', 'bar1' close a circuit. Leave out one of them."),
    ],
)
def test_sets_that_are_no_trees(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    code, told = failing(monkeypatch, capsys, "equations", PENDULUM, *options)
    assert code == 1
    assert message in told


def test_the_walk_is_in_joint_coordinates(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = failing(monkeypatch, capsys, "equations", PENDULUM, "--coordinates", "absolute", "--walk")
    assert code == 1
    assert "method has joint coordinates; these are absolute coordinates" in told
