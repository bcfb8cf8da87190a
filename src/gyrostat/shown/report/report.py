"""Reports of models."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.errors import PictureError, StateError
from gyrostat.model import Model
from gyrostat.pictures.text_file import write_text_file
from gyrostat.program.warning import GyrostatWarning
from gyrostat.shown.report.description import describe, versions
from gyrostat.shown.report.document import Document
from gyrostat.shown.report.equations_section import equations, walkthroughs
from gyrostat.shown.report.linear_section import rest_and_modes
from gyrostat.shown.report.motion_section import motions
from gyrostat.shown.report.structure_section import structure
from gyrostat.system import System, formulate


def report(
    model: Model | System,
    path: str | os.PathLike[str],
    *,
    runs: Mapping[str, Trajectory] | Sequence[Trajectory] = (),
    duration: float | None = None,
    walks: bool = True,
) -> Path:
    """Write one self-contained page about a model and return its path.

    It has the description, parameters, a picture, topology with trees, counts by choice of coordinates, equations of
    motion and the founding methods step by step (`walks`), equilibrium, modes with animated shapes, motion with plots
    and animation, checks and warnings, and versions. `runs` are trajectories of the model; without them it is simulated
    from its initial values over `duration` (s), by default some periods of its slowest mode. Where an
    analysis is not possible for the model, the page states why. It opens without a network and prints well.
    """
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise PictureError(f"{target}: reports are written as HTML; choose a file name that ends in .html.")
    system = formulate(model) if isinstance(model, Model) else model
    found = _named(system, runs)
    document = Document(system.model.name, system.model.description)
    with _noted() as notes:
        describe(document, system)
        structure(document, system)
        exact = equations(document, system)
        if walks:
            walkthroughs(document, system, exact=exact)
        slowest = rest_and_modes(document, system)
        motions(document, system, found, duration, slowest)
    _checks(document, system, [str(note.message) for note in notes])
    versions(document)
    return write_text_file(target, document.written(), "report")


def _named(system: System, runs: Mapping[str, Trajectory] | Sequence[Trajectory]) -> dict[str, Trajectory]:
    """Return the runs by name; refuse those of other models."""
    named = dict(runs) if isinstance(runs, Mapping) else {f"run {k + 1}": run for k, run in enumerate(runs)}
    for name, run in named.items():
        if not isinstance(run, Trajectory):
            raise StateError(f"{name!r} among the runs is {run!r:.60}, not a trajectory. Give trajectories.")
        if run.system.model.name != system.model.name:
            raise StateError(
                f"{name!r} is a run of {run.system.model.name!r}, the report is about {system.model.name!r}. "
                "Give runs of this model."
            )
    return named


@contextmanager
def _noted() -> Iterator[list[warnings.WarningMessage]]:
    """Collect the package's warnings."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", GyrostatWarning)
        yield notes


def _checks(document: Document, system: System, notes: list[str]) -> None:
    document.begin("Checks and warnings")
    document.text(str(system.model.check()))
    for note in dict.fromkeys(notes):
        document.note(note)
    if not notes:
        document.words("The analyses of this report gave no warnings.")
