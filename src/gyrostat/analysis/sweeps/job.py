"""A job: model, coordinates and analysis of a sweep as data that can be sent to other processes."""

from __future__ import annotations

import hashlib
import importlib
import json
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gyrostat import __version__
from gyrostat.analysis.sweeps.analysis import Solver, SweepAnalysis
from gyrostat.analysis.sweeps.layout import Layout
from gyrostat.analysis.sweeps.points import Piece, Points, timed
from gyrostat.analysis.sweeps.targets import Targets
from gyrostat.errors import ModelError, StateError
from gyrostat.lazy import later
from gyrostat.once import cached_property
from gyrostat.system import System, choice_to_plain, formulate_as

if TYPE_CHECKING:
    from gyrostat.model import documents, model_file
else:
    documents, model_file = later("gyrostat.model", "documents", "model_file")

_CACHE_LIMIT = 4
"""Number of jobs that a process of a cluster caches."""


@dataclass(frozen=True, eq=False)
class Job:
    """The model as JSON text, the choice of coordinates, and the analysis."""

    model: str
    choice: Mapping[str, Any]
    """The choice of coordinates."""
    names: tuple[str, ...]
    """Coordinates and speeds in order, to verify the system."""
    modules: tuple[str, ...]
    """Modules outside the package that register components."""
    analysis: SweepAnalysis
    targets: Targets
    layout: Layout
    version: str = __version__

    @staticmethod
    def of(system: System, analysis: SweepAnalysis, targets: Targets, layout: Layout) -> Job:
        """Return the job of a system and an analysis."""
        names = tuple(system.coordinates.place_of)
        text = json.dumps(model_file.model_to_plain(system.model))
        return Job(text, choice_to_plain(system), names, foreign_modules(system), analysis, targets, layout)

    @cached_property
    def solve(self) -> Solver:
        """The function that analyses points; the system is formulated once."""
        return self.analysis.solver(self._system, self.targets, self.layout)

    @cached_property
    def _system(self) -> System:

        if self.version != __version__:
            raise StateError(
                f"The sweep was sent by gyrostat {self.version}, this process has {__version__}. Install the same "
                "version everywhere."
            )
        for module in self.modules:
            importlib.import_module(module)
        reading = model_file.read_model(documents.read_json(self.model))
        if reading.faults:
            raise ModelError(reading.faults)
        system = formulate_as(reading.model, self.choice)
        if tuple(system.coordinates.place_of) != self.names:
            raise StateError(
                "The system that the model's text gives has other coordinates than the one that was sent. Sweep the "
                "model: gs.sweep(system.model, …)."
            )
        return system


def foreign_modules(system: System) -> tuple[str, ...]:
    """Return the modules outside the package that define components of a model."""
    modules = {cls.__module__ for cls in system.model.component_classes}
    return tuple(sorted(name for name in modules if not name.startswith("gyrostat.")))


def packed(job: Job) -> bytes:
    """Return a job as bytes."""
    strange = next((name for name in job.modules if name == "__main__"), None)
    if strange is not None:
        raise StateError(
            "The model has components that are defined in the running script, which other processes cannot import. Put "
            "them in a module of their own, or sweep with workers=1."
        )
    try:
        return _portable(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise StateError(
            f"The analysis cannot be sent to other processes: {error}. Use functions of a module, install cloudpickle "
            "(pip install 'gyrostat[cluster]'), or sweep with workers=1."
        ) from error


def _portable(job: Job) -> bytes:
    """Return pickled bytes; by cloudpickle, if installed, where an object is not importable elsewhere."""
    reason: Exception = pickle.PicklingError("a function of it is defined in the running script")
    try:
        found = pickle.dumps(job)
        if b"__main__" not in found:
            return found
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        reason = error
    try:
        cloudpickle: Any = importlib.import_module("cloudpickle")
    except ImportError:
        raise reason from None
    data: bytes = cloudpickle.dumps(job)
    return data


_jobs: OrderedDict[str, Job] = OrderedDict()


def solve_packed(data: bytes, points: Points) -> Piece:
    """Run a serialised job at points; processes cache the jobs that they have run before."""
    key = hashlib.sha256(data).hexdigest()
    if key not in _jobs:
        _jobs[key] = pickle.loads(data)
        while len(_jobs) > _CACHE_LIMIT:
            _jobs.popitem(last=False)
    _jobs.move_to_end(key)
    return timed(_jobs[key].solve, points)
