"""The contract of an integrator, and the native driver as a stepper."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeAlias

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.library import drive
from gyrostat.analysis.kernels.methods import Method
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.errors import StateError

Stepper: TypeAlias = Callable[[int], int]
"""Makes at most so many steps and returns why it stopped: a constant of `kernels.progress`."""


class Integrator(ABC):
    """A method of integration: a frozen dataclass of its settings.

    `stepper(run)` returns a function that advances the run. Contract (docs/howto/integrators.md): it leaves time and
    state in `run.clock` and `run.y`; fills `run.log.states` at the times of `run.log.grid` that it passes; stops at
    events with an action and records the others; never steps over a break; keeps counts; returns after the given number
    of steps, so that progress can be shown and the user can interrupt.
    """

    momenta: ClassVar[bool] = False
    """Whether the method integrates coordinates and momenta, not coordinates and speeds."""

    repeatable: ClassVar[bool] = True
    """Whether a run repeated from any checkpoint makes the same steps."""

    samples: ClassVar[bool] = False
    """Whether sampled blocks act within a run; otherwise every sample time ends one."""

    algebraic: ClassVar[bool] = False
    """Whether the method solves the equations of algebraic variables."""

    pairs: ClassVar[bool] = False
    """Whether the method takes contacts of many pairs, whose loads a kernel gives."""

    pair_memory: ClassVar[bool] = True
    """Whether these contacts may remember how they began, in slots of the state that points take at touch."""

    rigid_pairs: ClassVar[bool] = False
    """Whether contacts of many pairs are rigid: the method finds their impulses itself."""

    contacts: ClassVar[bool] = False
    """Whether loads of closed rigid contacts follow the state within a run."""

    jacobian: ClassVar[bool] = False
    """Whether the method needs derivatives of the rates, which are compiled for each model."""

    ropes: ClassVar[bool] = False
    """Whether the method takes ropes of nodes by their own kernel; otherwise they are evaluated as other elements."""

    adds_up_work: ClassVar[bool] = False
    """Whether the method adds up the work of loads by their powers at its stages: see `Run.carries_work`."""

    @abstractmethod
    def stepper(self, run: Run) -> Stepper:
        """Return the function that advances a run."""

    @property
    def first_step(self) -> float:
        """The step to begin with; zero leaves the choice to the method."""
        return 0.0

    @property
    def adaptive(self) -> bool:
        """Whether steps are chosen by their error; otherwise they are fixed."""
        return getattr(self, "step", None) is None

    @property
    def advice(self) -> str:
        """The remedy where stiffness limits the steps of this method."""
        return "Use integrator=gs.Rodas5P(), which is made for stiff systems."


class Driver:
    """Advances a run by the native driver and the kernels of a method; a Stepper."""

    def __init__(self, run: Run, method: Method[Any, Any], *, exponential: bool) -> None:
        self._run, self._method, self._room = run, method, run.room()
        self._equations = run.equations(exponential=exponential, pivots=True)
        self._bind()

    def _bind(self) -> None:
        self._log = self._run.log
        self._drive = drive.bind(*self.arguments)

    @property
    def arguments(self) -> tuple[Any, ...]:
        """The arguments of the driver, without the number of steps."""
        return self._method, self._equations, self._run.record(self._room), self._run.progress

    def __call__(self, steps: int) -> int:
        """Make at most so many steps; return a constant of `kernels.progress`."""
        if self._run.log is not self._log:  # there was no room left in the old one
            self._bind()
        return self._drive(steps)


def tolerances(relative: float, absolute: float, size: int, rotations: Iterable[int] = ()) -> Floats:
    """Return the absolute tolerances of a state in which Euler parameters begin at some places.

    These are rotation vectors within a step, whose tolerance is that of a state of size one.
    """
    found = np.full(size, float(absolute))
    for place in rotations:
        found[place : place + 4] += relative
    return found


def positive(value: float | None, integrator: Integrator, field: str) -> None:
    """Refuse a setting that is not a positive number."""
    if value is None:
        return
    try:
        good = 0.0 < float(value) < float("inf")
    except (TypeError, ValueError):
        good = False
    if not good or isinstance(value, bool):
        name = type(integrator).__name__
        raise StateError(f"{name}({field}={value!r}): the {field} must be a positive number, such as 1e-3.")
