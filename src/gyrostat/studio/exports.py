"""Files that the page offers for download: they are made in memory, and the browser asks where to put them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import GyrostatError
from gyrostat.model import Model
from gyrostat.model.names import did_you_mean
from gyrostat.shown.report.report import report
from gyrostat.system import System, formulate

_Maker = Callable[[System, Trajectory, Path], Any]
_WALKTHROUGH_SPEED_LIMIT = 4
"""Number of speeds up to which a report has the methods step by step."""


def _animation(system: System, trajectory: Trajectory, path: Path) -> None:
    trajectory.animate(path)


def _table(system: System, trajectory: Trajectory, path: Path) -> None:
    trajectory.to_pandas().to_csv(path)


def _trajectory(system: System, trajectory: Trajectory, path: Path) -> None:
    trajectory.save(path)


def _equations(system: System, trajectory: Trajectory, path: Path) -> None:
    path.write_text(system.equations().latex() + "\n", encoding="utf-8")


def _topology(system: System, trajectory: Trajectory, path: Path) -> None:
    system.topology.draw(path)


def _picture(system: System, trajectory: Trajectory, path: Path) -> None:
    trajectory.picture(float(trajectory.time[0]), path)


def _report(system: System, trajectory: Trajectory, path: Path) -> None:
    duration = float(trajectory.time[-1] - trajectory.time[0])
    report(system, path, duration=duration, walks=len(system.speed_names) <= _WALKTHROUGH_SPEED_LIMIT)


EXPORTS: dict[str, tuple[str, _Maker]] = {
    "report": (".html", _report),
    "animation": (".html", _animation),
    "table": (".csv", _table),
    "trajectory": (".nc", _trajectory),
    "picture": (".svg", _picture),
    "equations": (".tex", _equations),
    "topology": (".svg", _topology),
}
"""Formats of exports, with the ending of the file."""


def exported(kind: str, model: Model, trajectory: Trajectory | None) -> tuple[str, NDArray[np.uint8]]:
    """Return the name and the bytes of a file about a model, with its present numbers, and its motion."""
    if kind not in EXPORTS:
        raise GyrostatError(f"Nothing is exported as {kind!r}. {did_you_mean(kind, EXPORTS)}")
    if trajectory is None:
        raise GyrostatError("There is no motion to export yet.")
    ending, make = EXPORTS[kind]
    stem = "".join(c if c.isalnum() else "_" for c in model.name)[:60] or "model"
    with tempfile.TemporaryDirectory(prefix="gyrostat-studio-") as folder:
        path = Path(folder) / f"{stem}{ending}"
        make(formulate(model), trajectory, path)
        return path.name, np.frombuffer(path.read_bytes(), np.uint8)
