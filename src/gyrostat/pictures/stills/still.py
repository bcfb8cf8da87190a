"""Stills: a scene at one instant, or at several in one picture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.figures.extra import require_matplotlib
from gyrostat.pictures.figures.saving import checked_path, save_figure
from gyrostat.pictures.figures.style import style
from gyrostat.pictures.scene.scene import Scene
from gyrostat.pictures.stills.colours import rgb
from gyrostat.pictures.stills.facets import Facets
from gyrostat.pictures.stills.ground import grid_lines, shadow_outlines
from gyrostat.pictures.stills.studio import Studio

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LARGEST_FADING = 0.8
"""The fading of the earliest of several instants to the colour of the paper."""
_SCREEN = 110
"""Pixels per inch of a picture on a screen."""
_PATH_FADING = 0.4
"""The fading of paths where several instants are shown."""


def write_still(
    scene: Scene, times: Sequence[float], path: str | os.PathLike[str], *, dark: bool = False, caption: bool = True
) -> Path:
    """Write a picture of a scene at some instants, as .png, .svg or .pdf; earlier ones are lighter."""
    checked_path(path)
    with style(dark):
        figure, axes = empty_still(studio := Studio(scene, dark).at(_checked(scene, times)))
        paint_still(studio, axes, times, caption=caption)
        return save_figure(figure, path)


def still_bytes(scene: Scene, times: Sequence[float], *, dark: bool = False, caption: bool = True) -> bytes:
    """Return a picture of a scene at some instants as the bytes of a PNG file."""
    with style(dark):
        figure, axes = empty_still(studio := Studio(scene, dark).at(_checked(scene, times)))
        paint_still(studio, axes, times, caption=caption)
        held = BytesIO()
        figure.savefig(held, format="png", dpi=_SCREEN)
        return held.getvalue()


def empty_still(studio: Studio) -> tuple[Figure, Axes]:
    """Return a figure for a still, with its ground."""
    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(figsize=studio.size_in_inches, facecolor=studio.paper.paper)
    axes = figure.add_axes((0, 0, 1, 1), frame_on=False)
    axes.set_axis_off()
    aspect = studio.camera.aspect
    axes.set_xlim(-aspect, aspect)
    axes.set_ylim(-1, 1)
    return figure, axes


def paint_still(studio: Studio, axes: Axes, times: Sequence[float], *, caption: bool = True) -> None:
    """Paint ground, shadows, paths and the scene at the given instants."""
    moments = _checked(studio.scene, times)
    last = moments[-1]
    piles = [_pile(studio, time, k, len(moments)) for k, time in enumerate(moments)]
    studio.add_axes(piles[-1])
    if len(piles) > 1:  # paths lie behind the crowd
        piles.insert(0, studio.pile(_PATH_FADING))
    studio.add_paths(piles[0], last)
    _paint_ground(studio, axes, piles[-1])
    for pile in piles:
        _paint(axes, *pile.sorted())
    if caption:
        text = f"t = {last:.4g} s" if len(moments) == 1 else f"t = {moments[0]:.4g} … {last:.4g} s"
        axes.text(0.02, 0.025, text, transform=axes.transAxes, color=studio.paper.ink, fontsize=9, alpha=0.8)


def _checked(scene: Scene, times: Sequence[float]) -> list[float]:
    moments = [float(time) for time in np.ravel(np.asarray(times, dtype=float))]
    first, last = float(scene.times[0]), float(scene.times[-1])
    slack = 1e-9 * max(abs(first), abs(last))
    if not moments:
        raise PictureError("A picture without a time was requested. Give a time, or several.")
    for time in moments:
        if not first - slack <= time <= last + slack:
            raise PictureError(f"t = {time:g} is outside of the scene, which goes from {first:g} to {last:g} s.")
    return sorted(min(max(time, first), last) for time in moments)


def _pile(studio: Studio, time: float, k: int, count: int) -> Facets:
    """Return the facets of the k-th of several instants; objects at rest are painted with the last."""
    part = 1.0 if count == 1 else k / (count - 1)
    pile = studio.pile(_LARGEST_FADING * (1 - part) ** 0.9)
    studio.add_moment(pile, time, moving_only=k < count - 1)
    return pile


def _paint_ground(studio: Studio, axes: Axes, pile: Facets) -> None:
    from matplotlib.collections import LineCollection

    if pile.shadows:
        outlines = shadow_outlines(
            np.concatenate(pile.shadows), studio.view, studio.sun, studio.camera, studio.scene.floor
        )
        colour = np.append(rgb(studio.paper.shadow), 1.0)
        _paint(axes, outlines, np.broadcast_to(colour, (len(outlines), 4)))
    pieces, strength, main = grid_lines(studio.view, studio.camera, studio.scene.floor)
    colours = np.column_stack((np.tile(rgb(studio.paper.grid), (len(pieces), 1)), np.where(main, 0.5, 0.28) * strength))
    lines: Any = pieces
    axes.add_collection(LineCollection(lines, colors=colours, linewidths=0.6, capstyle="butt", zorder=1), autolim=False)


def _paint(axes: Axes, outlines: Any, colours: Any) -> None:
    """Paint faces in order; each has an edge of its own colour, so that no gaps show between neighbours."""
    from matplotlib.collections import PolyCollection

    solid = colours[:, 3] >= 1
    axes.add_collection(
        PolyCollection(
            outlines,
            facecolors=colours,
            edgecolors=np.where(solid[:, None], colours, 0.0),
            linewidths=np.where(solid, 0.35, 0.0),
            joinstyle="round",
            zorder=1,  # as all that is painted: in the order in which it is added
        ),
        autolim=False,
    )
