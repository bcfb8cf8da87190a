"""Scenes as the page's data: coding, thinning, viewpoint."""

import base64
import zlib

import numpy as np
import pytest
from campaign import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scenes import catalogue, double_pendulum, spinning_top, turn_z

from gyrostat.errors import PictureError
from gyrostat.pictures.animation.coding import exact, joined, stepped
from gyrostat.pictures.animation.header import page_data
from gyrostat.pictures.animation.thinning import VISIBLE_ERROR, frames_to_keep, signal_frames
from gyrostat.pictures.animation.viewpoint import viewpoint
from gyrostat.pictures.interpolation import Moments
from gyrostat.pictures.rotation import rotated
from gyrostat.pictures.scene import LineKind, Polyline, Scene, SceneBody, ScenePath, SceneShape, ShapeKind

BALL = SceneShape(ShapeKind.SPHERE, {"radius": 0.1})


def decoded(coded):
    """Read a coded array, plainly: numbers from planes, sums over time, steps."""
    facts, count = coded.facts, int(np.prod(coded.facts["shape"]))
    octets = np.frombuffer(coded.data, np.uint8)
    planes = octets[: facts["planes"] * count].reshape(facts["planes"], count).astype(np.int64)
    numbers = (planes * (256 ** np.arange(len(planes)))[:, None]).sum(axis=0)
    changes = np.where(numbers % 2, -(numbers + 1) // 2, numbers // 2).reshape(facts["shape"])
    values = changes.cumsum(axis=0) * facts["step"]
    if facts.get("missing"):
        values[octets[facts["planes"] * count :].reshape(facts["shape"]).astype(bool)] = np.nan
    return values


@given(
    arrays(
        np.float64, st.tuples(st.integers(1, 12), st.integers(1, 4)), elements=st.floats(-1e3, 1e3) | st.just(np.nan)
    ),
    st.sampled_from([1e-5, 0.01, 3.0]),
)
def test_coded_arrays_come_back_within_half_a_step(values, step):
    back = decoded(stepped(values, step))
    np.testing.assert_array_equal(np.isnan(back), np.isnan(values))
    assert np.nanmax(np.abs(back - values), initial=0) <= step * (0.5 + 1e-6)


def test_times_are_kept_exactly_and_arrays_lie_where_the_table_says():
    times = np.array([0.0, 0.1, 1 / 3])
    table, text = joined({"a": stepped(np.ones((3, 1)), 0.5), "times": exact(times)})
    data = zlib.decompress(base64.b64decode(text))
    assert table["times"]["offset"] % 8 == 0
    np.testing.assert_array_equal(np.frombuffer(data, "<f8", 3, table["times"]["offset"]), times)


def test_scales_that_differ_too_much_are_refused():
    far = SceneBody("far", [BALL], [[0, 0, 0], [1e12, 0, 0]])
    with pytest.raises(PictureError, match="cannot be drawn in steps of"):
        page_data(Scene("s", [0, 1], [far]))


def errors(scene, kept):
    """Return how far things would be drawn from where they are, over all frames."""
    part = Moments.between(scene.times[kept], scene.times)
    worst = 0.0
    for body in scene.bodies:
        corners = np.concatenate([shape.corners() for shape in body.shapes])
        positions = np.broadcast_to(body.positions, (scene.frames, 3))
        quaternions = np.broadcast_to(body.quaternions, (scene.frames, 4))
        true = positions[:, None] + rotated(quaternions[:, None], corners)
        drawn = part.linear(positions[kept])[:, None] + rotated(part.rotations(quaternions[kept])[:, None], corners)
        worst = max(worst, np.nanmax(np.linalg.norm(true - drawn, axis=-1)))
    for line in scene.lines:
        worst = max(worst, np.nanmax(np.linalg.norm(line.points - part.linear(line.points[kept]), axis=-1)))
    return worst


@pytest.mark.parametrize("make", [double_pendulum, spinning_top, catalogue])
def test_thinned_runs_look_the_same(make):
    scene = make(6000)
    view = viewpoint(scene)
    kept = frames_to_keep(scene, view, small=0)
    assert len(kept) < 0.6 * scene.frames
    assert (kept[0], kept[-1]) == (0, scene.frames - 1)
    assert errors(scene, kept) < 1.5 * VISIBLE_ERROR * view.size


def test_small_scenes_are_kept_whole():
    scene = double_pendulum(2000)
    assert len(frames_to_keep(scene, viewpoint(scene))) == 2000


def test_paths_stay_smooth():
    times = np.linspace(0, 10, 5000)
    arm = SceneBody("arm", [BALL], [0, 0, 0], turn_z(times))
    scene = Scene("s", times, [arm], paths=[ScenePath("far", "arm", [3, 0, 0])])
    kept = frames_to_keep(scene, viewpoint(scene), small=0)
    angle = np.diff(times[kept]).max()
    assert 3 * (1 - np.cos(angle / 2)) < 2 * VISIBLE_ERROR * viewpoint(scene).size
    assert len(kept) < 1000


@settings(max_examples=examples(100))
@given(st.integers(2, 998))
def test_jumps_and_gaps_are_kept(at):
    times = np.linspace(0, 1, 1000)
    places = np.zeros((1000, 3))
    places[at:, 0] = 1
    jump = Scene("s", times, [SceneBody("b", [BALL], places)])
    assert {at - 1, at} <= set(frames_to_keep(jump, viewpoint(jump), small=0).tolist())
    places = places.copy()
    places[at:] = np.nan
    gap = Scene("s", times, [SceneBody("b", [BALL], places)])
    kept = frames_to_keep(gap, viewpoint(gap), small=0)
    assert {at - 1, at} <= set(kept.tolist())
    assert len(kept) < 10


def test_frames_at_the_same_time_are_kept():
    times = np.concatenate([np.linspace(0, 1, 500), np.linspace(1, 2, 500)])
    places = np.zeros((1000, 3))
    places[500:, 0] = 1
    scene = Scene("s", times, [SceneBody("b", [BALL], places)])
    kept = frames_to_keep(scene, viewpoint(scene), small=0)
    assert {499, 500} <= set(kept.tolist())


def test_what_cannot_be_thinned_is_thinned_to_the_limit():
    noise = np.random.default_rng(1).normal(size=(20_000, 3))
    scene = Scene("s", np.linspace(0, 1, 20_000), [SceneBody("b", [BALL], noise)])
    assert len(frames_to_keep(scene, viewpoint(scene), small=0, most=1500)) <= 1500
    assert len(frames_to_keep(scene, viewpoint(scene), small=0)) > 15_000


def test_curves_keep_their_peaks():
    times = np.linspace(0, 1, 100_000)
    curve = np.sin(40 * times)
    curve[54_321] = 17
    gapped = np.where((times > 0.2) & (times < 0.3), np.nan, times)
    scene = Scene("s", times, [SceneBody("b", [BALL], [0, 0, 0])])
    kept = signal_frames(scene, [curve, gapped])
    assert 54_321 in kept
    assert len(kept) < 8000
    assert np.isnan(gapped[kept]).any()


@pytest.mark.parametrize(
    ("gravity", "turned", "front"),
    [((0, -9.81, 0), np.eye(3), (0, 0, 1)), ((0, 0, -9.81), [[1, 0, 0], [0, 0, -1], [0, 1, 0]], (0, -1, 0))],
)
def test_plane_motion_is_seen_from_its_front(gravity, turned, front):
    plane = double_pendulum(200)
    bodies = [SceneBody(b.name, [BALL], b.positions @ np.transpose(turned)) for b in plane.bodies]
    view = viewpoint(Scene("s", plane.times, bodies, gravity=gravity))
    assert view.direction @ np.array(front) > 0.9
    np.testing.assert_allclose(view.up, -np.array(gravity) / 9.81)


def test_plane_motion_on_a_table_is_seen_from_above():
    plane = double_pendulum(200)
    bodies = [SceneBody(b.name, [BALL], b.positions) for b in plane.bodies]
    assert viewpoint(Scene("s", plane.times, bodies, gravity=[0, 0, -9.81])).direction[2] > 0.8


def test_the_outline_holds_all_motion():
    scene = double_pendulum(300)
    view = viewpoint(scene)
    tips = scene.bodies[1].positions + rotated(scene.bodies[1].quaternions, np.array([0, -0.5, 0]))
    assert (view.low <= tips.min(axis=0) + 1e-9).all()
    assert (tips.max(axis=0) <= view.high + 1e-9).all()
    np.testing.assert_allclose(view.swept.max(axis=0), view.high, atol=0.05)


def test_a_scene_that_is_never_anywhere_is_refused():
    lost = SceneBody("lost", [BALL], np.full((2, 3), np.nan))
    with pytest.raises(PictureError, match="no body and no line has a finite pose in any frame"):
        page_data(Scene("s", [0, 1], [lost]))


def test_a_point_at_rest_has_a_view():
    header, _ = page_data(Scene("s", [0.0], [], [Polyline("rope", LineKind.ROPE, np.zeros((2, 3)))]))
    assert header["size"] == 1.0
    assert np.isfinite(header["direction"]).all()


def test_tones_of_a_line_are_written():
    points = np.zeros((2, 3, 3))
    points[:, :, 0] = [0, 1, 2]
    lines = [
        Polyline(name, LineKind.BEAM, points, tones=tones) for name, tones in (("a", None), ("b", np.ones((2, 3))))
    ]
    header, _ = page_data(Scene("s", [0.0, 1.0], [], lines))
    assert "tone0" not in header["arrays"]
    assert list(header["arrays"]["tone1"]["shape"]) == [2, 3]
