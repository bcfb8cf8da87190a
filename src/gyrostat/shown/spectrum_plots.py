"""Plots of spectra."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.pictures.figures import Curve, Mark, Panel, draw_panels
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gyrostat.analysis.simulation.spectrum import Spectrum


def plot_spectrum(
    spectrum: Spectrum, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot amplitudes over frequency, a curve for each component, with the modes marked."""
    array = spectrum.amplitude
    grid = array["frequency"].values
    values = array.values.reshape(len(grid), -1)
    labels = [f"{array.name}"]
    if array.ndim > 1:
        labels = [f"{array.name}.{label}" for label in array[array.dims[-1]].values]
    if len(labels) != values.shape[1]:
        labels = [f"{array.name} {i + 1}" for i in range(values.shape[1])]
    shown = np.where(values > 0, values, np.nan)
    curves = [Curve(math_words(label), grid, shown[:, i], colour=i) for i, label in enumerate(labels)]
    marks = [Mark(mode.frequency, f"mode {mode.number}") for mode in spectrum.modes if mode.frequency <= grid[-1]]
    unit = array.attrs["units"]
    title = f"{array.name}: spectrum"
    panel = Panel("frequency (Hz)", f"amplitude ({unit})" if unit else "amplitude", curves, marks=marks, log_y=True)
    return draw_panels([panel], title=title, dark=dark, path=path, axes=axes)
