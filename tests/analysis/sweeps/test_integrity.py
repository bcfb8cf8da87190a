"""Damage to the store of a sweep: detected in every file, run again or refused, never a wrong number."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sweep_functions
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.analysis.sweeps import inspection
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results import whole_file

OVER = {"m1": np.arange(1.0, 21.0), "m2": [1.0, 2.0]}
FIXTURE = Path(__file__).parents[2] / "data" / "fixtures" / "finished.zarr"


def sweep(pendulum: gs.System, path: Path, analysis: Any = sweep_functions.picky_square, **options: Any) -> gs.Sweep:
    return gs.sweep(pendulum, OVER, analysis, store=path, workers=1, **options)


@pytest.fixture(scope="module")
def written(pendulum: gs.System, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "s.zarr"
    sweep(pendulum, path)
    return path


@pytest.fixture
def store(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "s.zarr"))


@pytest.fixture(scope="module")
def expected(pendulum: gs.System) -> Any:
    return gs.sweep(pendulum, OVER, sweep_functions.picky_square, workers=1).dataset


def flip(file: Path, byte: int = 0, bit: int = 6) -> None:
    data = bytearray(file.read_bytes())
    data[byte] ^= 1 << bit
    file.write_bytes(data)


def change_json(file: Path, **changes: Any) -> None:
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


# --- blocks -----------------------------------------------------------------------------------------------------------

DAMAGE = {
    "a flipped bit": lambda file: flip(file, 3),
    "a deleted file": lambda file: file.unlink(),
    "a truncated file": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "another file in its place": lambda file: shutil.copy(file.with_name("9.0"), file),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_chunk_is_refused_and_run_again(pendulum, store, expected, damage):
    damage(store / "picky_square" / "7.0")
    message = (
        r"s\.zarr is damaged: block 14 \(point 14\), variable 'picky_square': the file picky_square/7\.0 (is|has) .*"
    )
    with pytest.raises(gs.ResultFileError, match=message + "Run the damaged points again with resume=True"):
        gs.load_sweep(store)
    with pytest.warns(GyrostatWarning, match=message + "1 point is run again"):
        found = sweep(pendulum, store, resume=True)
    assert found.reused == 39
    assert found.dataset.equals(expected)
    assert gs.load_sweep(store).dataset.equals(expected)


def test_a_changed_status_is_detected(pendulum, store, expected):
    (store / "status" / "3.1").write_bytes(bytes([gs.PointStatus.FAILED]))
    with pytest.raises(gs.ResultFileError, match=r"block 7 .*, variable 'status': the file status/3.1 is not what was"):
        gs.load_sweep(store)
    with pytest.warns(GyrostatWarning, match=r"1 point is run again"):
        found = sweep(pendulum, store, resume=True)
    assert found.reused == 39
    assert found.dataset.equals(expected)


def test_changed_reasons_and_seals_are_detected(pendulum, store, expected):
    (store / ".gyrostat" / "failures" / "8.json").write_text("{")
    (store / ".gyrostat" / "seals" / "2.json").write_text("[" * 100_000)
    shutil.copy(store / ".gyrostat" / "seals" / "4.json", store / ".gyrostat" / "seals" / "5.json")
    with pytest.raises(gs.ResultFileError, match=r"block 2 .*seals/2.json cannot be read \(and 2 other faults\)"):
        gs.load_sweep(store)
    with pytest.warns(GyrostatWarning, match=r"3 points are run again"):
        found = sweep(pendulum, store, resume=True)
    assert found.reused == 37
    assert gs.load_sweep(store).dataset.equals(expected)


def test_a_block_without_its_seal_is_incomplete(pendulum, store, expected):
    """A process was killed between the status and the seal."""
    (store / ".gyrostat" / "seals" / "0.json").unlink()
    before = gs.load_sweep(store)
    assert before.dataset["status"].values[0, 0] == gs.PointStatus.NOT_RUN
    assert math.isnan(before["picky_square"].values[0, 0])
    assert sweep(pendulum, store, resume=True).reused == 39


def test_damage_after_opening_is_detected_on_reading(store):
    found = gs.load_sweep(store)
    flip(store / "picky_square" / "7.0")
    assert found["picky_square"][3].values[0] == 16
    with pytest.raises(gs.ResultFileError, match=r"variable 'picky_square': the file picky_square/7.0 is not what was"):
        found["picky_square"].load()


# --- coordinates and metadata -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("m2/0", "variable 'm2': the file m2/0 is not what was written"),
        ("m2/.zattrs", "is damaged"),
        ("picky_square/.zarray", "is damaged"),
        (".zmetadata", r"the file \.zmetadata is not what was written"),
        (".gyrostat/header.json", "header.json is not what was written"),
    ],
)
def test_changed_coordinates_and_metadata_are_refused(pendulum, store, name, message, resume):
    file = store / name
    flip(file, file.read_bytes().find(b"0") if name != "m2/0" else 7, 0)
    with pytest.raises(gs.ResultFileError, match=message + ".*(T|t)ake another copy|" + message + ".*Delete it"):
        sweep(pendulum, store, resume=True) if resume else gs.load_sweep(store)


def test_a_changed_coordinate_of_an_old_store_is_refused(tmp_path):
    store = Path(shutil.copytree(FIXTURE, tmp_path / "old.zarr"))
    flip(store / "m" / "0", 6)
    with (
        pytest.warns(GyrostatWarning, match=r"without digests"),
        pytest.raises(gs.ResultFileError, match=r"the coordinates m, motor, time, axis are not what was written"),
    ):
        gs.load_sweep(store)


def test_a_text_of_an_old_store_that_is_none_is_refused(tmp_path):
    store = Path(shutil.copytree(FIXTURE, tmp_path / "old.zarr"))
    flip(store / "axis" / "0", 2)
    with (
        pytest.warns(GyrostatWarning, match=r"without digests"),
        pytest.raises(gs.ResultFileError, match=r"coordinate 'axis': the file axis/0 is no text"),
    ):
        gs.load_sweep(store)


@pytest.mark.parametrize("name", ["bar2.tip/3.1.0.0", "status/2.0", ".gyrostat/failures/0.json"])
def test_a_truncated_file_of_an_old_store_is_refused(tmp_path, name):
    store = Path(shutil.copytree(FIXTURE, tmp_path / "old.zarr"))
    (store / name).write_bytes(b"")
    with pytest.raises(gs.ResultFileError, match=f"is damaged: block .*: the file {name} (has 0 bytes|cannot be read)"):
        gs.load_sweep(store)


# --- forged stores ----------------------------------------------------------------------------------------------------


def forge(store: Path, **changes: Any) -> None:
    """Change the header and its digest."""
    file = store / ".gyrostat" / "header.json"
    file.write_text(json.dumps(inspection.sealed({**json.loads(file.read_text()), **changes})))


def test_a_forged_shape_allocates_nothing(store):
    for name in ("status", "picky_square"):
        change_json(store / name / ".zarray", shape=[10**6, 10**6], chunks=[1, 1])
    with pytest.raises(gs.ResultFileError, match=r"'status' has the shape .*, unlike the coordinates"):
        gs.load_sweep(store)


def test_values_that_do_not_fit_into_memory_are_named(store):
    header = json.loads((store / ".gyrostat" / "header.json").read_text())
    one, own = header["variables"]["picky_square"], [10**6, 10**6]
    shutil.rmtree(store / ".gyrostat" / "seals")
    change_json(store / "picky_square" / ".zarray", shape=[20, 2, *own], chunks=[1, 1, *own])
    digest = hashlib.sha256((store / "picky_square" / ".zarray").read_bytes()).hexdigest()
    variables = {"picky_square": {**one, "dims": ["x", "y"], "shape": own}}
    forge(store, variables=variables, files={**header["files"], "picky_square/.zarray": digest})
    found = gs.load_sweep(store)
    with pytest.raises(gs.ResultFileError, match=r"values of variable 'picky_square' do not fit into memory"):
        found["picky_square"].load()


@pytest.mark.parametrize("name", ["../outside", "a/b", ".zgroup", ""])
def test_a_variable_outside_the_store_is_refused(pendulum, store, tmp_path, name):
    header = json.loads((store / ".gyrostat" / "header.json").read_text())
    forge(store, variables={name: header["variables"]["picky_square"]})
    with pytest.raises(gs.ResultFileError, match=r"cannot hold a variable called"):
        gs.load_sweep(store)

    def analysis(parameters):
        return {name: parameters["m1"]}

    with pytest.raises(gs.ResultFileError, match=r"n.zarr cannot hold a variable called .* Give it another name"):
        sweep(pendulum, tmp_path / "n.zarr", analysis)
    assert not (tmp_path / "outside").exists()
    assert not (tmp_path / "n.zarr").exists()


def test_a_design_that_is_none_is_refused(store):
    shutil.rmtree(store / ".gyrostat" / "seals")
    forge(store, design={"type": "np", "count": 3})
    with pytest.raises(gs.ResultFileError, match=r"'np' is no design"):
        gs.load_sweep(store)


MUTATIONS = ["flip", "delete", "truncate", "append", "replace"]


@settings(deadline=None, max_examples=examples(400))
@given(st.data())
@pytest.mark.parametrize("old", [False, True])
def test_random_damage_never_gives_wrong_numbers(tmp_path_factory, written, expected, old, data):
    source = FIXTURE if old else written
    store = Path(shutil.copytree(source, tmp_path_factory.mktemp("random") / "s.zarr"))
    files = sorted(file for file in store.rglob("*") if file.is_file() and file.name != "lock")
    for _ in range(data.draw(st.integers(1, 2))):
        file = data.draw(st.sampled_from(files))
        mutate(file, data.draw(st.sampled_from(MUTATIONS)), data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore" if old else "error", GyrostatWarning)
            found = gs.load_sweep(store)
            dataset = found.dataset.load()
            str(found)
    except gs.ResultFileError:
        return
    if not old:
        run = dataset["status"] != gs.PointStatus.NOT_RUN
        assert dataset.where(run).equals(expected.where(run))


def mutate(file: Path, kind: str, data: st.DataObject) -> None:
    content = file.read_bytes() if file.exists() else b""
    if not content:
        return
    if kind == "delete":
        file.unlink()
    elif kind == "flip":
        flip(file, data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(0, 7)))
    elif kind == "truncate":
        file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    else:
        file.write_bytes((content if kind == "append" else b"") + data.draw(st.binary(max_size=20)))


# --- killed writers ---------------------------------------------------------------------------------------------------


def test_temporary_files_of_killed_writers_are_removed(pendulum, store):
    leftovers = [store / "status" / ".3.0.77.part", store / ".gyrostat" / "seals" / ".3.json.77.part"]
    for file in leftovers:
        file.write_bytes(b"half")
    gs.load_sweep(store)
    assert all(file.exists() for file in leftovers)  # another process may be writing
    assert sweep(pendulum, store, resume=True).reused == 40
    assert not any(file.exists() for file in leftovers)


def test_an_interrupted_creation_is_replaced(pendulum, tmp_path, expected):
    path = tmp_path / "s.zarr"
    sweep(pendulum, path, lambda parameters: {"other": 1.0})
    (path / ".gyrostat" / "header.json").unlink()
    with pytest.raises(gs.ResultFileError, match=r"has results, but the file \.gyrostat/header\.json is missing"):
        sweep(pendulum, path)
    for chunk in (path / "status").glob("[0-9]*"):
        chunk.unlink()
    assert sweep(pendulum, path).dataset.equals(expected)
    assert not (path / "other").exists()


def test_folders_are_synchronised_after_renames(pendulum, tmp_path, monkeypatch):
    order: list[str] = []
    replace, sync = os.replace, whole_file.sync_folder
    monkeypatch.setattr(os, "replace", lambda old, new: (order.append(str(new)), replace(old, new)))
    for module in ("analysis.sweeps.folder_store", "results.whole_file"):
        monkeypatch.setattr(f"gyrostat.{module}.sync_folder", lambda path: (order.append(f"{path}/"), sync(path)))
    sweep(pendulum, tmp_path / "s.zarr")
    seal = order.index(str(tmp_path / "s.zarr" / ".gyrostat" / "seals" / "0.json"))
    assert str(tmp_path / "s.zarr" / "picky_square") + "/" in order[seal - 5 : seal]
    assert order[seal - 1] == str(tmp_path / "s.zarr" / "status") + "/"
    assert order[seal + 1] == str(tmp_path / "s.zarr" / ".gyrostat" / "seals") + "/"
    gs.simulate(pendulum, duration=0.1).save(tmp_path / "run.nc")
    assert order[-2:] == [str(tmp_path / "run.nc"), f"{tmp_path}/"]


def test_a_store_in_a_folder_that_cannot_be_written_is_refused(pendulum, store, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("gyrostat.analysis.sweeps.folder_store.StoreLock", refused)
    with pytest.raises(gs.ResultFileError, match=r"cannot be written: Permission denied"):
        sweep(pendulum, store, resume=True)
