"""Trajectories in formats of others: tables, glTF, MCAP."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import gyrostat as gs
from gyrostat.cli import app
from gyrostat.errors import GyrostatError

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def run() -> gs.Trajectory:
    return gs.simulate(gs.formulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml")), duration=1.0)


def test_tables(run: gs.Trajectory, tmp_path: Path) -> None:
    import pandas

    path = gs.export_table(run, tmp_path / "run.csv")
    table = pandas.read_csv(path, index_col="time")
    assert list(table.columns) == ["a1", "a2", "a1.rate", "a2.rate", "motor"]
    np.testing.assert_allclose(table["a2"], run["a2"].values, rtol=1e-14)
    with pytest.raises(GyrostatError, match="exists already"):
        gs.export_table(run, path)
    gs.export_table(run, path, "a1", force=True)
    assert list(pandas.read_csv(path).columns) == ["time", "a1"]
    with pytest.raises(GyrostatError, match=r"run\.xls: a table is written to a file that ends in \.csv or \.parquet"):
        gs.export_table(run, tmp_path / "run.xls")


def test_parquet(run: gs.Trajectory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas

    with monkeypatch.context() as patch:
        patch.setattr("gyrostat.io.trajectories.table.find_spec", lambda name: None)
        with pytest.raises(GyrostatError, match=r"Parquet is written by pyarrow, which is not installed"):
            gs.export_table(run, tmp_path / "run.parquet")
    pytest.importorskip("pyarrow", reason="peer 'pyarrow' is not installed")
    table = pandas.read_parquet(gs.export_table(run, tmp_path / "run.parquet"))
    np.testing.assert_array_equal(table["a2"], run["a2"].values)


def parts(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return JSON and binary of a .glb file, with all lengths checked."""
    data = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    assert size % 4 == 0
    rest, binary = struct.unpack_from("<I4s", data, 20 + size)
    assert binary == b"BIN\0"
    assert 28 + size + rest == len(data)
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def array(document: dict[str, Any], binary: bytes, number: int) -> Any:
    accessor = document["accessors"][number]
    view = document["bufferViews"][accessor["bufferView"]]
    assert view["byteOffset"] % 4 == 0
    kind = {5126: "<f4", 5125: "<u4"}[accessor["componentType"]]
    values = np.frombuffer(binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]], kind)
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    assert len(values) == width * accessor["count"]
    found = values.reshape(-1, width)
    if "min" in accessor:
        np.testing.assert_array_equal(found.min(axis=0), np.array(accessor["min"], "f4"))
        np.testing.assert_array_equal(found.max(axis=0), np.array(accessor["max"], "f4"))
    return found


def test_gltf(run: gs.Trajectory, tmp_path: Path) -> None:
    """Nodes move as bodies do; vertices are those of the shapes; y is up."""
    document, binary = parts(gs.export_gltf(run, tmp_path / "run.glb"))
    names = [node["name"] for node in document["nodes"]]
    assert set(run.system.bodies) < set(names)
    (animation,) = document["animations"]
    for body in run.system.bodies:
        for channel in animation["channels"]:
            if names[channel["target"]["node"]] != body:
                continue
            sampler = animation["samplers"][channel["sampler"]]
            times, values = (array(document, binary, sampler[key]) for key in ("input", "output"))
            np.testing.assert_allclose(times[:, 0], run.time, rtol=1e-6)
            if channel["target"]["path"] == "translation":
                np.testing.assert_allclose(values, run[body].values, atol=1e-6)
            else:
                expected = run[f"{body}.quaternion"].values[:, [1, 2, 3, 0]]
                np.testing.assert_allclose(np.abs((values * expected).sum(axis=1)), 1, atol=1e-6)
                assert ((values[1:] * values[:-1]).sum(axis=1) > 0).all()
    for mesh in document["meshes"]:
        (primitive,) = mesh["primitives"]
        vertices = array(document, binary, primitive["attributes"]["POSITION"])
        indices = array(document, binary, primitive["indices"])
        assert indices.max() < len(vertices)
    x, y, z, w = document["nodes"][0]["rotation"]
    up = -np.array([float(g) for g in (0, -9.81, 0)]) / 9.81
    turned = up + 2 * np.cross([x, y, z], np.cross([x, y, z], up) + w * up)
    np.testing.assert_allclose(turned, [0, 1, 0], atol=1e-12)
    with pytest.raises(GyrostatError, match=r"ends in \.glb"):
        gs.export_gltf(run, tmp_path / "run.gltf")


def test_mcap(run: gs.Trajectory, tmp_path: Path) -> None:
    try:
        from mcap.reader import make_reader
    except ImportError:
        with pytest.raises(GyrostatError, match=r"MCAP is written by the package mcap, which is not installed"):
            gs.export_mcap(run, tmp_path / "run.mcap")
        pytest.skip("peer 'mcap' is not installed")
    with pytest.raises(GyrostatError, match=r"ends in \.mcap"):
        gs.export_mcap(run, tmp_path / "run.bag")
    path = gs.export_mcap(run, tmp_path / "run.mcap", "a1")
    with path.open("rb") as stream:
        messages = [
            (channel.topic, m.log_time, json.loads(m.data)) for _, channel, m in make_reader(stream).iter_messages()
        ]
    signals = [content["a1"] for topic, _, content in messages if topic == "/signals"]
    np.testing.assert_allclose(signals, run["a1"].values)
    last = [content for topic, _, content in messages if topic == "/tf"][-1]["transforms"]
    body = run.system.bodies[-1]
    found = next(one["translation"] for one in last if one["child_frame_id"] == body)
    np.testing.assert_allclose(list(found.values()), run[body].values[-1])


def test_command_line(run: gs.Trajectory, tmp_path: Path) -> None:
    run.save(tmp_path / "run.nc")
    for form, name in (("csv", "run.csv"), ("gltf", "run.glb")):
        call = ["export", str(tmp_path / "run.nc"), "--to", form, "--out", str(tmp_path / name)]
        assert CliRunner().invoke(app, call).exit_code == 0
        assert (tmp_path / name).stat().st_size > 1000
    failed = CliRunner().invoke(app, ["export", "x", "--to", "vrml", "--out", "y"])
    assert "--to 'vrml' is not known. Use c, fmu, python, numpy, jax, matlab, csv" in str(failed.exception)
