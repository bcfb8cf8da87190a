"""The last good structure of a model: its system, and what the numbers of the text change in it."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.analysis.simulation.status import Outcome
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.model import Model
from gyrostat.pictures.animation.header import plain_data
from gyrostat.pictures.animation.viewpoint import Viewpoint, viewpoint
from gyrostat.pictures.scene import Scene
from gyrostat.program.warning import GyrostatWarning
from gyrostat.studio.consistent_values import consistent_values
from gyrostat.studio.messages import StudioMessage
from gyrostat.studio.model_text import ModelText
from gyrostat.studio.overrides import Overrides
from gyrostat.system import System, formulate

T = TypeVar("T")

_FRAMES = 500
_USUAL_DURATION = 10.0
_TRIAL_SECONDS = 0.4
"""Seconds of computing that a first run may take; a slower model gets a shorter duration."""
_COMPILATION_SECONDS = 1e-3
_SHORTEST_DURATION = 1e-6
_RUN_SHARE = 0.05
"""The part of a first run's time that later runs may take."""


@dataclass(frozen=True, eq=False)
class StudioBase:
    """A system with the structure of its text."""

    system: System
    source: Model
    """The model as it was read, with owners instead of their parts."""
    structure: str
    _kept: dict[str, Any] = field(default_factory=dict)

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Return what depends on the structure alone, made when it is first asked for."""
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    @staticmethod
    def of(read: ModelText) -> StudioBase:
        """Formulate the model of a text."""
        assert read.model is not None
        return StudioBase(formulate(read.model), read.model, read.structure)

    def serves(self, read: ModelText) -> bool:
        """Return whether a text differs in numbers only, or gives further initial values, but none less."""
        if read.model is None or read.structure != self.structure:
            return False
        given = {name: joint.initial.keys() for name, joint in read.model.joints.items()}
        return all(joint.initial.keys() <= given[name] for name, joint in self.source.joints.items())

    def overrides(self, model: Model) -> Overrides:
        """Return the numbers of a model with the same structure that differ from the system's own."""
        own, new = self.kept("flat source", self.source.flattened), model.flattened()
        parameters = {
            name: parameter.value.source
            for name, parameter in new.parameters.items()
            if parameter.value is not None and parameter.value != own.parameters[name].value
        }
        initial: dict[str, object] = {}
        for name, joint in new.joints.items():
            before = own.joints[name].initial
            initial |= {joint.full_name(k): x.source for k, x in joint.initial.items() if x != before.get(k)}
        known = own.state_variables
        initial |= {n: x.initial.source for n, x in new.state_variables.items() if x.initial != known[n].initial}
        return Overrides(parameters, initial)

    def run(
        self,
        overrides: Overrides,
        duration: float,
        progress: Callable[[float], None] | None = None,
        most_seconds: float | None = None,
    ) -> Trajectory:
        """Simulate with some numbers changed."""
        with quiet():
            return simulate(
                self.system,
                duration,
                step=duration / _FRAMES,
                initial=consistent_values(self.system, overrides),
                inputs=dict(overrides.inputs) or None,
                parameters=dict(overrides.parameters),
                progress=progress if progress is not None else False,
                most_seconds=most_seconds,
            )

    def suitable_duration(self, overrides: Overrides, progress: Callable[[float], None]) -> float:
        """Return a duration that can be simulated again without a pause: ten seconds, or less."""
        self.run(
            overrides, _USUAL_DURATION, progress, most_seconds=_COMPILATION_SECONDS
        )  # compiles, which must not count
        status = self.run(overrides, _USUAL_DURATION, progress, most_seconds=_TRIAL_SECONDS).status
        if status.outcome is not Outcome.BUDGET_EXHAUSTED:
            return _USUAL_DURATION
        return nice_below(max(status.time, _SHORTEST_DURATION) * _RUN_SHARE / _TRIAL_SECONDS)


def nice_below(x: float) -> float:
    """Return 1, 2 or 5 times a power of ten, at most x.

    >>> nice_below(0.034), nice_below(7)
    (0.02, 5.0)
    """
    exponent = math.floor(math.log10(x))
    return next(float(f"{k}e{exponent}") for k in (5, 2, 1) if k * 10.0**exponent <= x * (1 + 1e-9))


@contextmanager
def quiet() -> Iterator[None]:
    """Context manager without warnings of the package: the page shows the notes of a status.

    Threads that are in it at the same time share one change of Python's filters.
    """
    _SILENCE.enter()
    try:
        yield
    finally:
        _SILENCE.leave()


class _Silence:
    """The filter of warnings that is in force while at least one thread needs it."""

    def __init__(self) -> None:
        self._lock, self._count = threading.Lock(), 0

    def enter(self) -> None:
        with self._lock:
            if self._count == 0:
                self._filters = warnings.catch_warnings()
                self._filters.__enter__()
                warnings.simplefilter("ignore", GyrostatWarning)
            self._count += 1

    def leave(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0:
                self._filters.__exit__(None, None, None)


_SILENCE = _Silence()


def scene_message(
    kind: str, scene: Scene, view: Viewpoint | None, values: Mapping[str, Any]
) -> tuple[StudioMessage, Viewpoint]:
    """Return a message with a scene, and the viewpoint that it has; one that is given is kept."""
    seen = viewpoint(scene) if view is None else view
    header, arrays = plain_data(scene, seen)
    return StudioMessage(kind, {**values, "header": header}, arrays), seen


def numbers(values: NDArray[Any]) -> list[Any]:
    """Return an array as plain numbers, complex ones as pairs."""
    if np.iscomplexobj(values):
        return [[float(x.real), float(x.imag)] for x in values.ravel()]
    return list(np.asarray(values, dtype=float).tolist())
