"""Films: stills one after the other, as GIF or MP4."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.figures.saving import checked_path
from gyrostat.pictures.figures.style import style
from gyrostat.pictures.scene.checks import Floats
from gyrostat.pictures.scene.scene import Scene
from gyrostat.pictures.stills.still import empty_still, paint_still
from gyrostat.pictures.stills.studio import Studio
from gyrostat.results.whole_file import whole_file

FORMATS = (".gif", ".mp4")
_FRAMES_PER_SECOND = {".gif": 20, ".mp4": 30}
_SHORTEST_DURATION, _LONGEST_DURATION = 2.0, 15.0
"""Limits of a film's duration (s): motion is shown in real time within them, else slower or faster."""
_DPI = 90


def write_film(scene: Scene, path: str | os.PathLike[str], *, dark: bool = False) -> Path:
    """Write a film of a scene: GIF by Pillow, MP4 by ffmpeg where that is installed."""
    target = checked_path(path, FORMATS, "films")
    kind = target.suffix.lower()
    with style(dark), TemporaryDirectory() as folder:
        writer = _writer(kind)
        studio = Studio(scene, dark)
        figure, axes = empty_still(studio)
        figure.set_size_inches(_even(figure.get_size_inches()))
        film = Path(folder) / f"film{kind}"  # encoders go by the ending
        with writer.saving(figure, str(film), _DPI):
            for time in film_times(scene, _FRAMES_PER_SECOND[kind]):
                _clear(axes)
                paint_still(studio.at([float(time)]), axes, [time])
                writer.grab_frame()
        with whole_file(target, force=True) as temporary:
            shutil.copyfile(film, temporary)
    return target


def film_times(scene: Scene, per_second: int) -> Floats:
    """Return the times that a film shows, evenly spaced."""
    first, last = float(scene.times[0]), float(scene.times[-1])
    lasts = min(max(last - first, _SHORTEST_DURATION), _LONGEST_DURATION)
    return np.linspace(first, last, round(lasts * per_second) + 1) if last > first else np.array([first])


def _writer(kind: str) -> Any:
    from matplotlib.animation import FFMpegWriter, PillowWriter

    if kind == ".gif":
        return PillowWriter(fps=_FRAMES_PER_SECOND[kind])
    if not FFMpegWriter.isAvailable():
        raise PictureError(
            "MP4 films are encoded by the program ffmpeg, which is not found. Install it (its folder must be in PATH), "
            "or write a .gif or an .html animation."
        )
    return FFMpegWriter(fps=_FRAMES_PER_SECOND[kind], codec="libx264", extra_args=["-pix_fmt", "yuv420p"])


def _even(inches: Any) -> tuple[float, float]:
    """Return a size in even numbers of pixels, as encoders require."""
    width, height = (2 * round(float(side) * _DPI / 2) / _DPI for side in inches)
    return width, height


def _clear(axes: Any) -> None:
    """Remove the artists of the last frame."""
    for artist in [*axes.collections, *axes.texts]:
        artist.remove()
