"""gyrostat verify: result files and stores, whole and damaged."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app, main

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "data" / "fixtures"


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["verify", *map(str, arguments)])


def flip(file: Path, place: int) -> None:
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("verify") / "s.zarr"
    model = gs.Model.load(ROOT / "examples" / "double_pendulum.yaml")
    gs.sweep(model, {"m2": [1.0, 2.0, 3.0]}, gs.Simulation(0.1, outputs=["last(a1)"]), store=path, workers=1)
    return path


@pytest.fixture
def store(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "s.zarr"))


def test_a_whole_result_file(tmp_path: Path):
    file = Path(shutil.copy(FIXTURES / "chain.nc", tmp_path))
    found = run(file)
    assert (found.exit_code, found.stdout) == (0, f"{file}: the file agrees with its digest.\n")
    expected = {"path": str(file), "kind": "result", "whole": True, "faults": []}
    assert json.loads(run(file, "--json").stdout) == expected


def test_a_damaged_result_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    file = Path(shutil.copy(FIXTURES / "chain.nc", tmp_path))
    flip(file, -5)
    monkeypatch.setattr("sys.argv", ["gyrostat", "verify", str(file)])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 1
    assert f"gyrostat: {file} is damaged: its contents are not those that were written." in capsys.readouterr().err
    found = run(file, "--json")
    content = json.loads(found.stdout)
    assert (found.exit_code, content["whole"]) == (1, False)
    assert "is damaged" in content["faults"][0]["fact"]


@pytest.mark.parametrize(("name", "fact"), [("none.nc", "there is no such file"), (".", "is not the store of a sweep")])
def test_a_path_without_results(tmp_path: Path, name: str, fact: str):
    found = run(tmp_path / name, "--json")
    assert found.exit_code == 1
    assert fact in json.loads(found.stdout)["faults"][0]["fact"]


def test_a_whole_store(store: Path):
    found = run(store)
    assert (found.exit_code, found.stdout) == (
        0,
        f"{store}: the store agrees with its digests, 3 of 3 points complete.\n",
    )
    expected = {"points": 3, "complete": 3, "damaged": 0, "without_digest": 0, "faults": []}
    assert json.loads(run(store, "--json").stdout) == {"path": str(store), "kind": "store", "whole": True, **expected}


def test_a_store_with_damaged_blocks(store: Path):
    flip(store / "last(a1)" / "1", 7)
    (store / "status" / "2").unlink()
    found = run(store)
    assert found.exit_code == 1
    assert found.stderr.splitlines() == [
        f"gyrostat: {store} is damaged, 1 of 3 points complete, 2 damaged:",
        "  block 1 (point 1), variable 'last(a1)': the file last(a1)/1 is not what was written",
        "  block 2 (point 2), variable 'status': the file status/2 is missing",
        "Run the damaged points again with resume=True (--resume), or take another copy of it.",
    ]
    content = json.loads(run(store, "--json").stdout)
    assert [(one["block"], one["variable"], one["file"]) for one in content["faults"]] == [
        (1, "last(a1)", "last(a1)/1"),
        (2, "status", "status/2"),
    ]


def test_a_store_with_a_damaged_coordinate(store: Path):
    flip(store / "m2" / "0", 3)
    found = run(store)
    assert found.exit_code == 1
    assert "coordinate or variable 'm2': the file m2/0 is not what was written" in found.stderr
    assert "Take another copy of it, or delete it and sweep again." in found.stderr


def test_a_store_without_digests(tmp_path: Path):
    found = run(FIXTURES / "interrupted.zarr")
    assert found.exit_code == 0
    assert found.stdout.splitlines()[0].endswith("4 of 8 points complete.")
    assert "4 points were written by version 0.1.0 without digests." in found.stdout
