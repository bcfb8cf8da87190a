"""Panels of curves: drawing, files, refusals."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from pictures import assert_parses, pixels

from gyrostat.errors import GyrostatError, PictureError
from gyrostat.pictures.figures import Curve, Mark, Panel, draw_panels
from gyrostat.pictures.figures.bars import draw_bars
from gyrostat.pictures.figures.style import DARK_LOOK, LIGHT_LOOK
from gyrostat.pictures.symbol_text import math_symbol, math_words, plain_symbol

X = np.linspace(0.0, 1.0, 50)


@pytest.fixture(autouse=True)
def _no_windows():
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def panel(*ys: np.ndarray, label: str = "y (m)", marks: tuple[Mark, ...] = ()) -> Panel:
    return Panel("time (s)", label, [Curve(f"c{i}", X, y, colour=i) for i, y in enumerate(ys)], marks)


def test_panels_share_the_axis_of_time_and_have_their_own_units():
    above, below = draw_panels([panel(X, label="a (rad)"), panel(X**2, X**3, label="b (m)")])
    assert (above.get_ylabel(), below.get_ylabel()) == ("a (rad)", "b (m)")
    assert (above.get_xlabel(), below.get_xlabel()) == ("", "time (s)")
    assert above.get_shared_x_axes().joined(above, below)
    assert above.get_legend() is None, "one curve needs no legend"
    assert [text.get_text() for text in below.get_legend().get_texts()] == ["c0", "c1"]
    assert np.array_equal(below.lines[1].get_ydata(), X**3)


def test_events_are_marked_and_named_once():
    marks = (Mark(0.2, "hit"), Mark(0.5, "hit"), Mark(0.8, "stop"))
    (ax,) = draw_panels([panel(X, marks=marks)])
    assert sorted(line.get_xdata()[0] for line in ax.lines[:3]) == [0.2, 0.5, 0.8]
    assert [text.get_text() for text in ax.texts] == ["hit", "stop"]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ending", ["svg", "pdf", "png"])
def test_files_are_what_they_are_called(tmp_path: Path, ending: str, dark: bool):
    path = tmp_path / f"plot.{ending}"
    draw_panels([panel(X, -X, label=math_symbol("theta_1"))], path=path, dark=dark, title="5 $ and _x")
    assert_parses(path)
    assert list(tmp_path.iterdir()) == [path], "nothing is left lying about"
    if ending == "png":
        paper = (DARK_LOOK if dark else LIGHT_LOOK).paper
        assert pixels(path)[2, 2].tolist() == [int(paper[k : k + 2], 16) for k in (1, 3, 5)]


def test_the_same_picture_has_the_same_file(tmp_path: Path):
    for name in ("a.svg", "b.svg"):
        draw_panels([panel(X)], path=tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_settings_of_matplotlib_stay_as_they_were():
    before = dict(matplotlib.rcParams)
    draw_panels([panel(X)], dark=True)
    assert dict(matplotlib.rcParams) == before


def test_figures_that_are_written_are_not_kept_open(tmp_path: Path):
    from matplotlib import pyplot

    draw_panels([panel(X)], path=tmp_path / "a.svg")
    assert pyplot.get_fignums() == []
    draw_panels([panel(X)])
    assert len(pyplot.get_fignums()) == 1


def test_given_axes_are_drawn_on():
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2)
    assert draw_panels([panel(X), panel(X)], axes=axes) == tuple(axes)
    with pytest.raises(PictureError, match="2 axes were given, but there are 1 panels"):
        draw_panels([panel(X)], axes=axes)
    assert figure.axes == list(axes)


def test_gaps_and_single_points_are_drawn(tmp_path: Path):
    y = np.where(X > 0.5, np.nan, X)
    single = Panel("x", "y", [Curve("one", np.array([1.0]), np.array([2.0]))])
    draw_panels([panel(y), single, panel(np.full_like(X, np.nan))], share_x=False, path=tmp_path / "gap.png")
    assert_parses(tmp_path / "gap.png")


def test_what_cannot_be_drawn_is_refused(tmp_path: Path):
    with pytest.raises(PictureError, match="nothing to plot"):
        draw_panels([])
    with pytest.raises(PictureError, match=r"Curve 'c': \(3,\) values over \(2,\) places"):
        Curve("c", np.zeros(2), np.zeros(3))
    with pytest.raises(PictureError, match="Curve 'c' has no points"):
        Curve("c", np.zeros(0), np.zeros(0))
    with pytest.raises(PictureError, match=r"plot\.jpg: pictures are written as \.svg, \.pdf or \.png"):
        draw_panels([panel(X)], path=tmp_path / "plot.jpg")
    with pytest.raises(GyrostatError, match=r"plot\.svg cannot be written: there is no folder"):
        draw_panels([panel(X)], path=tmp_path / "nowhere" / "plot.svg")
    (tmp_path / "dir.svg").mkdir()
    with pytest.raises(GyrostatError, match="is a folder"):
        draw_panels([panel(X)], path=tmp_path / "dir.svg")


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PictureError, match=r"pip install gyrostat\[plots\]"):
        draw_panels([panel(X)])


def test_every_symbol_can_be_set():
    symbols = ["theta_1", "thetadot_1", "xddot", "z_fl", "Alpha", "Omega", "omicron", "lambda", "a_b_c", "θ_1", "q10"]
    for symbol in symbols:
        (ax,) = draw_panels([panel(X, label=math_symbol(symbol))])
        ax.figure.canvas.draw()
    assert [plain_symbol(s) for s in ("Omega", "q10", "xddot")] == ["Ω", "q₁₀", "x\u0308"]
    assert (math_words("a$b$"), math_words("_x")) == (r"a\$b\$", " _x")


def test_curves_differ_for_people_who_see_no_red_or_no_green():
    """Two colours whose hues fall together must differ in lightness (Viénot, Brettel and Mollon 1999, linear RGB)."""
    missing = {
        "red": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
        "green": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
    }
    for look in (LIGHT_LOOK, DARK_LOOK):
        linear = np.array([[(int(c[k : k + 2], 16) / 255) ** 2.2 for k in (1, 3, 5)] for c in look.curves[:5]])
        for seen in missing.values():
            shown = np.clip(linear @ np.array(seen).T, 0, 1) ** (1 / 2.2)
            apart = np.linalg.norm(shown[:, None] - shown[None], axis=-1) + 10 * np.eye(len(shown))
            assert apart.min() > 0.12


@pytest.mark.parametrize("count", [0, 81])
def test_no_bars_and_too_many_are_refused(count: int):
    with pytest.raises(PictureError, match=rf"{count} bars cannot be drawn: a picture has 1 to 80\. Draw a part"):
        draw_bars(["q"] * count, np.ones(count), np.zeros(count), title="a mode")
