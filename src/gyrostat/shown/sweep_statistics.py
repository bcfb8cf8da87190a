"""Statistics of sweeps as plots: histograms of all points, and bands over an axis."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import PictureError, StateError
from gyrostat.model.names import did_you_mean
from gyrostat.pictures.figures import Curve, Mark, Panel, draw_panels
from gyrostat.pictures.figures.curves import Band
from gyrostat.pictures.symbol_text import math_words
from gyrostat.shown.output_labels import with_unit
from gyrostat.shown.sweep_plots import fixed

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.sweeps.result import Sweep

_QUANTILES = (0.05, 0.95)
_BANDS = ((0.05, 0.95, "90 %"), (0.25, 0.75, "50 %"))
_PANEL_LIMIT = 6


def plot_histograms(
    sweep: Sweep,
    names: Sequence[str],
    *,
    bins: int | None,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot the counts of values in intervals as steps, with mean and quantiles as marks."""
    panels = []
    for name in names or sweep.names[:_PANEL_LIMIT]:
        array = sweep[name]
        values = np.asarray(array.values, dtype=float).ravel()
        values = values[np.isfinite(values)]
        if not len(values):
            raise PictureError(f"{name!r} has no finite value at any point: there is nothing to count.")
        counts, edges = np.histogram(values, bins=bins or "auto")
        x = np.repeat(edges, 2)
        y = np.concatenate(([0.0], np.repeat(counts.astype(float), 2), [0.0]))
        marks = [Mark(float(values.mean()), "mean")]
        marks += [Mark(float(np.quantile(values, part)), f"{100 * part:g} %") for part in _QUANTILES]
        label = with_unit(math_words(name), array.attrs.get("units", ""))
        panels.append(Panel(label, "number of points", [Curve("points", x, y)], marks))
    return draw_panels(panels, title=sweep.title, share_x=False, dark=dark, path=path, axes=axes)


def plot_bands(
    sweep: Sweep,
    names: Sequence[str],
    over: str | None,
    *,
    at: Mapping[str, float | str],
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot medians and bands of quantiles over one axis, a panel for each variable."""
    panels = []
    for name in names or sweep.names[:_PANEL_LIMIT]:
        array = fixed(sweep[name], at, most=8)
        along = _axis(array, over)
        flat = np.asarray(array.transpose(along, ...).values, dtype=float).reshape(array.sizes[along], -1)
        if flat.shape[1] < 2:
            raise PictureError(f"{name!r} has one value for each {along}: a band needs several, such as samples.")
        x = np.asarray(array[along].values, dtype=float)
        bands = [
            Band(label, x, np.nanquantile(flat, low, axis=1), np.nanquantile(flat, high, axis=1))
            for low, high, label in _BANDS
        ]
        label = with_unit(math_words(name), array.attrs.get("units", ""))
        abscissa = with_unit(math_words(along), array[along].attrs.get("units", ""))
        panels.append(Panel(abscissa, label, [Curve("median", x, np.nanmedian(flat, axis=1))], bands=bands))
    return draw_panels(panels, title=sweep.title, dark=dark, path=path, axes=axes)


def _axis(array: xarray.DataArray, over: str | None) -> str:
    """Return the axis of the abscissa."""
    numeric = [str(dim) for dim in array.dims if array[dim].dtype.kind == "f"]
    if over is None and not numeric:
        dims = ", ".join(map(str, array.dims))
        raise PictureError(f"{array.name!r} goes along {dims}: none of them is an axis of numbers. Plot a histogram.")
    if over is not None and over not in array.dims:
        raise StateError(f"{array.name!r} has no axis {over!r}. {did_you_mean(over, [str(d) for d in array.dims])}")
    return over if over is not None else numeric[-1]
