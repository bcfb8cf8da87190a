"""Pictures of trajectories and systems: animations, films, stills, and frames for notebooks."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.errors import GyrostatError, PictureError
from gyrostat.model import Model
from gyrostat.pictures.animation import notebook_frame, page_html, write_page
from gyrostat.pictures.scene import Scene
from gyrostat.pictures.stills import Picture, still_bytes, write_film, write_still
from gyrostat.shown.scene_marks import SceneMarks
from gyrostat.shown.trajectory_scene import initial_scene, trajectory_scene
from gyrostat.system import System, system_of

if TYPE_CHECKING:
    from gyrostat.analysis.simulation.trajectory import Trajectory

_BODY_LIMIT = 60
"""Models with more bodies than this have no picture in notebooks, which would take long."""
_PAGES, _FILMS = (".html", ".htm"), (".gif", ".mp4")


def animate(
    trajectory: Trajectory,
    path: str | os.PathLike[str],
    *,
    paths: Iterable[str],
    plots: Iterable[str] | None,
    compare: Mapping[str, Trajectory] | None,
    title: str | None,
    view: ArrayLike | None,
    marks: SceneMarks,
    dark: bool,
) -> Path:
    """Write an animation: a page for browsers (.html), or a film (.gif, .mp4)."""
    shown = plots if is_page(path) else ()
    scene = trajectory_scene(trajectory, paths=paths, plots=shown, compare=compare, title=title, view=view, marks=marks)
    return write_animation(scene, path, dark=dark)


def is_page(path: str | os.PathLike[str]) -> bool:
    """Return whether an animation is written as a page for browsers, not as a film; refuse other endings."""
    kind = Path(path).suffix.lower()
    if kind not in (*_PAGES, *_FILMS):
        raise PictureError(f"{path}: animations are written as .html, .gif or .mp4; choose a file name that ends so.")
    return kind in _PAGES


def write_animation(scene: Scene, path: str | os.PathLike[str], *, dark: bool) -> Path:
    """Write a scene as a page for browsers or as a film, by the file's ending."""
    return write_page(scene, path) if is_page(path) else write_film(scene, Path(path), dark=dark)


def trajectory_picture(
    trajectory: Trajectory,
    t: ArrayLike,
    path: str | os.PathLike[str] | None,
    *,
    paths: Iterable[str],
    compare: Mapping[str, Trajectory] | None,
    view: ArrayLike | None,
    marks: SceneMarks,
    dark: bool,
) -> Path | Picture:
    """Write or return a still at a time, or one of several instants, in which earlier ones are lighter."""
    moments = np.unique(np.atleast_1d(np.asarray(t, dtype=float)))
    if not len(moments):
        raise PictureError("A picture without a time was requested. Give a time, or several: picture([0, 0.5, 1], …).")
    scene = trajectory_scene(_with(trajectory, moments), paths=paths, plots=(), compare=compare, view=view, marks=marks)
    if path is None:
        return Picture(still_bytes(scene, moments.tolist(), dark=dark))
    return write_still(scene, moments.tolist(), path, dark=dark)


def picture(
    system: System | Model,
    path: str | os.PathLike[str] | None = None,
    *,
    parameters: Mapping[str, object] | None = None,
    view: ArrayLike | None = None,
    dark: bool = False,
) -> Path | Picture:
    """Write a picture (.png, .svg, .pdf) or a page (.html) of a mechanism in its initial position.

    Without a path the picture is returned, for a notebook.
    """
    scene = initial_scene(system_of(system), parameters=parameters, view=view)
    if path is None:
        return Picture(still_bytes(scene, [0.0], dark=dark, caption=False))
    if Path(path).suffix.lower() in _PAGES:
        return write_page(scene, path)
    return write_still(scene, [0.0], path, dark=dark, caption=False)


def model_image(model: Model) -> str:
    """Return a picture of a model in its initial position for a notebook; an empty text where there can be none.

    A model with faults, an initial position that cannot be assembled and a missing matplotlib leave the tables.
    """
    if not 0 < len(model.bodies) <= _BODY_LIMIT:
        return ""
    try:
        still = picture(model)
    except (GyrostatError, ArithmeticError, ValueError):
        return ""
    assert isinstance(still, Picture)
    data = base64.b64encode(still.png).decode("ascii")
    return f'<img alt="{escape(model.name)}" style="max-width: 480px" src="data:image/png;base64,{data}"/>'


def notebook_html(trajectory: Trajectory) -> str:
    """Return an animation in a frame; an empty text where the page or the scene cannot be made."""
    try:
        return notebook_frame(page_html(trajectory_scene(trajectory)))
    except PictureError:
        return ""


def _with(trajectory: Trajectory, moments: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Trajectory:
    """Return the trajectory with outputs at some times; of several, restricted to the interval between them."""
    times = trajectory.time
    if len(moments) > 1:
        times = times[(times >= moments[0]) & (times <= moments[-1])]
    missing = np.setdiff1d(moments, times)
    if not len(missing) and len(times) == len(trajectory.time):
        return trajectory
    return trajectory.at(np.union1d(times, moments))
