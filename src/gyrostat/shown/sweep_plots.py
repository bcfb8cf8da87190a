"""Plots of sweeps: curves over one axis, maps over two, points over samples."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.sweeps.plan import POINT, SAMPLE
from gyrostat.errors import PictureError, StateError
from gyrostat.model.names import did_you_mean
from gyrostat.pictures.figures.saving import checked_path, new_figure, save_figure
from gyrostat.pictures.figures.style import Look, style
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

    from gyrostat.analysis.sweeps.result import Sweep

_JOINT_AXES = (SAMPLE, POINT)
"""Axes along which several names change together."""
_COLOURS = "viridis"


def plot_sweep(
    sweep: Sweep,
    names: Sequence[str],
    *,
    at: Mapping[str, float | str],
    path: str | os.PathLike[str] | None,
    log: bool,
    dark: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Draw variables, a panel for each; over samples a panel for each sampled name as well."""
    if path is not None:
        checked_path(path)
    arrays = [fixed(sweep[name], at) for name in names or sweep.names[:4]]
    with style(dark) as look:
        panels = [panel for array in arrays for panel in _panels(sweep, array)]
        chosen = _new_axes(len(panels), path is None) if axes is None else tuple(np.ravel(np.asarray(axes, object)))
        if len(chosen) != len(panels):
            raise PictureError(f"{len(chosen)} axes were given, but there are {len(panels)} panels. Give as many.")
        for ax, (array, sampled) in zip(chosen, panels, strict=True):
            _draw(ax, array, sampled, look, log)
        if axes is None:
            figure: Any = chosen[0].figure
            figure.suptitle(math_words(sweep.title), fontsize=11)
        if path is not None:
            save_figure(chosen[0].figure, path)  # type: ignore[arg-type]
    return chosen


def fixed(array: xarray.DataArray, at: Mapping[str, float | str], most: int = 2) -> xarray.DataArray:
    """Return an array with some axes fixed, at the value nearest to a given one or at a label; `most` may be left."""
    for dim, value in at.items():
        if dim not in array.dims:
            hint = did_you_mean(dim, [str(one) for one in array.dims])
            raise StateError(f"{array.name!r} has no axis {dim!r} to be fixed. {hint}")
        labels = array[dim].values
        if labels.dtype.kind == "U" and value not in labels:
            raise StateError(f"The axis {dim!r} has no {value!r}. {did_you_mean(str(value), labels.tolist())}")
        away = labels != value if labels.dtype.kind == "U" else np.abs(labels - value)
        array = array.isel({dim: int(np.argmin(away))})
    if array.ndim > most:
        rest = ", ".join(map(str, array.dims))
        raise PictureError(f"{array.name!r} goes along {rest}. Fix all but two of them: plot(…, {array.dims[-1]}=…).")
    if not array.ndim:
        raise PictureError(f"{array.name!r} is a single number here. Fix fewer axes.")
    return array


def _panels(sweep: Sweep, array: xarray.DataArray) -> list[tuple[xarray.DataArray, str]]:
    """Return the array of each panel and the name of its abscissa for samples."""
    together = [axis for axis in sweep.plan.axes if axis.dim in array.dims and axis.dim in _JOINT_AXES]
    if not together:
        return [(array, "")]
    if array.ndim > 1:
        raise PictureError(
            f"{array.name!r} goes along {array.dims[0]} and {array.dims[1]}. Fix the one that is a grid."
        )
    return [(array, name) for name, column in together[0].columns.items() if column.dtype.kind == "f"]


def _new_axes(count: int, shown: bool) -> tuple[Axes, ...]:
    columns = min(count, 3)
    rows = -(-count // columns)
    size = (5.2 * columns if count > 1 else 6.4, 4.2 * rows + 0.3)
    found = new_figure(size, shown=shown).subplots(rows, columns, squeeze=False).ravel()
    for empty in found[count:]:
        empty.remove()
    return tuple(found[:count])


def _draw(ax: Axes, array: xarray.DataArray, sampled: str, look: Look, log: bool) -> None:
    if sampled:
        ax.plot(array[sampled].values, array.values, ".", color=look.curves[0], markersize=3)
        ax.set_xlabel(_label(array[sampled]))
        ax.set_ylabel(_label(array))
    elif array.ndim == 1:
        _draw_curve(ax, array, look)
    elif any(array[dim].dtype.kind != "f" for dim in array.dims):
        _draw_family(ax, array, look)
    else:
        _draw_map(ax, array, look, log)
        return
    if log:
        ax.set_yscale("log")


def _draw_curve(ax: Axes, array: xarray.DataArray, look: Look) -> None:
    along = array[array.dims[0]]
    marker = "o" if array.size <= 40 else None
    ax.plot(along.values, array.values, color=look.curves[0], marker=marker, markersize=3.5)
    ax.set_xlabel(_label(along))
    ax.set_ylabel(_label(array))


def _draw_family(ax: Axes, array: xarray.DataArray, look: Look) -> None:
    """Draw a curve for each label of the axis that has words, such as the components of a vector."""
    words = next(dim for dim in array.dims if array[dim].dtype.kind != "f")
    for i, label in enumerate(array[words].values):
        one = array.sel({words: label})
        colour = look.curves[i % len(look.curves)]
        ax.plot(one[one.dims[0]].values, one.values, color=colour, label=math_words(str(label)))
    ax.set_xlabel(_label(one[one.dims[0]]))
    ax.set_ylabel(_label(array))
    ax.legend()


def _draw_map(ax: Axes, array: xarray.DataArray, look: Look, log: bool) -> None:
    """Draw a map, the first axis to the right; points without a value are grey."""
    x, y = (array[dim] for dim in array.dims)
    ax.set_facecolor(look.grid)
    ax.grid(visible=False)
    values = np.ma.masked_invalid(array.values.T)
    if log:
        values = np.ma.masked_less_equal(values, 0.0)
    scale = "log" if log else "linear"
    drawn = ax.pcolormesh(x.values, y.values, values, norm=scale, cmap=_COLOURS, shading="nearest", rasterized=True)
    ax.figure.colorbar(drawn, ax=ax, label=_label(array))
    ax.set_xlabel(_label(x))
    ax.set_ylabel(_label(y))


def _label(array: xarray.DataArray) -> str:
    unit = array.attrs.get("units", "")
    name = math_words(str(array.name))
    return f"{name} ({unit})" if unit and unit != "1" else name
