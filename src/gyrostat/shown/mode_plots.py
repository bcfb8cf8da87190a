"""Plots of modes: shapes, eigenvalues, and how these change with a parameter."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gyrostat.pictures.figures import Curve, Panel, draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gyrostat.analysis.linear.modes import Mode, Modes


def plot_shape(mode: Mode, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot magnitude and phase of all coordinates (004 figures 5.4 to 5.12)."""
    from gyrostat.pictures.figures.bars import draw_bars

    names = [str(name) for name in mode.shape.coords["coordinate"].values]
    about = f"{mode.frequency:.4g} Hz, damping {mode.damping_ratio:.3g}" if mode.oscillates else mode.kind.value
    title = f"{mode.linear.system.model.name}, mode {mode.number}: {about}"
    return draw_bars(names, mode.magnitude.values, mode.phase.values, title=title, dark=dark, path=path, axes=axes)


def plot_eigenvalues(modes: Modes, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot the eigenvalues in the complex plane."""
    values = modes.eigenvalues
    stable = values.real <= 0
    curves = [
        Curve(label, values.real[chosen], values.imag[chosen], colour=i, marker="x")
        for i, (label, chosen) in enumerate((("not growing", stable), ("growing", ~stable)))
        if chosen.any()
    ]
    panel = Panel("real part (1/s)", "imaginary part (rad/s)", curves)
    title = f"{modes.linear.system.model.name}: eigenvalues"
    return draw_panels([panel], title=title, share_x=False, dark=dark, path=path, axes=axes)
