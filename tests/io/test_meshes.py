"""Mass properties of closed meshes, in STL and OBJ; meshes that are not closed, malformed and hostile files."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError, ModelFileError
from gyrostat.pictures.meshes.mesh import Mesh

FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
"""Faces of a box whose corner 4i + 2j + k is at (x_i, y_j, z_k), seen from outside."""


def box(low: Any = (1, -1, 2), high: Any = (3, 2, 2.5)) -> Mesh:
    corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i, j, k in np.ndindex(2, 2, 2)])
    triangles = [three for a, b, c, d in FACES for three in ((a, b, c), (a, c, d))]
    return Mesh(corners.astype(float), np.array(triangles))


def binary(mesh: Mesh) -> bytes:
    rows = (
        np.concatenate((np.zeros(3), corners.ravel())).astype("<f4").tobytes() + b"\0\0" for corners in mesh.corners
    )
    return b"title".ljust(80) + len(mesh.triangles).to_bytes(4, "little") + b"".join(rows)


def ascii_(mesh: Mesh) -> bytes:
    def facet(corners: Any) -> str:
        vertices = "\n".join("vertex " + " ".join(map(repr, row)) for row in corners.tolist())
        return f"facet normal 0 0 0\nouter loop\n{vertices}\nendloop\nendfacet"

    return ("solid box\n" + "\n".join(map(facet, mesh.corners)) + "\nendsolid box\n").encode()


def obj(mesh: Mesh) -> bytes:
    """Return an OBJ with faces of four corners, texture and normals, and vertices counted backwards."""
    vertices = "\n".join("v " + " ".join(map(repr, row)) for row in mesh.vertices.tolist())
    first, *others = FACES
    count = len(mesh.vertices)
    lines = ["# a box", "vn 0 0 1", vertices, "f " + " ".join(str(place - count) for place in first)]
    lines += ["f " + " ".join(f"{place + 1}/1/1" for place in face) for face in others]
    return "\n".join(lines).encode()


WRITERS = {"binary.stl": binary, "ascii.STL": ascii_, "box.obj": obj}


@pytest.mark.parametrize("name", WRITERS)
def test_a_box_in_every_format(name, tmp_path):
    (tmp_path / name).write_bytes(WRITERS[name](box()))
    found = gs.mesh_solid(tmp_path / name, density=2.0)
    assert found.volume == pytest.approx(3)
    assert found.mass == pytest.approx(6)
    np.testing.assert_allclose(found.com, (2, 0.5, 2.25))
    expected = np.diag([9 + 0.25, 4 + 0.25, 4 + 9]) / 2
    np.testing.assert_allclose(found.inertia, expected, atol=1e-12)
    model = gs.Model("one")
    model.add(gs.Body("box", mass=found.mass, com=found.com, inertia=found.inertia))
    model.add(gs.Free("flight", "ground", "box"))
    np.testing.assert_allclose(
        gs.formulate(model).mass_matrix([1, 0, 0, 0, 0, 0, 0]).trace(), 18 + 13.25 + 6 * 2 * 9.3125
    )


def test_mass_scale_and_mirror(tmp_path):
    path = tmp_path / "box.stl"
    path.write_bytes(binary(box()))
    small = gs.mesh_solid(path, mass=5, scale=1e-3)
    assert small.volume == pytest.approx(3e-9)
    np.testing.assert_allclose(np.diag(small.inertia), np.array([9.25, 4.25, 13]) * 5e-6 / 12)
    mirrored = gs.mesh_solid(path, mass=5, scale=(-1, 1, 1))  # turns the mesh inside out
    np.testing.assert_allclose(mirrored.com, (-2, 0.5, 2.25))
    np.testing.assert_allclose(np.diag(mirrored.inertia), np.array([9.25, 4.25, 13]) * 5 / 12)


def test_a_tetrahedron_has_the_inertia_of_the_integral(tmp_path):
    """Products of inertia as well: of x, y, z ≥ 0, x + y + z ≤ 1, ∫xy dV = 1/120 and ∫x² dV = 1/60."""
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    mesh = Mesh(vertices, np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]))
    (tmp_path / "corner.stl").write_bytes(binary(mesh))
    found = gs.mesh_solid(tmp_path / "corner.stl", density=1)
    second = np.full((3, 3), 1 / 120) + np.eye(3) / 120 - np.full((3, 3), 1 / 96)
    np.testing.assert_allclose(found.inertia, np.trace(second) * np.eye(3) - second, atol=1e-15)


def test_meshes_that_are_not_closed(tmp_path):
    path = tmp_path / "box.stl"
    whole = box()
    turned = whole.triangles.copy()
    turned[3] = turned[3][::-1]
    for triangles, count in ((whole.triangles[1:], 3), (turned, 3)):
        path.write_bytes(binary(Mesh(whole.vertices, triangles)))
        with pytest.raises(ModelFileError) as error:
            gs.mesh_solid(path, density=1)
        assert f"box.stl: the mesh is not closed: {count} edges have a triangle on one side only" in str(error.value)
        assert "Repair it in a mesh tool, or give mass=…" in str(error.value)
    path.write_bytes(binary(Mesh(whole.vertices, np.vstack((whole.triangles[:1], whole.triangles[:1, ::-1])))))
    with pytest.raises(ModelFileError, match=r"the mesh encloses no volume\. Is it flat\?"):
        gs.mesh_solid(path, density=1)


MALFORMED = {
    "empty.stl": (b"", "it is malformed: its header promises 0 triangles"),
    "cut.stl": (binary(box())[:-7], "it is malformed: its header promises 12 triangles, 684 bytes, but it has 677."),
    "many.stl": (b"x" * 80 + b"\xff" * 4, "its header promises 4,294,967,295 triangles, 214,748,364,834 bytes"),
    "words.stl": (b"solid a\nvertex a b c\n", "it is malformed: could not convert string to float"),
    "two.stl": (b"solid a\nvertex 1 2 3\nvertex 1 2 3\n", "it has 2 vertices, no whole number of triangles."),
    "none.stl": (b"solid a\nendsolid a", "it has no triangles. Is this the whole file?"),
    "infinite.stl": (ascii_(box()).replace(b"2.5", b"inf"), "a vertex is not finite."),
    "short.obj": (b"v 1 2\n", "line 1 has a vertex without three coordinates."),
    "far.obj": (b"v 1 2 3\nf 1 2 3\n", "line 2 has a face with vertex 2, of 1 before it."),
    "zero.obj": (b"v 1 2 3\nf 0 1 1\n", "line 2 has a face with vertex 0, of 1 before it."),
    "words.obj": (b"v 1 2 3\nf a b c\n", "it is malformed: invalid literal for int()"),
    "digits.obj": (b"v 1 2 3\nf " + b"9" * 1_000_000, "it is malformed: Exceeds the limit"),
    "binary.obj": (bytes(range(256)) * 1000, "it has no triangles."),
    "mesh.step": (b"<COLLADA/>", "the suffix '.step' is none of a mesh that is read here. Convert it to .stl or .obj"),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_and_hostile_files(name, tmp_path):
    content, message = MALFORMED[name]
    (tmp_path / name).write_bytes(content)
    start = time.perf_counter()
    with pytest.raises(ModelFileError) as error:
        gs.mesh_solid(tmp_path / name, density=1)
    assert message in str(error.value)
    assert len(str(error.value)) < 500
    assert time.perf_counter() - start < 20  # on an idle machine all take less than one


def test_files_that_cannot_be_read(tmp_path, monkeypatch):
    (tmp_path / "folder.stl").mkdir()
    for path in (tmp_path / "absent.stl", tmp_path / "folder.stl", "a\0b.stl"):
        with pytest.raises(ModelFileError, match=r"it cannot be read: .* Check the path and its permissions\."):
            gs.mesh_solid(path, density=1)
    with (tmp_path / "large.stl").open("wb") as file:
        file.truncate(70_000_000)
    with pytest.raises(ModelFileError, match=r"large\.stl: it has more than 64,000,000 bytes\. Reduce it"):
        gs.mesh_solid(tmp_path / "large.stl", density=1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_pipes_and_devices_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.stl")
    (tmp_path / "device.stl").symlink_to("/dev/zero")
    for name in ("pipe.stl", "device.stl"):
        message = rf"{name}: it is a pipe or a device, not a file\. Write its content to a file first\."
        with pytest.raises(ModelFileError, match=message):
            gs.mesh_solid(tmp_path / name, density=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, r"takes either density=… \(kg/m³\) or mass=… \(kg\)\."),
        ({"density": 1, "mass": 1}, "takes either density"),
        ({"mass": 0}, r"mass=0 is not positive\."),
        ({"density": float("nan")}, r"density=nan is not positive\."),
        ({"mass": 1, "scale": (1, 0, 1)}, r"scale=\(1, 0, 1\) is not one number or three, none of them zero\."),
        ({"mass": 1, "scale": (1, 2)}, r"scale=\(1, 2\) is not one number or three"),
    ],
)
def test_wrong_arguments(arguments, message, tmp_path):
    (tmp_path / "box.stl").write_bytes(binary(box()))
    with pytest.raises(GyrostatError, match=message):
        gs.mesh_solid(tmp_path / "box.stl", **arguments)
