"""Plots of linear models: frequency and time responses."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.linear.frequency_response import FrequencyResponse
from gyrostat.analysis.linear.time_response import TimeResponse, nonlinear_deviation
from gyrostat.pictures.figures import Curve, Panel, draw_panels
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_frequency_response(
    response: FrequencyResponse, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot magnitudes and phases over frequency."""
    grid = response.values["frequency"].values
    sizes: list[Curve] = []
    angles: list[Curve] = []
    phases = np.degrees(response.phase.values)
    for o, output in enumerate(response.linear.outputs):
        for i, each in enumerate(response.linear.inputs):
            label = math_words(f"{output} by {each}")
            sizes.append(Curve(label, grid, np.abs(response.values.values[:, o, i]), colour=len(sizes)))
            angles.append(Curve(label, grid, phases[:, o, i], colour=len(angles)))
    panels = [
        Panel("frequency (Hz)", "magnitude", sizes, log_x=True, log_y=True),
        Panel("frequency (Hz)", "phase (°)", angles, log_x=True),
    ]
    return draw_panels(panels, title=response.linear.system.model.name, dark=dark, path=path, axes=axes)


def plot_time_response(
    response: TimeResponse, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot outputs over time, each in a panel of its own."""
    linear = response.linear
    names = linear.outputs or linear.states
    panels = []
    for name in names:
        array = response[name]
        time = array["time"].values
        curves = [Curve("linear", time, array.values)]
        if response.nonlinear is not None and name in linear.outputs and name in response.nonlinear:
            deviation = nonlinear_deviation(response, name)
            curves.append(Curve("nonlinear", time[: len(deviation)], deviation, colour=1, dash=1))
        panels.append(Panel("time (s)", math_words(name), curves))
    return draw_panels(panels, title=response.title, dark=dark, path=path, axes=axes)
