"""Bars with a second scale: magnitudes of named parts as bars, their phases as squares."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.errors import PictureError
from gyrostat.pictures.figures.saving import checked_path, new_figure, save_figure
from gyrostat.pictures.figures.style import style
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BAR_LIMIT = 80


def draw_bars(
    names: Sequence[str],
    magnitudes: NDArray[np.float64],
    phases: NDArray[np.float64],
    *,
    title: str,
    label: str = "magnitude",
    dark: bool = False,
    path: str | os.PathLike[str] | None = None,
    axes: Any = None,
) -> tuple[Axes, ...]:
    """Draw magnitudes as bars against the left axis and phases (rad) as squares in degrees against the right one."""
    if not len(names) or len(names) > _BAR_LIMIT:
        raise PictureError(f"{len(names)} bars cannot be drawn: a picture has 1 to {_BAR_LIMIT}. Draw a part of them.")
    if path is not None:
        checked_path(path)
    with style(dark) as look:
        left = _new_axes(len(names), path is None) if axes is None else np.ravel(np.asarray(axes, dtype=object))[0]
        places = np.arange(len(names))
        left.bar(places, magnitudes, color=look.curves[0], width=0.6, zorder=2)
        left.set_ylabel(label, color=look.curves[0])
        left.set_xticks(places, [math_words(name) for name in names], rotation=0 if len(names) < 5 else 60, ha="right")
        right = left.twinx()
        right.plot(places, np.degrees(phases), "s", color=look.curves[1], markersize=5)
        right.set_ylabel("phase (°)", color=look.curves[1])
        right.set_ylim(-200, 200)
        right.set_yticks([-180, -90, 0, 90, 180])
        right.grid(False)
        left.set_title(math_words(title))
        if path is not None:
            save_figure(left.figure, path)
    return (left, right)


def _new_axes(count: int, shown: bool) -> Any:
    size = (max(5.0, 1.8 + 0.42 * count), 3.6)
    return new_figure(size, shown=shown).subplots()
