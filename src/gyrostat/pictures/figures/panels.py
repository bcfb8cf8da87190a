"""Panels of curves, drawn."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import PictureError
from gyrostat.pictures.figures.curves import Mark, Panel
from gyrostat.pictures.figures.saving import checked_path, new_figure, save_figure
from gyrostat.pictures.figures.style import DASHES, Look, style
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARK_LIMIT = 60
"""The largest number of marks of events in a panel; further marks are left out."""


def draw_panels(
    panels: Sequence[Panel],
    *,
    title: str = "",
    share_x: bool = True,
    dark: bool = False,
    path: str | os.PathLike[str] | None = None,
    axes: Any = None,
) -> tuple[Axes, ...]:
    """Draw panels, one above the other where they share the x axis, else side by side; return their axes.

    `axes` are those to draw on, as many as there are panels; without them a new figure is made. With a `path` it is
    written and not kept for showing.
    """
    if not panels:
        raise PictureError("There is nothing to plot: no names were given and there are no coordinates.")
    if path is not None:
        checked_path(path)
    with style(dark) as look:
        chosen = _new_axes(len(panels), share_x, path is None) if axes is None else _given_axes(axes, len(panels))
        figure: Any = chosen[0].figure
        for ax, panel in zip(chosen, panels, strict=True):
            _draw(ax, panel, look, label_x=not share_x or panel is panels[-1] or axes is not None)
        for ax, panel in list(zip(chosen, panels, strict=True))[: 1 if share_x else None]:
            _name_marks(ax, panel.marks, look)
        if title and axes is None:
            figure.suptitle(math_words(title), fontsize=11)
        figure.align_ylabels(chosen)
        if path is not None:
            save_figure(figure, path)
    return chosen


def _new_axes(count: int, share_x: bool, shown: bool) -> tuple[Axes, ...]:
    rows, columns = (count, 1) if share_x else (1, count)
    size = (7.2, 1.3 + 2.0 * rows) if share_x else (4.6 * columns, 4.2)
    return tuple(new_figure(size, shown=shown).subplots(rows, columns, sharex=share_x, squeeze=False).ravel())


def _given_axes(given: Any, count: int) -> tuple[Axes, ...]:
    axes = tuple(np.ravel(np.asarray(given, dtype=object)))
    if len(axes) != count:
        raise PictureError(
            f"{len(axes)} axes were given, but there are {count} panels, one for each unit. Give {count}."
        )
    return axes


def _draw(ax: Axes, panel: Panel, look: Look, label_x: bool) -> None:
    for mark in panel.marks[:_MARK_LIMIT]:
        ax.axvline(mark.x, color=look.mark, linewidth=0.8, linestyle=(0, (3, 3)), zorder=1)
    for band in panel.bands:
        colour = look.curves[band.colour % len(look.curves)]
        ax.fill_between(band.x, band.low, band.high, color=colour, alpha=0.22, linewidth=0, label=band.label)
    for curve in panel.curves:
        ax.plot(
            curve.x,
            curve.y,
            label=curve.label,
            color=look.curves[curve.colour % len(look.curves)],
            linestyle="none" if curve.marker else DASHES[curve.dash % len(DASHES)],
            marker=curve.marker or ("o" if len(curve.x) == 1 else None),
        )
    if panel.equal:
        ax.set_aspect("equal", adjustable="datalim")
    if panel.log_x:
        ax.set_xscale("log")
    if panel.log_y:
        ax.set_yscale("log")
    for point, curve in zip(panel.points, panel.curves, strict=False):
        ax.plot(*point, "o", color=look.curves[curve.colour % len(look.curves)], markersize=5)
    ax.set_ylabel(panel.y_label)
    if label_x:
        ax.set_xlabel(panel.x_label)
    named = [curve for curve in panel.curves if curve.label and not curve.label.startswith("_")]
    if len(named) > 1 or (panel.bands and named):
        columns = 1 if len(named) <= 6 else 2
        ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), borderaxespad=0, ncols=columns)


def _name_marks(ax: Axes, marks: Sequence[Mark], look: Look) -> None:
    """Write the names of marks above a panel, each name where it is first met and has room."""
    low, high = ax.get_xlim()
    free_from, seen = low, set()
    for mark in sorted(marks, key=lambda one: one.x)[:_MARK_LIMIT]:
        if mark.label in seen or mark.x < free_from:
            continue
        seen.add(mark.label)
        free_from = mark.x + 0.016 * (len(mark.label) + 1) * (high - low)
        ax.annotate(
            math_words(mark.label),
            (mark.x, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(2, 3),
            textcoords="offset points",
            color=look.mark,
            fontsize=8,
        )
