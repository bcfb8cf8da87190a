"""Plots of eigenvalues over a parameter."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.pictures.figures import Curve, Panel, draw_panels
from gyrostat.pictures.symbol_text import math_words

_MOST_NAMED = 12

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gyrostat.analysis.linear.root_locus import RootLocus
    from gyrostat.analysis.variations.spectrum import Complexes


def plot_plane(locus: RootLocus, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot the eigenvalues in the complex plane."""
    branches = list(_branches(locus))
    curves = _joined([Curve(math_words(n), v.real, v.imag, colour=c) for n, v, c in branches])
    dots = [(float(curve.x[0]), float(curve.y[0])) for curve in curves]
    panel = Panel("real part (1/s)", "imaginary part (rad/s)", curves, points=dots)
    title = f"eigenvalues over {locus.parameter}"
    return draw_panels([panel], title=title, share_x=False, dark=dark, path=path, axes=axes)


def plot_over(locus: RootLocus, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any) -> tuple[Axes, ...]:
    """Plot real and imaginary parts over the parameter."""
    branches = [(n, v, c) for n, v, c in _branches(locus) if v[0].imag >= 0]
    panels = [
        Panel(
            math_words(locus.parameter),
            label,
            _joined([Curve(math_words(n), locus.values, _part(v, part), colour=c) for n, v, c in branches]),
        )
        for label, part in (("real part (1/s)", "real"), ("imaginary part (rad/s)", "imag"))
    ]
    return draw_panels(panels, title=f"eigenvalues over {locus.parameter}", dark=dark, path=path, axes=axes)


def plot_campbell(
    locus: RootLocus, orders: Sequence[float], *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Axes, ...]:
    """Plot frequencies in Hz over a speed of rotation, and multiples of the speed."""
    curves = []
    for name, values, colour in _branches(locus):
        hertz = np.where(values.imag > 0, values.imag / (2 * np.pi), np.nan)
        if np.isfinite(hertz).any():
            curves.append(Curve(math_words(name), locus.values, hertz, colour=colour))
    lines = [
        Curve(f"{order:g}×", locus.values, order * locus.values / (2 * np.pi), colour=7, dash=2) for order in orders
    ]
    panel = Panel(f"{math_words(locus.parameter)} (rad/s)", "frequency (Hz)", [*_joined(curves), *lines])
    return draw_panels([panel], title=f"frequencies over {locus.parameter}", dark=dark, path=path, axes=axes)


def _joined(curves: list[Curve]) -> list[Curve]:
    """Return curves as they are, or as one with gaps where a legend would be longer than anybody reads."""
    if len(curves) <= _MOST_NAMED:
        return curves
    x, y = (np.concatenate([np.append(getattr(curve, side), np.nan) for curve in curves]) for side in ("x", "y"))
    return [Curve("modes", x, y)]


def _part(values: Complexes, part: str) -> Floats:
    return np.asarray(getattr(values, part), dtype=float)


def _branches(locus: RootLocus) -> Iterator[tuple[str, Complexes, int]]:
    """Yield the modes that are not zero throughout, with colours in which a pair is alike."""
    colour = -1
    last: Complexes | None = None
    for k, name in enumerate(locus.names):
        values = locus.eigenvalues.values[:, k]
        if not values.any():
            continue
        if last is None or not (values[0].imag and np.isclose(values[0], last[0].conj())):
            colour += 1
        last = values
        yield name, values, colour
