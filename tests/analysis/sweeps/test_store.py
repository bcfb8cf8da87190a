"""Stores of sweeps: readable by other tools, resumed after any interruption, never written by two sweeps at once."""

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import sweep_functions
import xarray
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st

import gyrostat as gs
from gyrostat.analysis.sweeps import folder_store, zarr_files
from gyrostat.analysis.sweeps.execution import Execution
from gyrostat.analysis.sweeps.folder_store import FolderStore
from gyrostat.analysis.sweeps.lock import StoreLock
from gyrostat.analysis.sweeps.zarr_files import ZarrArray

OVER = {"m1": np.arange(1.0, 41.0), "m2": [1.0, 2.0]}
SQUARES = np.repeat(np.arange(1.0, 41.0)[:, None] ** 2, 2, axis=1)


def sweep(pendulum, path, analysis=sweep_functions.square, over=OVER, **options):
    return gs.sweep(pendulum, over, analysis, store=path, workers=1, **options)


class Interruption:
    """Interrupts a sweep after some points, as the user does."""

    def __init__(self, points):
        self.points = points

    def __call__(self, state):
        if state.done >= self.points:
            self.points = np.inf
            raise KeyboardInterrupt


@pytest.fixture
def told_always(monkeypatch):
    monkeypatch.setattr("gyrostat.progress.INTERVAL", 0.0)


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_store_has_what_memory_has_and_is_read_again(pendulum, tmp_path):
    analysis = gs.Simulation(0.2, step=0.1, outputs=["last(a1)", "bar2.tip"])
    over = {"m2": [1.0, 2.0, 3.0], "motor": ["0.5", "sin(t)"], "m1": gs.uniform(1, 2)}
    design = gs.LatinHypercube(5)
    kept = gs.sweep(pendulum, over, analysis, points=design, store=tmp_path / "s.zarr")
    memory = gs.sweep(pendulum, over, analysis, points=design)
    assert kept.dataset.equals(memory.dataset)
    loaded = gs.load_sweep(tmp_path / "s.zarr")
    assert loaded.dataset.equals(memory.dataset)
    assert loaded.dataset["bar2.tip"].attrs == memory.dataset["bar2.tip"].attrs
    part = loaded["bar2.tip"].isel(m2=1, sample=slice(4, None, -2), time=[0, 2])
    assert part.equals(memory["bar2.tip"].isel(m2=1, sample=slice(4, None, -2), time=[0, 2]))


def test_other_tools_read_a_store(pendulum, tmp_path):
    pytest.importorskip("zarr")
    over = {"m1": [0.0, 2.0, 5.0], "motor": ["0", "sin(t)"]}
    found = sweep(pendulum, tmp_path / "s.zarr", sweep_functions.picky_square, over)
    opened = xarray.open_zarr(tmp_path / "s.zarr", chunks=None)
    assert opened.identical(found.dataset.drop_vars("reason").assign_attrs(opened.attrs))


@settings(deadline=None, max_examples=examples(100))
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4)), min_size=1, max_size=3), st.randoms())
def test_arrays_are_read_in_parts(tmp_path_factory, sizes, random):
    folder = tmp_path_factory.mktemp("array") / "a"
    shape, chunks = tuple(size for size, _ in sizes), tuple(chunk for _, chunk in sizes)
    array = ZarrArray(folder, np.dtype("<f8"), shape, chunks, ("d",) * len(shape), np.nan)
    array.create()
    values = np.arange(np.prod(shape), dtype=float).reshape(shape)
    for place in np.ndindex(*(-(-size // chunk) for size, chunk in sizes)):
        extent = tuple(slice(i * chunk, (i + 1) * chunk) for i, chunk in zip(place, chunks, strict=True))
        array.write(place, values[extent])
    assert (zarr_files.read_array(folder).read(tuple(slice(0, size) for size in shape)) == values).all()
    part = []
    for size in shape:
        low = random.randrange(size)
        part.append(slice(low, random.randrange(low, size) + 1))
    assert (array.read(tuple(part)) == values[tuple(part)]).all()


# --- resuming ---------------------------------------------------------------------------------------------------------


def test_an_interrupted_sweep_is_resumed_and_says_what_it_reuses(pendulum, tmp_path, told_always):
    path = tmp_path / "s.zarr"
    with pytest.raises(KeyboardInterrupt) as caught:
        sweep(pendulum, path, progress=Interruption(30))
    assert re.search(
        r"was interrupted; \d+ of 80 points are kept. Continue with resume=True", caught.value.__notes__[0]
    )
    first = caught.value.sweep
    done = first.count(gs.PointStatus.DONE)
    assert 0 < done < 80
    assert not first.complete
    assert np.isnan(first["square"].values[-1, -1])
    second = sweep(pendulum, path, resume=True)
    assert second.reused == done
    assert f"{done} points were in the store already" in str(second)
    assert second.complete
    assert (second["square"].values == SQUARES).all()


def test_an_interrupted_sweep_in_memory_is_on_the_exception(pendulum, told_always):
    with pytest.raises(KeyboardInterrupt) as caught:
        gs.sweep(pendulum, OVER, sweep_functions.square, workers=1, progress=Interruption(30))
    assert "With store=… it could be resumed" in caught.value.__notes__[0]
    assert 0 < caught.value.sweep.count(gs.PointStatus.DONE) < 80


SCRIPT = """
    import sys
    sys.path.insert(0, {support!r})
    import gyrostat as gs, numpy as np, sweep_functions
    from simulations import double_pendulum
    over = {{"m1": np.arange(1.0, 41.0), "m2": [1.0, 2.0]}}
    gs.sweep(double_pendulum(), over, sweep_functions.slow_square, store={path!r}, workers=2)
"""


def test_a_process_killed_in_the_middle_is_resumed(pendulum, tmp_path):
    path, support = tmp_path / "s.zarr", Path(sweep_functions.__file__).parent
    script = textwrap.dedent(SCRIPT.format(support=str(support), path=str(path)))
    process = subprocess.Popen([sys.executable, "-c", script])
    try:
        deadline = time.monotonic() + 120
        while len(list((path / "status").glob("[0-9]*"))) < 3 and time.monotonic() < deadline:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    finally:
        process.kill()
        process.wait()
    before = gs.load_sweep(path)
    done = before.count(gs.PointStatus.DONE)
    assert 0 < done < 80
    found = sweep(pendulum, path, sweep_functions.slow_square, resume=True)
    assert found.reused == done
    assert (found["slow_square"].values == SQUARES).all()


def test_a_full_disk_ends_in_a_clear_error_with_the_store_intact(pendulum, tmp_path, monkeypatch):
    path, real, room = tmp_path / "s.zarr", os.fsync, [40]

    def fsync(file):
        room[0] -= 1
        if room[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(file)

    monkeypatch.setattr(zarr_files.os, "fsync", fsync)
    with pytest.raises(gs.ResultFileError, match="cannot be written: No space left on device"):
        sweep(pendulum, path)
    monkeypatch.undo()
    assert not list(path.rglob("*.part"))
    half = gs.load_sweep(path)
    done = half.dataset["status"].values == gs.PointStatus.DONE
    assert 0 < done.sum() < 80
    assert (half["square"].values[done] == SQUARES[done]).all()
    found = sweep(pendulum, path, resume=True)
    assert found.reused == done.sum()
    assert (found["square"].values == SQUARES).all()


def test_a_disk_that_is_really_full(pendulum, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(small)]
    try:
        mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("a small disk can be mounted by an administrator of Linux only")
    try:
        path = small / "s.zarr"
        with pytest.raises(gs.ResultFileError, match="No space left on device"):
            sweep(pendulum, path)
        half = gs.load_sweep(path)
        assert 0 < half.count(gs.PointStatus.DONE) < 80
        subprocess.run(["mount", "-o", "remount,size=8m", str(small)], check=True)
        found = sweep(pendulum, path, resume=True)
        assert found.reused == half.count(gs.PointStatus.DONE)
        assert (found["square"].values == SQUARES).all()
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_block_that_was_cut_off_is_run_again(pendulum, tmp_path):
    path = tmp_path / "s.zarr"
    sweep(pendulum, path)
    chunk = sorted((path / "status").glob("[0-9]*"))[0]
    chunk.write_bytes(b"")
    with pytest.warns(gs.GyrostatWarning, match="the file status/0.0 has 0 bytes instead of 2. 2 points are run again"):
        found = sweep(pendulum, path, resume=True)
    assert 0 < found.reused < 80
    assert (found["square"].values == SQUARES).all()


def test_reasons_of_failures_are_kept(pendulum, tmp_path):
    path = tmp_path / "s.zarr"
    sweep(pendulum, path, sweep_functions.picky_square)
    loaded = gs.load_sweep(path)
    assert [failure.values for failure in loaded.failures] == [{"m1": 5.0, "m2": 1.0}, {"m1": 5.0, "m2": 2.0}]
    assert loaded.dataset["reason"].sel(m1=5.0, m2=2.0) == "ZeroDivisionError: five is not allowed"
    again = sweep(pendulum, path, sweep_functions.picky_square, resume=True)
    assert again.reused == 80


# --- one sweep, one store ---------------------------------------------------------------------------------------------


def test_a_store_that_is_there_is_not_overwritten(pendulum, tmp_path):
    sweep(pendulum, tmp_path / "s.zarr")
    with pytest.raises(gs.ResultFileError, match=r"exists already\. Continue it with resume=True"):
        sweep(pendulum, tmp_path / "s.zarr")


def test_the_store_of_another_sweep_is_refused(pendulum, tmp_path):
    path = tmp_path / "s.zarr"
    sweep(pendulum, path)
    with pytest.raises(gs.ResultFileError, match="is the store of another sweep: the points differ"):
        sweep(pendulum, path, over={"m1": [1.0], "m2": [2.0]}, resume=True)
    with pytest.raises(gs.ResultFileError, match="the analysis differs"):
        sweep(pendulum, path, lambda parameters: {"square": 1.0}, resume=True)
    model = gs.Model("other", parameters={"m1": 1.0, "m2": 1.0})
    model.add(gs.Body("b", gs.point_mass("m1 + m2")))
    model.add(gs.Prismatic("x", "ground", "b", axis="x"))
    with pytest.raises(gs.ResultFileError, match="the model differs"):
        sweep(model, path, resume=True)


def test_settings_of_a_simulation_tell_sweeps_apart(pendulum, tmp_path):
    base = gs.Simulation(0.1, outputs=["last(a1)"])
    others = [
        gs.Simulation(0.2, outputs=["last(a1)"]),
        gs.Simulation(0.1, outputs=["last(a1)"], integrator=gs.RK4(step=0.01)),
        gs.Simulation(0.1, outputs=["last(a1)"], initial={"a2": 0.1}),
        gs.Simulation(0.1, outputs=["last(a1)"], inputs={"motor": gs.Table([0, 1], [2, 3])}),
        gs.Simulation(0.1, outputs=["last(a1)"], events=[gs.Event("e", "a1")]),
        gs.Simulation(0.1, outputs=["last(a1)"], batched=False),
    ]
    plains = [json.dumps(one.plain()) for one in (base, *others)]
    assert len(set(plains)) == len(plains)
    assert plains[0] == json.dumps(gs.Simulation(0.1, outputs=["last(a1)"]).plain())


def test_two_sweeps_cannot_write_to_one_store(pendulum, tmp_path):
    path = tmp_path / "s.zarr"
    sweep(pendulum, path)
    first = FolderStore.open(path, writing=True)
    with pytest.raises(gs.ResultFileError, match=rf"being written by another sweep \(process {os.getpid()} on "):
        sweep(pendulum, path, resume=True)
    first.close()
    assert sweep(pendulum, path, resume=True).reused == 80


def test_a_store_that_another_sweep_makes_meanwhile_is_left_to_it(pendulum, tmp_path, monkeypatch):
    """Between the look at the place and the lock another sweep has made the store, and ended."""
    path = tmp_path / "s.zarr"
    header = path / ".gyrostat" / "header.json"

    def late(place):
        header.write_text("of the other")
        return StoreLock(place)

    monkeypatch.setattr(folder_store, "StoreLock", late)
    with pytest.raises(gs.ResultFileError, match=r"s\.zarr was made by another sweep just now\. Choose another"):
        sweep(pendulum, path)
    assert header.read_text() == "of the other"
    assert (path / ".gyrostat" / "lock").read_text() == ""


def test_a_sweep_that_ends_too_early_is_no_result(pendulum, monkeypatch):
    def nothing(self, tasks, *given, **options):
        yield from ()

    monkeypatch.setattr(Execution, "run", nothing)
    with pytest.raises(gs.StateError, match=r"'double pendulum' ended with 0 of \d+ blocks of points\. Continue"):
        gs.sweep(pendulum, OVER, sweep_functions.square)


def test_the_lock_of_a_dead_process_is_taken_over_but_not_that_of_another_machine(pendulum, tmp_path):
    path = tmp_path / "s.zarr"
    sweep(pendulum, path)
    lock = path / ".gyrostat" / "lock"
    lock.write_text(json.dumps({"process": 2**22 + 1, "host": socket.gethostname()}))
    assert sweep(pendulum, path, resume=True).reused == 80
    assert lock.read_text() == ""
    lock.write_text(json.dumps({"process": 3, "host": "elsewhere"}))
    with pytest.raises(gs.ResultFileError, match=r"left by a sweep \(process 3 on elsewhere\), which may still run"):
        sweep(pendulum, path, resume=True)


@pytest.mark.parametrize(
    ("name", "prepare", "message"),
    [
        ("s.nc", lambda path: None, "its name must end in .zarr"),
        ("s.zarr", lambda path: path.touch(), "is a file, not a folder"),
        ("s.zarr", lambda path: (path / "a").mkdir(parents=True), "exists already and is not the store of a sweep"),
        ("none/s.zarr", lambda path: None, "there is no folder"),
    ],
)
def test_bad_places_for_stores_are_refused(pendulum, tmp_path, name, prepare, message):
    prepare(tmp_path / name)
    with pytest.raises(gs.ResultFileError, match=message):
        sweep(pendulum, tmp_path / name)


def test_what_is_no_store_is_not_loaded(pendulum, tmp_path):
    with pytest.raises(gs.ResultFileError, match="is not the store of a sweep"):
        gs.load_sweep(tmp_path)
    sweep(pendulum, tmp_path / "s.zarr")
    header = tmp_path / "s.zarr" / ".gyrostat" / "header.json"
    content = json.loads(header.read_text())
    header.write_text(json.dumps({**content, "format": 99}))
    with pytest.raises(gs.ResultFileError, match="has format 99; this gyrostat reads 1"):
        gs.load_sweep(tmp_path / "s.zarr")
    header.write_text(json.dumps({**content, "variables": {"cube": {}}}))
    with pytest.raises(gs.ResultFileError, match="is damaged"):
        gs.load_sweep(tmp_path / "s.zarr")
    header.write_text(json.dumps(content))
    (tmp_path / "s.zarr" / "status" / ".zarray").unlink()
    with pytest.raises(gs.ResultFileError, match=r"is damaged: FileNotFoundError: .*\. Delete it and sweep again\."):
        sweep(pendulum, tmp_path / "s.zarr", resume=True)
    (tmp_path / "s.zarr" / "status" / ".zarray").write_text("{}")
    with pytest.raises(gs.ResultFileError, match="is damaged: KeyError"):  # nobody holds its lock
        sweep(pendulum, tmp_path / "s.zarr", resume=True)
