"""Waterfall diagrams: spectra over a parameter, one behind the other."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.simulation.spectrum import Spectrum
from gyrostat.errors import PictureError
from gyrostat.pictures.figures.saving import checked_path, new_figure, save_figure
from gyrostat.pictures.figures.style import style
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT = 3.0
"""Height of the largest peak, in distances of neighbouring spectra."""


def waterfall(
    spectra: Mapping[float, Spectrum],
    *,
    over: str = "",
    orders: Sequence[float] = (),
    path: str | os.PathLike[str] | None = None,
    dark: bool = False,
    axes: Any = None,
) -> tuple[Axes, ...]:
    """Plot spectra by the value of a parameter, each raised by that value; return the axes.

    `over` is the label of the parameter. With `orders` the parameter is a speed of rotation in rad/s, and lines show
    its multiples: ridges along them are excited by the rotation, upright ones are natural frequencies.
    """
    if len(spectra) < 2:
        raise PictureError("A waterfall diagram needs spectra at two values or more: {100.0: run.spectrum('x'), …}.")
    for value, one in spectra.items():
        if not isinstance(one, Spectrum):
            raise PictureError(f"At {value!r} there is {one!r:.60}, not a spectrum. Take trajectory.spectrum(name).")
    if path is not None:
        checked_path(path)
    values = sorted(float(value) for value in spectra)
    sizes = {float(value): _size(one) for value, one in spectra.items()}
    largest = max(float(size.max()) for size in sizes.values()) or 1.0
    scale = _HEIGHT * (values[-1] - values[0]) / (len(values) - 1) / largest
    with style(dark) as look:
        ax = new_figure((7.2, 5.2), shown=path is None).subplots() if axes is None else np.ravel(np.asarray(axes))[0]
        for k, value in enumerate(reversed(values)):
            grid = np.asarray(spectra[value].amplitude["frequency"].values)
            ridge = value + scale * sizes[value]
            ax.fill_between(grid, value, ridge, color=look.paper, zorder=2 + k, linewidth=0)
            ax.plot(grid, ridge, color=look.curves[0], linewidth=1.0, zorder=2 + k)
        for order in orders:
            line = order * np.array([values[0], values[-1]]) / (2 * np.pi)
            ax.plot(line, [values[0], values[-1]], color=look.mark, linewidth=0.9, linestyle=(0, (4, 3)), zorder=99)
            ax.annotate(f"{order:g}×", (line[1], values[-1]), color=look.mark, fontsize=8, zorder=99)
        first = next(iter(spectra.values())).amplitude
        unit = first.attrs.get("units", "")
        ax.set_xlabel("frequency (Hz)")
        ax.set_ylabel(math_words(over) if over else "parameter")
        ax.set_title(f"{math_words(str(first.name))}: highest peak {largest:.3g} {unit}".rstrip())
        ax.set_xlim(0, max(float(one.amplitude["frequency"].values[-1]) for one in spectra.values()))
        if path is not None:
            figure: Any = ax.figure
            save_figure(figure, path)
    return (ax,)


def _size(spectrum: Spectrum) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the amplitude of all components together."""
    values = np.abs(np.asarray(spectrum.amplitude.values))
    return np.asarray(np.linalg.norm(values.reshape(len(values), -1), axis=1))
