"""The records of a scene: contents and refusals."""

import numpy as np
import pytest
from scenes import ALONG_Y, double_pendulum, turn_z

from gyrostat.errors import PictureError
from gyrostat.pictures.scene import (
    JointMark,
    LineKind,
    Plot,
    Polyline,
    Scene,
    SceneBody,
    SceneEvent,
    SceneJoint,
    ScenePath,
    SceneShape,
    ShapeKind,
    inertia_ellipsoid,
    link_lines,
    overlay,
)

BALL = SceneShape(ShapeKind.SPHERE, {"radius": 0.1})


def body(name="b", frames=3, **changes):
    return SceneBody(**{"name": name, "shapes": [BALL], "positions": np.zeros((frames, 3)), **changes})


def test_corners_are_placed_on_the_body():
    rod = SceneShape(ShapeKind.CYLINDER, {"radius": 0.1, "length": 2}, ALONG_Y, [5, 0, 0])
    np.testing.assert_allclose(rod.corners().max(axis=0), [5.1, 1, 0.1])
    np.testing.assert_allclose(rod.corners().min(axis=0), [4.9, -1, -0.1])
    cone = SceneShape(ShapeKind.CONE, {"radius": 1, "length": 4})
    assert (cone.corners()[:, 2].min(), cone.corners()[:, 2].max()) == (-1, 3)


def test_ellipsoid_of_a_box_has_the_inertia_of_the_box():
    mass, sides, com = 3.0, np.array([1.0, 2.0, 4.0]), np.array([0.1, 0.2, 0.3])
    moments = mass / 12 * (sides @ sides - sides**2)
    turn = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])
    shape = inertia_ellipsoid(mass, turn @ np.diag(moments) @ turn.T, com)
    a2 = shape.dimensions["semi_axes"] ** 2
    back = shape.rotation @ np.diag(mass / 5 * (a2.sum() - a2)) @ shape.rotation.T
    np.testing.assert_allclose(back, turn @ np.diag(moments) @ turn.T, atol=1e-12)
    np.testing.assert_allclose(np.linalg.det(shape.rotation), 1)
    np.testing.assert_array_equal(shape.position, com)


@pytest.mark.parametrize(("mass", "inertia"), [(0.0, np.eye(3)), (1.0, np.zeros((3, 3)))])
def test_a_body_without_inertia_is_a_point(mass, inertia):
    assert inertia_ellipsoid(mass, inertia).kind is ShapeKind.POINT


def test_the_ellipsoid_of_a_thin_rod_can_be_seen():
    semi_axes = inertia_ellipsoid(1.0, np.diag([1.0, 1.0, 0.0])).dimensions["semi_axes"]
    assert semi_axes.min() > 0.03 * semi_axes.max()


def test_link_lines_lead_to_all_points_but_the_hub():
    lines = link_lines([0, 0, 0], [[1, 0, 0], [0, 0, 0], [0, 2, 0]])
    assert [line.dimensions["points"][1].tolist() for line in lines] == [[1, 0, 0], [0, 2, 0]]


def test_quaternions_become_unit_and_broken_ones_missing():
    held = body(quaternions=[[2, 0, 0, 0], [0, 0, 0, 0], [np.inf, 0, 0, 0]]).quaternions
    np.testing.assert_array_equal(held[0], [1, 0, 0, 0])
    assert np.isnan(held[1:]).all()


def test_arrays_are_copies_that_cannot_be_changed():
    given = np.zeros((3, 3))
    made = body(positions=given)
    given[:] = 7
    assert not made.positions.any()
    with pytest.raises(ValueError, match="read-only"):
        made.positions[0] = 1


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Scene("s", [], [body()]), r"Scene 's' has no frames: there is nothing to animate"),
        (lambda: Scene("s", [0, 1, 2]), r"Scene 's' has neither bodies nor lines"),
        (lambda: Scene("s", [0, 2, 1], [body()]), r"its times go back at frame 2; sort them"),
        (lambda: Scene("s", [0, np.nan, 1], [body()]), r"times contain numbers that are not finite"),
        (lambda: Scene("s", [0, 1], [body()]), r"body 'b' has 3 frames, but there are 2 times"),
        (lambda: Scene("s", [0, 1, 2], [body(), body()]), r"2 bodies are named 'b'"),
        (lambda: Scene("s", [0, 1, 2], [body()], gravity=[0, np.nan, 0]), r"components of gravity contain"),
        (lambda: Scene("s", [0, 1, 2], [body()], view=[0, 0, 0]), r"its view has no direction"),
        (
            lambda: Scene("s", [0, 1, 2], [body()], paths=[ScenePath("p", "c")]),
            r"path 'p' is on body 'c', which does not exist. Known: 'b'",
        ),
        (
            lambda: Scene("s", [0, 1, 2], [body()], joints=[SceneJoint("j", JointMark.HINGE, "c")]),
            r"joint 'j' is on body 'c'",
        ),
        (
            lambda: Scene("s", [0, 1, 2], [body()], plots=[Plot("x", "m", {"x": [1, 2]})]),
            r"series 'x' of plot 'x' has 2 frames, but there are 3 times",
        ),
        (
            lambda: body(positions=np.zeros((3, 2))),
            r"Body 'b': positions have the shape \(3, 2\); they need \(frames, 3\)",
        ),
        (lambda: body(positions="up"), r"Body 'b': positions are not numbers"),
        (lambda: body(colour="red"), r"Body 'b': 'red' is not a colour; write one as '#rrggbb'"),
        (lambda: Plot("x", "m", {}), r"Plot 'x' has no series"),
        (lambda: Polyline("l", LineKind.ROPE, np.zeros((3, 1, 3))), r"Line 'l' has 1 points in a frame"),
        (lambda: Polyline("l", LineKind.ROPE, np.zeros((3, 2, 3)), radius=0), r"Line 'l': a radius of 0 was given"),
        (
            lambda: Polyline("l", LineKind.BEAM, np.zeros((3, 2, 3)), tones=np.zeros((3, 3))),
            r"Line 'l': tones are numbers from 0 to 1, one for each point",
        ),
        (
            lambda: Polyline("l", LineKind.SPRING, np.zeros((3, 2, 3)), tones=np.zeros((3, 2))),
            r"Line 'l' is drawn as spring, which has no tones",
        ),
        (lambda: SceneJoint("j", JointMark.HINGE, "", axis=[0, 0, 0]), r"Joint 'j': its axis is zero"),
        (lambda: SceneEvent(np.nan, "e"), r"Event 'e' has the time nan"),
        (lambda: SceneShape(ShapeKind.SPHERE, {"size": 1}), r"dimensions \['size'\] were given; it has \['radius'\]"),
        (lambda: SceneShape(ShapeKind.SPHERE, {"radius": np.nan}), r"Shape 'sphere': radius contain numbers"),
        (lambda: SceneShape(ShapeKind.POINT, {}, opacity=0), r"an opacity of 0 was given"),
        (
            lambda: SceneShape(ShapeKind.POINT, {}, rotation=np.diag([1, 1, -1])),
            r"Shape 'point': its rotation is not one",
        ),
        (lambda: overlay({}), r"An overlay without runs"),
        (lambda: overlay({"a": overlay({"b": double_pendulum(3)})}), r"Run 'a' is an overlay itself"),
    ],
)
def test_what_cannot_be_drawn_is_refused_by_name(make, message):
    with pytest.raises(PictureError, match=message):
        make()


def test_an_overlay_brings_runs_to_common_times():
    slow = Scene("s", [0.0, 2.0], [body(positions=[[0, 0, 0], [2, 0, 0]], quaternions=turn_z([0, 1]))])
    fast = Scene(
        "f",
        [0.0, 1.0],
        [],
        [Polyline("rope", LineKind.ROPE, [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [3, 0, 0]]])],
        plots=[Plot("x", "m", {"x": [5, 6]})],
    )
    both = overlay({"slow": slow, "fast": fast})
    np.testing.assert_array_equal(both.times, [0, 1, 2])
    np.testing.assert_allclose(both.bodies[0].positions[:, 0], [0, 1, 2])
    np.testing.assert_allclose(both.bodies[0].quaternions, turn_z([0, 0.5, 1]), atol=1e-12)
    np.testing.assert_allclose(both.lines[0].points[:2, 1, 0], [1, 3])
    assert np.isnan(both.lines[0].points[2]).all()
    assert both.runs == ("slow", "fast")
    np.testing.assert_array_equal(both.plots[0].series["fast: x"], [5, 6, np.nan])


def test_an_overlay_keeps_runs_apart():
    both = overlay({"one": double_pendulum(50), "two": double_pendulum(50, release=(1, 1))}, title="both")
    assert [(b.run, b.name) for b in both.bodies] == [
        ("one", "bar1"),
        ("one", "bar2"),
        ("two", "bar1"),
        ("two", "bar2"),
    ]
    assert list(both.plots[0].series) == ["one: θ₁", "one: θ₂", "two: θ₁", "two: θ₂"]
    assert {event.name for event in both.events} == {"one: fastest", "two: fastest"}
    assert both.title == "both"
