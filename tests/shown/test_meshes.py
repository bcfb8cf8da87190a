"""Meshes in pictures: read from files, shared between bodies, and reduced to a budget."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gyrostat as gs
from gyrostat.errors import GyrostatError
from gyrostat.pictures.animation.header import page_data
from gyrostat.pictures.meshes import Mesh, decimated, read_mesh
from gyrostat.pictures.meshes.decimation import clustered
from gyrostat.shown.mesh_shapes import triangles_of_each
from gyrostat.shown.trajectory_scene import initial_scene


def ball(count: int) -> Mesh:
    """Return a unit sphere of triangles, by latitude and longitude."""
    polar, around = np.meshgrid(np.linspace(0, np.pi, count), np.linspace(0, 2 * np.pi, 2 * count), indexing="ij")
    vertices = np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1)
    i, j = np.meshgrid(np.arange(count - 1), np.arange(2 * count - 1), indexing="ij")
    a, b = i * 2 * count + j, (i + 1) * 2 * count + j
    triangles = np.concatenate([np.stack([a, b, b + 1], -1), np.stack([a, b + 1, a + 1], -1)]).reshape(-1, 3)
    return Mesh(vertices.reshape(-1, 3), triangles)


def write_obj(path: Path, mesh: Mesh) -> Path:
    lines = [f"v {x} {y} {z}" for x, y, z in mesh.vertices] + [
        f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.triangles
    ]
    path.write_text("\n".join(lines))
    return path


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.corners[:, k] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


@pytest.mark.parametrize(("most", "error"), [(100, 0.5), (1000, 0.1), (5000, 0.03)])
def test_decimation_keeps_the_shape(most: int, error: float) -> None:
    whole = ball(80)
    found = decimated(whole, most)
    assert most / 4 < len(found.triangles) <= most
    assert np.linalg.norm(found.vertices, axis=1).max() <= 1 + 1e-12
    assert volume(found) == pytest.approx(4 * np.pi / 3, rel=error)
    assert len(decimated(whole, 10**6).triangles) == len(whole.merged().triangles)


def test_clusters_of_a_flat_mesh() -> None:
    flat = Mesh(np.zeros((3, 3)), np.array([[0, 1, 2]]))
    assert len(clustered(flat, 10).triangles) == 0


@pytest.fixture
def robot(tmp_path: Path) -> gs.Model:
    """Two bodies with the same mesh, and the ground with another."""
    path, other = write_obj(tmp_path / "ball.obj", ball(60)), write_obj(tmp_path / "small.obj", ball(8))
    model = gs.Model("robot", gravity=(0, 0, -9.81))
    model.add(gs.Body("ground", shape=gs.shapes.Mesh(str(other))))
    model.add(gs.Body("a", mass=1, inertia=(1, 1, 1), shape=gs.shapes.Mesh(str(path), scale=(0.5, 0.5, 0.5))))
    mirrored = gs.shapes.Mesh(str(path), scale=(0.5, 0.5, 0.5), at=(0, 0, 1))
    model.add(gs.Body("b", mass=1, inertia=(1, 1, 1), shape=[mirrored, gs.shapes.Mesh(str(path), scale=(-1, 1, 1))]))
    model.add(gs.Revolute("h", "ground", "a", axis="x"))
    model.add(gs.Revolute("k", ("a", (0, 0, 1)), "b", axis="x"))
    return model


def test_scenes_share_meshes(robot: gs.Model) -> None:
    scene = initial_scene(gs.formulate(robot))
    header, text = page_data(scene)
    numbers = [shape["mesh"] for body in header["bodies"] for shape in body["shapes"] if shape["kind"] == "mesh"]
    assert header["meshes"] == 3
    assert sorted(numbers) == [0, 0, 1, 2]
    assert header["arrays"]["triangles0"]["shape"][0] < 60 * 120 * 2
    assert len(text) < 400_000
    shapes = {body.name: body.shapes for body in scene.bodies}
    assert volume(scene_mesh(shapes["a"][0])) > 0
    assert volume(scene_mesh(shapes["b"][1])) > 0  # mirrored, turned outside out again
    assert np.abs(shapes["a"][0].corners()).max() == pytest.approx(0.5, abs=0.01)


def scene_mesh(shape: object) -> Mesh:
    dimensions = shape.dimensions  # type: ignore[attr-defined]
    return Mesh(dimensions["vertices"], dimensions["triangles"].astype(int))


def test_the_budget_is_shared(robot: gs.Model) -> None:
    value = robot.evaluator()
    assert triangles_of_each(robot.bodies.values(), value) == 20_000
    crowd = [gs.Body(f"b{i}", mass=1, shape=gs.shapes.Mesh(f"{i}.stl")) for i in range(100)]
    assert triangles_of_each(crowd, value) == 2000


def test_pictures_and_files(robot: gs.Model, tmp_path: Path) -> None:
    run = gs.simulate(gs.formulate(robot), duration=0.1)
    run.animate(tmp_path / "robot.html")
    run.picture(0.05, tmp_path / "robot.png")
    assert (tmp_path / "robot.png").stat().st_size > 10_000
    robot.save(tmp_path / "robot.yaml")
    assert gs.Model.load(tmp_path / "robot.yaml") == robot


def test_faults(tmp_path: Path) -> None:
    with pytest.raises(GyrostatError, match=r"file: it is empty\. Give the path of a mesh"):
        gs.shapes.Mesh(" ")
    model = gs.Model("lost")
    model.add(gs.Body("a", mass=1, inertia=(1, 1, 1), shape=gs.shapes.Mesh(str(tmp_path / "none.stl"))))
    model.add(gs.Revolute("h", "ground", "a"))
    with pytest.raises(GyrostatError, match=r"none\.stl: it cannot be read: No such file"):
        initial_scene(gs.formulate(model))


def test_formats_of_trimesh(tmp_path: Path) -> None:
    path = tmp_path / "ball.ply"
    mesh = ball(8)
    lines = ["ply", "format ascii 1.0", f"element vertex {len(mesh.vertices)}"]
    lines += [f"property float {axis}" for axis in "xyz"]
    lines += [f"element face {len(mesh.triangles)}", "property list uchar int vertex_indices", "end_header"]
    lines += [f"{x} {y} {z}" for x, y, z in mesh.vertices] + [f"3 {a} {b} {c}" for a, b, c in mesh.triangles]
    path.write_text("\n".join(lines))
    try:
        import trimesh  # noqa: F401
    except ImportError:
        with pytest.raises(GyrostatError, match=r"meshes in \.ply are read by trimesh, which is not installed"):
            read_mesh(path)
    else:
        assert volume(read_mesh(path)) == pytest.approx(volume(mesh), rel=1e-5)
