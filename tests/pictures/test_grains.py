"""Grains in scenes, pages and stills."""

import numpy as np
import pytest

from gyrostat.errors import PictureError
from gyrostat.pictures.animation.header import page_data
from gyrostat.pictures.scene import Scene, SceneGrains, overlay
from gyrostat.pictures.stills.still import write_still


def _scene(count=30, frames=5):
    times = np.linspace(0, 1, frames)
    places = np.random.default_rng(1).uniform(0, 1, (frames, count, 3))
    return Scene("heap", times, grains=[SceneGrains("sand", times, places, np.full(count, 0.05))])


def test_pages_have_positions_and_radii_of_grains():
    header, _ = page_data(_scene())
    assert header["grains"] == [{"name": "sand", "run": 0, "colour": "#b08d57"}]
    assert header["arrays"]["grain_points0"]["shape"] == [5, 30, 3]
    assert header["arrays"]["grain_radii0"]["shape"] == [30]


def test_very_many_positions_are_thinned_to_frames_that_a_page_can_hold():
    grains = SceneGrains("sand", np.arange(200.0), np.zeros((200, 5000, 3)), np.ones(5000))
    assert len(grains.times) == 100
    assert (grains.times[0], grains.times[-1]) == (0, 199)


def test_positions_between_frames_are_linear():
    grains = SceneGrains("sand", [0, 1], [[(0, 0, 0)], [(1, 2, 4)]], [0.1])
    assert np.allclose(grains.at(0.25), [[0.25, 0.5, 1.0]])
    assert np.allclose(grains.at(9), [[1, 2, 4]])


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_stills_draw_grains(tmp_path, ending):
    path = write_still(_scene(), [0.3], tmp_path / f"heap.{ending}")
    assert path.stat().st_size > 4000


def test_runs_with_grains_are_compared():
    both = overlay({"a": _scene(), "b": _scene()})
    assert [one.run for one in both.grains] == ["a", "b"]


def test_wrong_shapes_are_explained():
    with pytest.raises(PictureError, match=r"positions have the shape \(2, 1, 3\); they need \(1, 1, 3\)"):
        SceneGrains("sand", [0], np.zeros((2, 1, 3)), [0.1])
