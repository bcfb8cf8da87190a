"""Stills: bodies are drawn at their projections, near ones hide far ones, files parse."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from pictures import assert_parses, pixels
from scenes import catalogue, double_pendulum

from gyrostat.errors import GyrostatError, PictureError
from gyrostat.pictures.animation.viewpoint import viewpoint
from gyrostat.pictures.scene import (
    JointMark,
    LineKind,
    Polyline,
    Scene,
    SceneBody,
    SceneJoint,
    ScenePath,
    SceneShape,
    ShapeKind,
    overlay,
)
from gyrostat.pictures.stills import write_film, write_still
from gyrostat.pictures.stills.camera import Camera
from gyrostat.pictures.stills.film import film_times
from gyrostat.pictures.stills.lines import line_meshes
from gyrostat.pictures.stills.mesh import Mesh
from gyrostat.pictures.stills.shapes import mark_mesh, shape_mesh
from gyrostat.pictures.stills.studio import Studio

BALL = {"radius": 0.1}


def balls(*places: tuple[float, float, float], view: object = None, **options: object) -> Scene:
    colours = ["#ff0000", "#00ff00", "#0000ff"]
    bodies = [
        SceneBody(f"ball{i}", [SceneShape(ShapeKind.SPHERE, BALL)], place, colour=colours[i])
        for i, place in enumerate(places)
    ]
    return Scene("balls", [0.0, 1.0], bodies, gravity=[0, 0, -9.81], view=view, **options)


def pixel_of(scene: Scene, place: object, image: np.ndarray) -> tuple[int, int]:
    """Return row and column where a place must be seen."""
    camera = Camera.fitted(viewpoint(scene))
    x, y = camera.project(np.asarray(place, dtype=float))
    height, width = image.shape[:2]
    return int((1 - y) / 2 * height), int((x / camera.aspect + 1) / 2 * width)


def hue(colour: np.ndarray) -> int:
    """Return which of red, green and blue stands out; −1 if none does."""
    order = np.sort(colour)
    return int(np.argmax(colour)) if order[2] > 1.6 * order[1] + 10 else -1


@pytest.mark.parametrize("view", [None, (1.0, 0.4, 0.3), (0.0, 0.0, 1.0), (-1.0, 2.0, -0.4)])
def test_bodies_are_seen_where_their_projection_says(tmp_path: Path, view: object):
    places = [(0.0, 0.0, 0.5), (1.0, 0.3, 0.2), (-0.4, 1.1, 1.2)]
    scene = balls(*places, view=view)
    image = pixels(write_still(scene, [0.5], tmp_path / "a.png"))
    for i, place in enumerate(places):
        assert hue(image[pixel_of(scene, place, image)]) == i


def test_a_body_is_where_the_moment_says(tmp_path: Path):
    times = np.linspace(0, 1, 11)
    way = np.stack([times, 0 * times, 0.5 + 0 * times], axis=1)
    scene = Scene("one", times, [SceneBody("b", [SceneShape(ShapeKind.SPHERE, BALL)], way, colour="#ff0000")])
    for moment in (0.0, 0.25, 1.0):
        image = pixels(write_still(scene, [moment], tmp_path / "a.png"))
        assert hue(image[pixel_of(scene, (moment, 0, 0.5), image)]) == 0
        assert hue(image[pixel_of(scene, ((moment + 0.5) % 1.0, 0, 0.5), image)]) == -1


def test_nearer_things_hide_farther_ones(tmp_path: Path):
    near_then_far = [(0.0, -1.0, 0.5), (0.0, 1.0, 0.5)]
    for places, seen in ((near_then_far, 0), (near_then_far[::-1], 1)):
        scene = balls(*places, view=(0.0, -1.0, 0.0))
        image = pixels(write_still(scene, [0.0], tmp_path / "a.png"))
        assert hue(image[pixel_of(scene, (0.0, -1.1, 0.5), image)]) == seen


def test_of_crossing_bars_in_one_plane_one_is_seen_all_over(tmp_path: Path):
    """Their pieces, in the order of depths, were mixed where the plane is seen obliquely."""
    half = np.radians(25)
    turns = [(np.cos(half), 0, 0, np.sin(half)), (1, 0, 0, 0)]
    bars = [
        SceneBody(f"bar{k}", [SceneShape(ShapeKind.BOX, {"size": [1, 0.25, 0.03]})], [5, 0, 0], turn, colour=colour)
        for k, (turn, colour) in enumerate(zip(turns, ("#ff0000", "#00ff00"), strict=True))
    ]
    scene = Scene("bars", [0.0], bars, gravity=[0, -9.81, 0], view=(0.44, 0.4, 0.8))
    image = pixels(write_still(scene, [0.0], tmp_path / "a.png"))
    common = [(x, y, 0.015) for x in np.linspace(4.9, 5.1, 21) for y in np.linspace(-0.08, 0.08, 17)]
    assert {hue(image[pixel_of(scene, place, image)]) for place in common} == {1}


def test_what_is_in_a_translucent_body_is_seen(tmp_path: Path):
    veil = SceneShape(ShapeKind.ELLIPSOID, {"semi_axes": [0.5, 0.5, 0.3]}, colour="#0000ff", opacity=0.6)
    scene = Scene(
        "veil",
        [0.0],
        [
            SceneBody("core", [SceneShape(ShapeKind.SPHERE, BALL)], [0, 0, 0], colour="#ff0000"),
            SceneBody("veil", [veil], [0, 0, 0]),
            SceneBody("behind", [SceneShape(ShapeKind.SPHERE, BALL)], [0.4, 3, 0.4], colour="#00ff00"),
        ],
        view=[0, -1, 0],
    )
    image = pixels(write_still(scene, [0.0], tmp_path / "a.png"))
    assert hue(image[pixel_of(scene, (0, 0, 0), image)]) == 0
    assert hue(image[pixel_of(scene, (-0.3, 0, 0), image)]) == 2
    red, green, blue = image[pixel_of(scene, (0.4, 3, 0.4), image)]
    assert blue > green > red + 20, "what is behind shines through"


def test_all_that_moves_fits_in_the_picture():
    for scene in (double_pendulum(frames=200), catalogue(frames=50)):
        view = viewpoint(scene)
        camera = Camera.fitted(view)
        seen = camera.project(view.outline)
        assert np.abs(seen[:, 0]).max() <= camera.aspect
        assert np.abs(seen[:, 1]).max() <= 1.0
        assert (camera.depth(view.outline) > 0).all()
        assert max(np.abs(seen[:, 0]).max() / camera.aspect, np.abs(seen[:, 1]).max()) > 0.8, "and fills it"


def test_earlier_moments_are_lighter(tmp_path: Path):
    times = np.linspace(0, 2, 21)
    way = np.stack([times, 0 * times, 0.5 + 0 * times], axis=1)
    scene = Scene("one", times, [SceneBody("b", [SceneShape(ShapeKind.SPHERE, BALL)], way, colour="#ff0000")])
    image = pixels(write_still(scene, [0.0, 1.0, 2.0], tmp_path / "a.png"))
    greens = [image[pixel_of(scene, (x, 0, 0.5), image)][1] for x in (0.0, 1.0, 2.0)]
    assert greens[0] > greens[1] + 20 > greens[2] + 40


def volume(mesh: Mesh) -> float:
    """Return the volume inside a closed surface, by the divergence theorem; faces must look outwards."""
    a, b, c, d = (mesh.vertices[mesh.faces[:, k]] for k in range(4))
    halves = [(a, b, c), (a, c, d)]
    return float(sum(np.einsum("fi,fi->", np.cross(p, q), r) for p, q, r in halves) / 6)


@pytest.mark.parametrize(
    ("kind", "dimensions", "exact"),
    [
        (ShapeKind.BOX, {"size": [1.0, 2.0, 3.0]}, 6.0),
        (ShapeKind.CYLINDER, {"radius": 0.5, "length": 2.0}, np.pi / 2),
        (ShapeKind.TUBE, {"outer_radius": 0.5, "inner_radius": 0.3, "length": 2.0}, 0.32 * np.pi),
        (ShapeKind.SPHERE, BALL, 4 / 3 * np.pi * 1e-3),
        (ShapeKind.ELLIPSOID, {"semi_axes": [1.0, 2.0, 3.0]}, 8 * np.pi),
        (ShapeKind.CONE, {"radius": 1.0, "length": 3.0}, np.pi),
        (ShapeKind.RING, {"radius": 1.0, "wire_radius": 0.1}, 2 * np.pi**2 * 0.01),
    ],
)
def test_surfaces_enclose_the_volume_of_their_shape(kind: ShapeKind, dimensions: dict, exact: float):
    turned = SceneShape(kind, dimensions, [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [3.0, -1.0, 2.0])
    for size in (1.0, 30.0):
        mesh = shape_mesh(turned, size)
        assert volume(mesh) == pytest.approx(exact, rel=0.08)
        box = turned.corners()
        assert (mesh.vertices >= box.min(axis=0) - 1e-9).all()
        assert (mesh.vertices <= box.max(axis=0) + 1e-9).all()


def test_marks_are_closed_surfaces():
    for mark in JointMark:
        assert volume(mark_mesh(mark, 0.1)) > 0


@pytest.mark.parametrize("kind", list(LineKind))
@pytest.mark.parametrize("length", [0.0, 0.3, 2.0])
def test_lines_reach_from_end_to_end(kind: LineKind, length: float):
    points = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0 + length]])
    line = Polyline("s", kind, np.stack([points, points + np.array([[0, 0, 0], [0, 0, 1.0]])]))
    for mesh in line_meshes(line, points, size=2.0):
        assert np.isfinite(mesh.vertices).all()
        room = 0.02 if length else 0.05  # one without length lies flat
        assert mesh.vertices[:, 2].min() == pytest.approx(3.0, abs=room)
        assert mesh.vertices[:, 2].max() == pytest.approx(3.0 + length, abs=room)


def test_paths_lead_through_the_places_of_their_point():
    scene = double_pendulum(frames=101, duration=2.0)
    way = Studio(scene).way(scene.paths[0], until=1.0)
    assert len(way) == 51
    bar = scene.bodies[1]
    assert np.linalg.norm(way - bar.positions[:51], axis=1) == pytest.approx(0.5)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_everything_that_can_be_drawn_is_written(tmp_path: Path, ending: str, dark: bool):
    path = write_still(catalogue(frames=20), [0.0, 2.0], tmp_path / f"all.{ending}", dark=dark)
    assert_parses(path)
    assert list(tmp_path.iterdir()) == [path]


def test_runs_that_are_compared_have_their_colours(tmp_path: Path):
    scene = double_pendulum(frames=51, duration=1.0)
    other = double_pendulum(frames=51, duration=1.0, release=(1.0, 1.0))
    studio = Studio(overlay({"a": scene, "b": other}))
    assert [studio.colour(k) for k in range(4)] == [studio.colour(0)] * 2 + [studio.colour(2)] * 2
    assert studio.colour(0) != studio.colour(2)
    assert_parses(write_still(studio.scene, [0.5], tmp_path / "a.png"))


def test_bodies_without_a_known_pose_are_left_out(tmp_path: Path):
    places = np.array([[0.0, 0, 0], [np.nan] * 3, [1.0, 0, 0]])
    shapes = [SceneShape(ShapeKind.SPHERE, BALL)]
    scene = Scene(
        "gap",
        [0.0, 1.0, 2.0],
        [SceneBody("b", shapes, places), SceneBody("still", shapes, [0, 0, 1.0])],
        joints=[SceneJoint("j", JointMark.BALL, "b")],
        paths=[ScenePath("p", "b")],
    )
    assert_parses(write_still(scene, [0.0, 1.0, 2.0], tmp_path / "a.png"))


def test_films_show_the_motion(tmp_path: Path):
    from PIL import Image

    scene = double_pendulum(frames=11, duration=0.2)
    path = write_film(scene, tmp_path / "film.gif")
    assert_parses(path)
    with Image.open(path) as image:
        assert image.n_frames == len(film_times(scene, 20)) == 41, "short motion is slowed down"
    assert len(film_times(double_pendulum(frames=11, duration=60.0), 20)) == 301, "long motion is sped up"


def test_what_cannot_be_drawn_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    scene = balls((0.0, 0.0, 0.0))
    with pytest.raises(PictureError, match="A picture without a time"):
        write_still(scene, [], tmp_path / "a.png")
    with pytest.raises(PictureError, match=r"t = 3 is outside of the scene, which goes from 0 to 1 s"):
        write_still(scene, [3.0], tmp_path / "a.png")
    with pytest.raises(PictureError, match=r"a\.bmp: pictures are written as"):
        write_still(scene, [0.0], tmp_path / "a.bmp")
    with pytest.raises(GyrostatError, match="there is no folder"):
        write_still(scene, [0.0], tmp_path / "nowhere" / "a.png")
    with pytest.raises(PictureError, match=r"films are written as \.gif or \.mp4"):
        write_film(scene, tmp_path / "a.avi")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PictureError, match="ffmpeg, which is not found"):
        write_film(scene, tmp_path / "a.mp4")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PictureError, match=r"pip install gyrostat\[plots\]"):
        write_still(scene, [0.0], tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []
