"""Meshes in DAE, glTF and 3MF, which trimesh reads: units, instances, buffers in other files, hostile files."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import ModelFileError

VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype="<f4")
TRIANGLES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype="<u4")
"""The corner of a cube: volume 1/6, centre of mass at (1, 1, 1)/4."""
BUFFER = VERTICES.tobytes() + TRIANGLES.tobytes()
INSTANCE = '<instance_geometry url="#corner"/>'


@pytest.fixture(autouse=True, scope="module")
def _trimesh() -> None:
    for package in ("trimesh", "collada"):
        pytest.importorskip(package, reason=f"peer {package!r} is not installed")


def dae(node: str = INSTANCE, *, head: str = "", nodes: str = "", unit: str = '<unit meter="0.01"/>') -> bytes:
    numbers, places = (" ".join(map(str, array.ravel())) for array in (VERTICES, TRIANGLES))
    return f"""<?xml version="1.0" encoding="utf-8"?>{head}
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{unit}<up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="corner"><mesh>
<source id="s"><float_array id="a" count="12">{numbers}</float_array>
<technique_common><accessor source="#a" count="4" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">
<input semantic="POSITION" source="#s"/></vertices><triangles count="4">
<input semantic="VERTEX" source="#v" offset="0"/><p>{places}</p></triangles></mesh></geometry></library_geometries>
<library_nodes>{nodes}</library_nodes><library_visual_scenes><visual_scene id="scene"><node id="root">{node}</node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#scene"/></scene></COLLADA>""".encode()


def tree(**changes: Any) -> dict[str, Any]:
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"componentType": 5126, "count": 4, "type": "VEC3", "bufferView": 0},
            {"componentType": 5125, "count": 12, "type": "SCALAR", "bufferView": 1},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 48}],
        "buffers": [{"byteLength": len(BUFFER)}],
        **changes,
    }


def glb(**changes: Any) -> bytes:
    header = json.dumps(tree(**changes)).encode()
    header += b" " * (-len(header) % 4)
    chunks = struct.pack("<I4s", len(header), b"JSON") + header + struct.pack("<I4s", len(BUFFER), b"BIN\0") + BUFFER
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def gltf(address: str) -> bytes:
    return json.dumps(tree(buffers=[{"byteLength": len(BUFFER), "uri": address}])).encode()


def archive(content: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("3D/3dmodel.model", content)
    return stream.getvalue()


def model_3mf() -> bytes:
    vertices = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in VERTICES)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in TRIANGLES)
    return f"""<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>
<object id="1" type="model"><mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object>
</resources><build><item objectid="1"/></build></model>""".encode()


FORMATS: dict[str, tuple[Callable[[], bytes], float]] = {
    "corner.glb": (glb, 1.0),
    "corner.gltf": (lambda: gltf("parts%20of/corner.bin"), 1.0),
    "corner.dae": (dae, 0.01),
    "metres.DAE": (lambda: dae(unit=""), 1.0),
    "corner.3mf": (lambda: archive(model_3mf()), 0.001),
}
"""Contents of files, and their unit in metres."""


@pytest.mark.parametrize("name", FORMATS)
def test_sizes_are_in_metres(name: str, tmp_path: Path) -> None:
    make, unit = FORMATS[name]
    (tmp_path / "parts of").mkdir()
    (tmp_path / "parts of" / "corner.bin").write_bytes(BUFFER)
    (tmp_path / name).write_bytes(make())
    found = gs.mesh_solid(tmp_path / name, density=1)
    assert found.volume == pytest.approx(unit**3 / 6, rel=1e-6)
    np.testing.assert_allclose(found.com, np.full(3, unit / 4), rtol=1e-6)


def test_instances_stand_in_their_poses(tmp_path: Path) -> None:
    moved = f"{INSTANCE}<node><translate>4 0 0</translate><instance_node url='#again'/></node>"
    (tmp_path / "two.dae").write_bytes(dae(moved, nodes=f'<node id="again">{INSTANCE}</node>', unit=""))
    (tmp_path / "two.glb").write_bytes(
        glb(scenes=[{"nodes": [0, 1]}], nodes=[{"mesh": 0}, {"mesh": 0, "translation": [4, 0, 0]}])
    )
    for name in ("two.dae", "two.glb"):
        found = gs.mesh_solid(tmp_path / name, density=1)
        assert found.volume == pytest.approx(1 / 3, rel=1e-6)
        np.testing.assert_allclose(found.com, (2.25, 0.25, 0.25), rtol=1e-6)


def doubled(count: int) -> str:
    """Return nodes each of which has the one before it twice."""
    use = '<instance_node url="#n{0}"/><instance_node url="#n{0}"/>'
    return f'<node id="n0">{INSTANCE}</node>' + "".join(
        f'<node id="n{k}">{use.format(k - 1)}</node>' for k in range(1, count + 1)
    )


ENTITIES = "<!DOCTYPE COLLADA [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>"
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "entities.dae": (lambda: dae(head=ENTITIES), "it contains <!DOCTYPE."),
    "deep.dae": (lambda: dae("<node>" * 5000 + "</node>" * 5000), "nested more than 100 levels deep"),
    "doubled.dae": (lambda: dae('<instance_node url="#n30"/>', nodes=doubled(30)), "instances and buffers have 2"),
    "circle.dae": (lambda: dae('<instance_node url="#root"/>'), "nodes are nested more than 100 levels deep, or in a"),
    "cut.dae": (lambda: dae()[:900], "it is not XML"),
    "nodes.glb": (lambda: glb(nodes=[{"mesh": 0}] * 20_000), "have 400,960,000 bytes together, more than 256,000,000."),
    "count.glb": (
        lambda: glb(accessors=[{"componentType": 5126, "count": 10**12, "type": "VEC3"}]),
        "have 12,000,000,020,000 bytes together",
    ),
    "lost.glb": (lambda: glb(nodes=[{"mesh": 7}]), "its nodes, meshes and accessors do not fit together (IndexError("),
    "index.glb": (
        lambda: glb(accessors=[{**tree()["accessors"][0], "count": 2}, tree()["accessors"][1]]),
        "a triangle has a vertex that is not in the file.",
    ),
    "list.gltf": (lambda: b"[]", "its nodes, meshes and accessors do not fit together (AttributeError("),
    "nested.gltf": (lambda: b"[" * 200_000, "it is malformed: "),
    "empty.glb": (lambda: b"", "it is malformed: "),
    "out.gltf": (lambda: gltf("../corner.bin"), "its buffer '../corner.bin' is no file in its folder. Copy the buffer"),
    "hidden.gltf": (lambda: gltf("%2e%2e/corner.bin"), "its buffer '../corner.bin' is no file in its folder."),
    "link.gltf": (lambda: gltf("link.bin"), "its buffer 'link.bin' is no file in its folder."),
    "null.gltf": (lambda: gltf("a%00b"), r"its buffer 'a\x00b' is no file in its folder."),
    "far.gltf": (lambda: gltf("http://127.0.0.1:9/corner.bin"), "/corner.bin' is no file in its folder."),
    "bomb.3mf": (lambda: archive(bytes(300_000_000)), "have 300,000,000 bytes together"),
    "bytes.3mf": (lambda: b"PK\3\4" + bytes(99), "it is malformed: File is not a zip file. Export it again."),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused(name: str, tmp_path: Path) -> None:
    make, message = HOSTILE[name]
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "corner.bin").write_bytes(BUFFER)
    (folder / "link.bin").symlink_to(tmp_path / "corner.bin")
    (folder / name).write_bytes(make())
    with pytest.raises(ModelFileError) as error:
        gs.mesh_solid(folder / name, density=1)
    assert message in str(error.value)
    assert len(str(error.value)) < 500
