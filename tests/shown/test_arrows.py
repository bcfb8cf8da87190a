"""Loads and other vectors as arrows, axes of frames, and colours of bodies."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from contact_models import GRAVITY, adjustable_ball
from pictured_models import crane

import gyrostat as gs
from gyrostat.errors import PictureError
from gyrostat.pictures.scene import LineKind
from gyrostat.shown.scene_marks import SceneMarks
from gyrostat.shown.trajectory_scene import trajectory_scene


@cache
def bounce() -> gs.Trajectory:
    given = {"initial": {"h": 0.1005}, "parameters": {"g": GRAVITY, "k": 1e5}}
    return gs.simulate(adjustable_ball(), duration=0.1, step=1e-3, **given)


@cache
def pendulum() -> gs.Trajectory:
    model = gs.Model("pendulum", gravity=(0, -GRAVITY, 0))
    model.add(gs.Body("bob", gs.sphere(2.0, 0.05), points={"eye": (0, 1, 0)}))
    model.add(gs.Revolute("swing", "ground", "bob.eye", initial=0.8))
    model.add(gs.SpringDamper("spring", ("ground", (1, -1, 0)), "bob", stiffness=50, length=0.5))
    model.add(gs.Force("push", "bob", ("3", 0, 0)))
    return gs.simulate(model, duration=1, step=0.05)


def arrows(run: gs.Trajectory, **marks: object) -> dict[str, list[np.ndarray]]:
    """Return first and last points of arrows, by name."""
    found: dict[str, list[np.ndarray]] = {}
    for line in trajectory_scene(run, marks=SceneMarks(**marks)).lines:
        if line.kind is LineKind.ARROW:
            found.setdefault(line.name, []).append(line.points)
    return found


def test_forces_are_drawn_on_request_while_bodies_touch() -> None:
    run = bounce()
    (points,) = arrows(run, forces=["c"])["c"]
    pressed = run["c.force"].values > 0
    assert pressed.any()
    assert not pressed.all()
    assert (np.isfinite(points).all(axis=(1, 2)) == pressed).all()
    way = (points[:, 1] - points[:, 0])[pressed]
    np.testing.assert_allclose(
        way[:, 2] / way[:, 2].max(), (run["c.force"].values / run["c.force"].values.max())[pressed]
    )
    np.testing.assert_allclose(points[pressed, 0], run["c.point"].values[pressed])
    assert arrows(run) == {}


def test_all_loads_have_one_scale() -> None:
    run = pendulum()
    found = arrows(run, forces="all")
    assert sorted(found) == ["push", "spring", "swing (reaction)"]
    (push,), (reaction,) = found["push"], found["swing (reaction)"]
    scale = np.linalg.norm(push[:, 1] - push[:, 0], axis=1) / 3
    np.testing.assert_allclose(scale, scale[0])
    force = run.reaction("swing")["force"].values
    np.testing.assert_allclose(reaction[:, 1] - reaction[:, 0], scale[0] * force, atol=1e-12)
    on_ground, on_bob = found["spring"]
    np.testing.assert_allclose(on_ground[:, 1] - on_ground[:, 0], on_bob[:, 0] - on_bob[:, 1], atol=1e-12)
    along = on_bob[:, 0] - on_ground[:, 0]
    pull = ((on_ground[:, 1] - on_ground[:, 0]) * along).sum(axis=1)
    assert (np.sign(pull) == np.sign(run["spring.force"].values)).all(), "tension draws the ends to each other"


def test_ropes_pull_at_both_ends() -> None:
    run = crane()
    drum, load = arrows(run, forces=["rope"])["rope"]
    taut = run["rope.tension"].values > 1
    np.testing.assert_allclose(load[taut, 0], run["load.hook"].values[taut], atol=1e-12)
    assert (load[taut, 1, 1] > load[taut, 0, 1]).all(), "upwards at the load"
    assert (drum[taut, 1, 1] < drum[taut, 0, 1]).all()


def test_vectors_start_at_their_places() -> None:
    run = pendulum()
    (points,) = arrows(run, vectors=["bob.velocity"])["bob.velocity"]
    moving = np.isfinite(points).all(axis=(1, 2))
    np.testing.assert_allclose(points[moving, 0], run["bob"].values[moving], atol=1e-12)
    way, velocity = points[moving, 1] - points[moving, 0], run["bob.velocity"].values[moving]
    scale = np.linalg.norm(way, axis=1) / np.linalg.norm(velocity, axis=1)
    np.testing.assert_allclose(way, scale[:1, None] * velocity, atol=1e-12)


def test_frames_and_colours() -> None:
    run = pendulum()
    scene = trajectory_scene(run, marks=SceneMarks(frames=["bob.eye"], colour="energy", poster=0.5))
    bob = scene.bodies[0]
    assert [shape.colour for shape in bob.shapes if shape.colour][::2] == ["#d8504d", "#4c9f50", "#4a7fd6"]
    kinetic = run.energy()["kinetic"].values
    assert scene.scale is not None
    np.testing.assert_allclose(bob.tones * scene.scale.high, kinetic, atol=1e-9)
    assert scene.poster == 0.5
    speed = trajectory_scene(run, marks=SceneMarks(colour="speed"))
    expected = np.linalg.norm(run["bob.velocity"].values, axis=1)
    assert speed.scale is not None
    np.testing.assert_allclose(speed.bodies[0].tones * speed.scale.high, expected, atol=1e-9)


def test_wrong_names_are_refused() -> None:
    with pytest.raises(PictureError, match=r"no contact, joint, rope or force 'd' .*'?c'?"):
        arrows(bounce(), forces=["d"])
    with pytest.raises(PictureError, match="are lists of names"):
        arrows(bounce(), forces="c")
    with pytest.raises(PictureError, match="'swing' is not a vector"):
        arrows(pendulum(), vectors=["swing"])
    with pytest.raises(PictureError, match="There is no body or point 'rod' whose axes could be drawn"):
        arrows(pendulum(), frames=["rod"])
    with pytest.raises(PictureError, match="cannot be coloured by 'heat'"):
        arrows(pendulum(), colour="heat")
    with pytest.raises(PictureError, match="no beam that could be coloured"):
        arrows(pendulum(), colour="moment")
    with pytest.raises(PictureError, match=r"poster is at 7 s; choose a time from 0 to 1 s"):
        arrows(pendulum(), poster=7.0)
