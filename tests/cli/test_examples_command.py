"""gyrostat examples: the list, copies, and what cannot be copied."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, examples, main

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


def run(*arguments: object, width: int = 120) -> str:
    result = CliRunner().invoke(
        app, ["examples", *map(str, arguments)], catch_exceptions=False, env={"COLUMNS": str(width)}
    )
    assert result.exit_code == 0, result.output
    return result.stdout


def failing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str]:
    monkeypatch.setattr(sys, "argv", ["gyrostat", "examples", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        main()
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1
    return int(end.value.code or 0), printed.err


@pytest.mark.parametrize("width", [80, 120])
def test_the_list_has_a_line_for_each(width: int) -> None:
    lines = run(width=width).splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    assert max(map(len, lines)) <= width
    for line, name in zip(lines, NAMES, strict=True):
        description = " ".join(gs.Model.load(EXAMPLES / f"{name}.yaml").description.split())
        assert description.startswith(line.split(maxsplit=1)[1].removesuffix(" …"))


def test_the_list_for_machines() -> None:
    found = json.loads(run("--json"))
    assert list(found) == NAMES
    assert found["spinning_top"]["description"].startswith("Lagrange's heavy symmetric top")
    assert gs.Model.load(found["spinning_top"]["file"]).name == "spinning top"


def test_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("double_pendulum") == "Written: double_pendulum.yaml\n"
    assert (tmp_path / "double_pendulum.yaml").read_bytes() == (EXAMPLES / "double_pendulum.yaml").read_bytes()
    (tmp_path / "there").mkdir()
    assert run("bricard.yaml", "four_bar", "--to", "there") == (
        f"Written: {Path('there/bricard.yaml')}\nWritten: {Path('there/four_bar.yaml')}\n"
    )
    assert json.loads(run("bricard", "--json", "--to", "there", "--force")) == {
        "files": [str(Path("there/bricard.yaml"))]
    }


def test_all_are_copied(tmp_path: Path) -> None:
    assert run("--all", "--to", tmp_path).count("Written: ") == len(NAMES)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{name}.yaml" for name in NAMES]


def test_nothing_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "four_bar.yaml").write_text("mine")
    code, message = failing(monkeypatch, capsys, "--all", "--to", tmp_path)
    assert code == 1
    assert message.startswith(f"gyrostat: {tmp_path / 'four_bar.yaml'} exists already.")
    assert [path.name for path in tmp_path.iterdir()] == ["four_bar.yaml"]
    run("four_bar", "--to", tmp_path, "--force")
    assert (tmp_path / "four_bar.yaml").read_bytes() == (EXAMPLES / "four_bar.yaml").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["double_pendulm"], 2, "gyrostat: There is no example 'double_pendulm'. Did you mean 'double_pendulum'"),
        (["bricard", "--all"], 2, "gyrostat: --all copies every example."),
        (["bricard", "--to", "none"], 1, "none/bricard.yaml cannot be written: there is no folder"),
    ],
)
def test_errors_end_in_one_paragraph(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    found, shown = failing(monkeypatch, capsys, *arguments)
    assert found == code
    assert message in shown


def test_an_installed_package_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "lib" / "site-packages" / "gyrostat"
    monkeypatch.setattr(examples, "_PACKAGE", package)
    with pytest.raises(gs.GyrostatError, match=r"There are no examples in .* Install gyrostat again"):
        examples.example_files()
    (package / "examples").mkdir(parents=True)
    (package / "examples" / "own.yaml").write_text("gyrostat: 1\n")
    assert list(examples.example_files()) == ["own"]
