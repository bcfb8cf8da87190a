"""Plots of beams along their length."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.simulation.beam_line import BeamLine
from gyrostat.errors import StateError
from gyrostat.pictures.figures import Curve, Panel, draw_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from gyrostat.analysis.simulation.trajectory import Trajectory

_TIMES = 5


def plot_beam(
    trajectory: Trajectory,
    beam: str,
    times: Sequence[float] | None,
    *,
    path: str | os.PathLike[str] | None,
    dark: bool,
    axes: Any,
) -> tuple[Axes, ...]:
    """Plot the deflected line and the bending moments, a panel for each direction in which the beam bends."""
    if not len(trajectory.time):
        raise StateError("The trajectory is empty: there is no beam to plot.")
    chosen = np.linspace(trajectory.time[0], trajectory.time[-1], _TIMES) if times is None else np.asarray(times, float)
    at = trajectory.at(np.atleast_1d(chosen))
    line = BeamLine.of(at.system, at.recorded, beam)
    terms = at.system.station_arms[beam].beam.terms
    bent = [direction for direction in ("v", "w") if terms[direction]] or ["v"]
    panels = []
    for direction in bent:
        across = 1 if direction == "v" else 2
        lines = [(points[:, 0], points[:, across]) for points in line.local]
        panels.append(Panel("x of the root (m)", f"{'xyz'[across]} of the root (m)", _curves(at, lines)))
    for direction in bent:
        about = 2 if direction == "v" else 1
        lines = [(line.x, moments[:, about]) for moments in line.moments]
        panels.append(
            Panel("distance from the root (m)", f"section moment about {'xyz'[about]} (N·m)", _curves(at, lines))
        )
    return draw_panels(panels, title=f"{at.system.model.name}: {beam}", share_x=False, dark=dark, path=path, axes=axes)


def _curves(at: Trajectory, lines: Sequence[tuple[Any, Any]]) -> list[Curve]:
    """Return a curve for each time."""
    times = zip(at.time, lines, strict=True)
    return [Curve(f"t = {t:.4g} s", x, y, colour=i) for i, (t, (x, y)) in enumerate(times)]
