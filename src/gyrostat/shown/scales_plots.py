"""Plots of responses and certificates; matplotlib, the extra `plots`, is needed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import Floats
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.pictures.figures import Curve, Mark, Panel, draw_panels
from gyrostat.pictures.symbol_text import math_words

if TYPE_CHECKING:
    from gyrostat.analysis.scales.certificate import ErrorCertificate
    from gyrostat.analysis.scales.continuation import Branches
    from gyrostat.analysis.simulation.trajectory import Trajectory


def plot_branches(
    branches: Branches,
    names: Sequence[str],
    *,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Any, ...]:
    """Plot amplitudes over the parameter, a panel for each coordinate; unstable parts are dashed.

    Jumps occur at folds; an amplitude that stays constant while the force grows is saturated.
    """
    if not branches.branches:
        raise StateError("There are no branches to plot. Take a wider interval or a larger size.")
    known = tuple(branches.branches[0].amplitudes)
    for name in names:
        if name not in known:
            raise StateError(f"There is no oscillator {name!r}. {did_you_mean(name, known)}")
    marks = [Mark(point.parameter, point.kind.value) for point in branches.special]
    panels = [
        Panel(math_words(branches.name), f"amplitude of {math_words(name)}", _curves(branches, name), marks)
        for name in names or known
    ]
    return draw_panels(panels, dark=dark, path=path, axes=axes)


def _curves(branches: Branches, name: str) -> list[Curve]:
    """Return stable parts as one curve and unstable ones as another, with gaps between."""
    curves = []
    for wanted, label in ((True, "stable"), (False, "unstable")):
        pieces: list[Floats] = []
        for branch in branches.branches:
            changes = np.flatnonzero(np.diff(branch.stable.astype(int))) + 1
            for part in np.split(np.arange(len(branch)), changes):
                if branch.stable[part[0]] == wanted:
                    rows = np.append(part, min(part[-1] + 1, len(branch) - 1))
                    pieces += [
                        np.array([branch.parameter[rows], branch.amplitudes[name][rows]]),
                        np.full((2, 1), np.nan),
                    ]
        if pieces:
            x, y = np.concatenate(pieces, axis=1)
            curves.append(Curve(label, x, y, colour=int(not wanted), dash=int(not wanted)))
    return curves


def plot_certificate(
    certificate: ErrorCertificate, *, path: str | os.PathLike[str] | None, dark: bool, axes: Any
) -> tuple[Any, ...]:
    """Plot the logarithm of the error over that of ε, with the slope of the claimed order through the last point."""
    small, errors = np.log10(certificate.small), np.log10(np.maximum(certificate.errors, 1e-16))
    promised: Floats = errors[-1] + certificate.order * (small - small[-1])
    curves = [
        Curve("error", small, errors),
        Curve(f"slope {certificate.order}", small, promised, colour=1, dash=1),
    ]
    panel = Panel("log10 of eps", "log10 of the largest error", curves, ())
    return draw_panels([panel], dark=dark, path=path, axes=axes)


def plot_phase(
    motion: Mapping[str, Any],
    names: Sequence[str],
    trajectory: Trajectory | None,
    *,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Any, ...]:
    """Plot rates against coordinates of the approximation, beside those of a simulated motion."""
    panels = []
    for name in names:
        x, rate = (np.asarray(motion[key].values, dtype=float) for key in (name, f"{name}.rate"))
        curves = [Curve("multiple scales", x, rate)]
        if trajectory is not None:
            beside, its_rate = (np.asarray(trajectory[key].values) for key in (name, f"{name}.rate"))
            curves.append(Curve("simulated", beside, its_rate, colour=1, dash=1))
        dots = [(float(curve.x[0]), float(curve.y[0])) for curve in curves]
        panels.append(Panel(math_words(name), f"rate of {math_words(name)}", curves, points=dots))
    return draw_panels(panels, share_x=False, dark=dark, path=path, axes=axes)


def plot_motion(
    times: Floats,
    motion: Mapping[str, Floats],
    names: Sequence[str],
    *,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Any, ...]:
    """Plot coordinates over time between their slowly changing amplitudes, which shows the exchange of energy."""
    panels = []
    for name in names:
        amplitude = motion[f"{name}.amplitude"]
        curves = [
            Curve(math_words(name), times, motion[name]),
            Curve("amplitude", times, amplitude, colour=1),
        ]
        panels.append(Panel("time", math_words(name), curves, ()))
    return draw_panels(panels, dark=dark, path=path, axes=axes)
