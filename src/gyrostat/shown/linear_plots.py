"""Plots of linear models: responses over frequency and time, shapes of modes, eigenvalues."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.linear.frequency_response import FrequencyResponse
from gyrostat.analysis.linear.time_response import TimeResponse, nonlinear_deviation
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import PictureError
from gyrostat.pictures.figures import Curve, Panel, draw_panels
from gyrostat.pictures.figures.bars import draw_bars
from gyrostat.pictures.symbol_text import math_words
from gyrostat.shown.output_labels import with_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gyrostat.analysis.linear.modes import Mode, Modes
    from gyrostat.analysis.linear.root_locus import RootLocus
    from gyrostat.analysis.variations.spectrum import Complexes

_ANGULAR = ("rad/s", "1/s", "s⁻¹", "s^-1")
"""Units of a speed of rotation."""
_LEGEND_LIMIT = 12
"""Largest number of modes with a legend entry each."""


# --- responses --------------------------------------------------------------------------------------------------------


def plot_frequency_response(
    response: FrequencyResponse, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot magnitudes and phases over frequency."""
    grid = response.values["frequency"].values
    phases = np.degrees(response.phase.values)
    outputs, inputs = list(response.linear.outputs), list(response.linear.inputs)
    sizes: dict[str, list[Curve]] = {}
    angles: list[Curve] = []
    for output, each, unit in response.pairs:
        o, i = outputs.index(output), inputs.index(each)
        label = math_words(f"{output} by {each}")
        size = np.abs(response.values.values[:, o, i])
        sizes.setdefault(unit, []).append(Curve(label, grid, size, colour=len(angles)))
        angles.append(Curve(label, grid, phases[:, o, i], colour=len(angles)))
    panels = [
        Panel("frequency (Hz)", with_unit("magnitude", unit), curves, log_x=True, log_y=True)
        for unit, curves in sizes.items()
    ]
    panels.append(Panel("frequency (Hz)", "phase (°)", angles, log_x=True))
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
        found = linear.system.signal_table.find(name)
        label = with_unit(math_words(name), "" if found is None else found.unit)
        panels.append(Panel("time (s)", label, curves))
    return draw_panels(panels, title=response.title, dark=dark, path=path, axes=axes)


# --- modes ------------------------------------------------------------------------------------------------------------


def plot_shape(mode: Mode, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot magnitude and phase of all coordinates (Trom 1990, figures 5.4 to 5.12)."""
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


# --- eigenvalues over a parameter -------------------------------------------------------------------------------------


def plot_locus(locus: RootLocus, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot the eigenvalues in the complex plane."""
    branches = list(_branches(locus.refined()))
    curves = _joined([Curve(_name(n), v.real, v.imag, colour=c) for n, v, c in branches])
    dots = [(float(curve.x[0]), float(curve.y[0])) for curve in curves]
    panel = Panel("real part (1/s)", "imaginary part (rad/s)", curves, points=dots)
    title = f"eigenvalues over {locus.parameter}"
    return draw_panels([panel], title=title, share_x=False, dark=dark, path=path, axes=axes)


def plot_parts(locus: RootLocus, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot real and imaginary parts over the parameter."""
    locus = locus.refined()
    branches = [(n, v, c) for n, v, c in _branches(locus) if v[0].imag >= 0]
    panels = [
        Panel(
            with_unit(math_words(locus.parameter), locus.unit),
            label,
            _joined([Curve(_name(n), locus.values, _part(v, part), colour=c) for n, v, c in branches]),
        )
        for label, part in (("real part (1/s)", "real"), ("imaginary part (rad/s)", "imag"))
    ]
    return draw_panels(panels, title=f"eigenvalues over {locus.parameter}", dark=dark, path=path, axes=axes)


def plot_campbell(
    locus: RootLocus, orders: Sequence[float], *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot frequencies in Hz over a speed of rotation, and multiples of the speed."""
    if orders and locus.unit not in ("", *_ANGULAR):
        raise PictureError(
            f"Orders are multiples of a speed of rotation in rad/s; {locus.parameter!r} is in {locus.unit}. Vary a "
            "speed of rotation, or leave the orders out: campbell(orders=())."
        )
    curves = []
    for name, values, colour in _branches(locus):
        hertz = np.where(values.imag > 0, values.imag / (2 * np.pi), np.nan)
        if np.isfinite(hertz).any():
            curves.append(Curve(math_words(name.removeprefix("_")), locus.values, hertz, colour=colour))
    lines = [
        Curve(f"{order:g}×", locus.values, order * locus.values / (2 * np.pi), colour=7, dash=2) for order in orders
    ]
    unit = "rad/s" if orders else locus.unit
    panel = Panel(with_unit(math_words(locus.parameter), unit), "frequency (Hz)", [*_joined(curves), *lines])
    return draw_panels([panel], title=f"frequencies over {locus.parameter}", dark=dark, path=path, axes=axes)


def _joined(curves: list[Curve]) -> list[Curve]:
    """Return the curves, or one curve with gaps where there are too many for a legend."""
    if len(curves) <= _LEGEND_LIMIT:
        return curves
    x, y = (np.concatenate([np.append(getattr(curve, side), np.nan) for curve in curves]) for side in ("x", "y"))
    return [Curve("modes", x, y)]


def _name(name: str) -> str:
    """Return a label; one that begins with _ has no entry in the legend."""
    return name if name.startswith("_") else math_words(name)


def _part(values: Complexes, part: str) -> Floats:
    return np.asarray(getattr(values, part), dtype=float)


def _branches(locus: RootLocus) -> Iterator[tuple[str, Complexes, int]]:
    """Yield the modes with a nonzero eigenvalue; a complex-conjugate pair has one colour and one name."""
    colour = -1
    last: Complexes | None = None
    motions = locus.motions
    for k, name in enumerate(locus.names):
        values = locus.eigenvalues.values[:, k]
        if not values.any():
            continue
        paired = last is not None and bool(values[0].imag) and bool(np.isclose(values[0], last[0].conj()))
        if not paired:
            colour += 1
        last = values
        motion = motions[k]
        label = f"{name} ({motion})" if name.isdigit() and motion else name
        yield f"_{label}" if paired else label, values, colour
