"""Animations, films, stills and notebooks from trajectories and systems."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from pictures import assert_parses, pixels

import gyrostat as gs
from gyrostat.pictures.animation import bundle
from gyrostat.pictures.animation.viewpoint import viewpoint
from gyrostat.pictures.stills.camera import Camera
from gyrostat.shown.trajectory_scene import trajectory_scene

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def trajectory() -> gs.Trajectory:
    return gs.simulate(gs.Model.load(EXAMPLES / "double_pendulum.yaml"), duration=1, step=0.02)


@pytest.fixture
def _page() -> None:
    try:
        bundle.load_bundle()
    except gs.PictureError as error:
        pytest.skip(f"animation page: {error}")


@pytest.mark.usefixtures("_page")
def test_a_page_is_written_and_its_path_returned(trajectory: gs.Trajectory, tmp_path: Path):
    path = trajectory.animate(tmp_path / "a.html", paths=["bar2.tip"], plots=["a1"], title="two bars")
    assert path == tmp_path / "a.html"
    text = path.read_text(encoding="utf-8")
    assert "<title>two bars</title>" in text
    assert len(text) < 2_000_000


@pytest.mark.usefixtures("_page")
def test_the_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The lines of the design, as they stand there."""
    import matplotlib
    from matplotlib import pyplot

    matplotlib.use("Agg")
    monkeypatch.chdir(tmp_path)
    parameters = {"m1": 10, "m2": 5, "l1": 0.5, "l2": 1.0, "g": 9.81}
    model = gs.Model("double pendulum", gravity=(0, "-g", 0), parameters=parameters)
    for i in (1, 2):
        points = {"top": (0, f"l{i}/2", 0), "tip": (0, f"-l{i}/2", 0)}
        model.add(gs.Body(f"bar{i}", gs.rod(f"m{i}", f"l{i}", along="y"), points=points))
    model.add(gs.Revolute("a1", "ground", "bar1.top", axis="z", symbol="theta_1"))
    model.add(gs.Revolute("a2", "bar1.tip", "bar2.top", axis="z", symbol="theta_2"))
    model.add(gs.Actuator("motor", "a1"))
    system = gs.formulate(model)
    traj = gs.simulate(system, duration=20, initial={"a1": gs.deg(30), "a2.rate": 0.1}, step=0.01)
    traj.plot("a1", "a2")
    traj.animate("pendulum.html")
    traj.save("pendulum.nc")
    pyplot.close("all")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pendulum.html", "pendulum.nc"]
    assert Path("pendulum.html").stat().st_size < 2_000_000
    assert_parses(gs.load("pendulum.nc").picture([0, 0.1, 0.2], "loaded.png"))


@pytest.mark.usefixtures("_page")
def test_notebooks_show_the_animation_and_the_summary(trajectory: gs.Trajectory):
    html = trajectory._repr_html_()
    assert html.startswith("<iframe srcdoc=")
    assert "Trajectory of &#x27;double pendulum of bars&#x27;" in html


def test_notebooks_show_the_summary_where_there_is_no_page(trajectory: gs.Trajectory, monkeypatch: pytest.MonkeyPatch):
    from gyrostat.shown import trajectory_pictures

    def missing(_: object) -> str:
        raise gs.PictureError("The script is missing.")

    monkeypatch.setattr(trajectory_pictures, "page_html", missing)
    assert re.match(r"<pre style=[^>]*monospace[^>]*>Trajectory of", trajectory._repr_html_())


def test_films(trajectory: gs.Trajectory, tmp_path: Path):
    short = trajectory.at(np.linspace(0.0, 0.1, 6))
    assert_parses(short.animate(tmp_path / "a.gif", paths=["bar2.tip"]))


def test_a_still_shows_bodies_where_the_trajectory_has_them(trajectory: gs.Trajectory, tmp_path: Path):
    t = 0.371  # between outputs
    image = pixels(trajectory.picture(t, tmp_path / "a.png", view=(0.1, 0.1, 1)))
    scene = trajectory_scene(trajectory.at(np.union1d(trajectory.time, t)), plots=(), view=(0.1, 0.1, 1))
    camera = Camera.fitted(viewpoint(scene))
    height, width = image.shape[:2]
    for body, strongest in (("bar1", 2), ("bar2", 0)):
        x, y = camera.project(trajectory.at(t)[body].values[0])
        seen = image[int((1 - y) / 2 * height), int((x / camera.aspect + 1) / 2 * width)]
        assert int(np.argmax(seen)) == strongest
        assert np.ptp(seen) > 60


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_stroboscopic_pictures(trajectory: gs.Trajectory, tmp_path: Path, ending: str):
    path = trajectory.picture([0.2, 0.4, 0.6], tmp_path / f"a.{ending}", paths=["bar2.tip"], dark=True)
    assert_parses(path)


def test_pictures_of_a_mechanism_that_does_not_move_yet(tmp_path: Path):
    model = gs.Model.load(EXAMPLES / "slider_pendulum.yaml")
    assert_parses(gs.picture(model, tmp_path / "a.png", dark=True))
    assert_parses(gs.picture(gs.formulate(model), tmp_path / "b.svg", view=(1, 0, 0), parameters={"l": 1}))


@pytest.mark.usefixtures("_page")
def test_a_mechanism_that_does_not_move_yet_can_be_looked_at_from_all_sides(tmp_path: Path):
    assert gs.picture(gs.Model.load(EXAMPLES / "four_bar.yaml"), tmp_path / "a.html").exists()


def test_what_cannot_be_done_is_refused(trajectory: gs.Trajectory, tmp_path: Path):
    with pytest.raises(gs.PictureError, match=r"a\.avi: animations are written as \.html, \.gif or \.mp4"):
        trajectory.animate(tmp_path / "a.avi")
    with pytest.raises(gs.GyrostatError, match="cannot be written"):
        trajectory.animate(tmp_path / "nowhere" / "a.html")
    with pytest.raises(gs.GyrostatError, match="cannot be written"):
        trajectory.animate(tmp_path / "nowhere" / "a.gif")
    with pytest.raises(gs.GyrostatError, match="cannot be written"):
        trajectory.picture(0.1, tmp_path / "nowhere" / "a.png")
    with pytest.raises(gs.PictureError, match="A picture without a time"):
        trajectory.picture([], tmp_path / "a.png")
    with pytest.raises(gs.StateError, match=r"t = 7 is outside the trajectory"):
        trajectory.picture(7, tmp_path / "a.png")
    with pytest.raises(gs.PictureError, match="not a trajectory"):
        trajectory.picture(0.1, tmp_path / "a.png", compare={"x": 1})
    assert list(tmp_path.iterdir()) == []
