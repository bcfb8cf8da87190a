"""Simulated motions in a report."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.shown.report.attempt import attempt
from gyrostat.shown.report.document import Document
from gyrostat.shown.trajectory_scene import trajectory_scene
from gyrostat.system import System

_PERIODS, _SHORTEST_DURATION, _LONGEST_DURATION, _USUAL_DURATION = 5.0, 0.1, 20.0, 5.0
"""Duration of a run without a given one: periods of the slowest mode, limits and the usual duration (s)."""
_OUTPUTS = 400
_POSTER = 0.35
"""The instant that stands for a motion on paper, as a part of its duration."""


def motions(
    document: Document,
    system: System,
    runs: Mapping[str, Trajectory],
    duration: float | None,
    slowest: float | None,
) -> None:
    """Add the given runs, or one from the initial values."""
    document.begin("Motion")
    found = dict(runs)
    if not found:
        chosen = _duration(duration, slowest)

        def run() -> None:
            found[f"from the initial values, {chosen:g} s"] = simulate(system, duration=chosen, step=chosen / _OUTPUTS)

        attempt(document, "Simulation", run)
    for name, trajectory in found.items():
        document.heading(name)
        document.text(str(trajectory))
        attempt(document, "Animation", lambda run=trajectory: _animation(document, run))  # type: ignore[misc]
        attempt(document, "Plots", lambda run=trajectory: _plots(document, run))  # type: ignore[misc]


def _duration(given: float | None, slowest: float | None) -> float:
    if given is not None:
        return given
    chosen = _USUAL_DURATION if slowest is None else min(max(_PERIODS * slowest, _SHORTEST_DURATION), _LONGEST_DURATION)
    return float(f"{chosen:.2g}")


def _animation(document: Document, run: Trajectory) -> None:
    at = float(run.time[0] + _POSTER * (run.time[-1] - run.time[0]))
    scene = trajectory_scene(run)
    document.animation(scene, f"Motion of {run.system.model.name}", at=at)


def _plots(document: Document, run: Trajectory) -> None:
    """Add plots of coordinates and energies."""
    with tempfile.TemporaryDirectory() as folder:
        for name, draw in (("coordinates", run.plot), ("energies", run.plot_energy)):
            path = Path(folder) / f"{name}.svg"
            drawn: Any = draw
            drawn(path=path)
            document.image(path.read_bytes(), "svg+xml", f"{name} over time", "plot")
