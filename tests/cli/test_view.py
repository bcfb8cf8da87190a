"""gyrostat view, and the pictures that gyrostat simulate writes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import typer
from pictures import assert_parses
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, main
from gyrostat.pictures.animation.bundle import load_bundle

EXAMPLES = Path(__file__).parents[2] / "examples"
PENDULUM = EXAMPLES / "double_pendulum.yaml"


@pytest.fixture(autouse=True)
def _page() -> None:
    try:
        load_bundle()
    except gs.PictureError as error:
        pytest.skip(f"animation page: {error}")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    gs.simulate(gs.Model.load(PENDULUM), duration=0.2, step=0.02).save(tmp_path / "run.nc")
    return tmp_path / "run.nc"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was opened in a browser."""
    found: list[str] = []

    def launch(target: str) -> int:
        found.append(target)
        return 0

    monkeypatch.setattr(typer, "launch", launch)
    return found


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_animation_is_written_beside_the_file_and_opened(file: Path, opened: list[str]):
    page = file.with_suffix(".html")
    assert run("view", file) == f"Written: {page}\n"
    assert opened == [str(page.resolve())]
    assert "<title>double pendulum of bars</title>" in page.read_text(encoding="utf-8")
    run("view", file)  # an older one is replaced


def test_it_is_not_opened_where_nobody_looks(file: Path, opened: list[str], tmp_path: Path):
    out = tmp_path / "other.html"
    run("view", file, "--out", out, "--no-open", "--path", "bar2.tip", "--plot", "a1")
    assert out.exists()
    assert json.loads(run("view", file, "--json")) == {"file": str(file), "animation": str(file.with_suffix(".html"))}
    assert opened == []


def test_where_nothing_opens_it_the_path_is_told(file: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(typer, "launch", lambda _: 1)
    result = CliRunner().invoke(app, ["view", str(file)])
    assert result.exit_code == 0
    assert "no program was found to open it. Open" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["view", "missing.nc"], 1, "missing.nc cannot be read"),
        (["view", "{file}", "--out", "a.txt"], 2, "--out a.txt must end in .html or .gif or .mp4"),
        (["view", "{file}", "--path", "bar3"], 1, "no body or point 'bar3'"),
        (["view", "{file}", "--plot", "a3"], 1, "no output 'a3'"),
        (["view", "{file}", "--out", "nowhere/a.html"], 1, "there is no folder"),
        (["simulate", PENDULUM, "--duration", 1, "--figure", "a.svg"], 2, "Say what to plot: --plot a1"),
        (["simulate", PENDULUM, "--duration", 1, "--plot", "a1", "--figure", "a.jpg"], 2, "--figure a.jpg must end in"),
        (["simulate", PENDULUM, "--duration", 1, "--plot", "a3"], 1, "no output 'a3'"),
        (["simulate", PENDULUM, "--duration", 1, "--animate", "a.avi"], 2, "--animate a.avi must end in .html"),
        (["simulate", PENDULUM, "--duration", 1, "--animate", "nowhere/a.html"], 1, "there is no folder"),
    ],
)
def test_calls_that_cannot_be_done(
    file: Path, tmp_path: Path, arguments: list, code: int, message: str, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    given = [str(one).replace("{file}", str(file)) for one in arguments]
    monkeypatch.setattr(sys, "argv", ["gyrostat", *given])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == code
    printed = capsys.readouterr().err
    assert message in printed
    assert "Traceback" not in printed
    assert [path.name for path in tmp_path.iterdir()] == ["run.nc"]


def test_simulate_plots_and_animates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    text = run("simulate", PENDULUM, "--duration", 0.2, "--plot", "a1", "--plot", "bar2.tip", "--animate", "a.html")
    assert text.endswith("Written: a.svg\nWritten: a.html\n")
    assert_parses(tmp_path / "a.svg")
    found = json.loads(run("simulate", PENDULUM, "--duration", 0.2, "--plot", "a1", "--figure", "b.png", "--json"))
    assert found["figure"] == "b.png"
    assert_parses(tmp_path / "b.png")
