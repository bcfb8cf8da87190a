"""The contract of an integrator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, TypeAlias

from gyrostat.analysis.integrators.run import Run
from gyrostat.errors import StateError

Stepper: TypeAlias = Callable[[int], int]
"""Makes at most so many steps and returns why it stopped: a constant of `kernels.progress`."""


class Integrator(ABC):
    """A method of integration: a frozen dataclass of its settings.

    `stepper(run)` returns a function that moves the run on. What it must do is written in docs/integrators.md: leave
    time and state in `run.clock` and `run.y`; fill `run.log.states` at the times of `run.log.grid` that it passes; stop
    at events that ask for it and write down the others; never step over a break; keep counts; return when it has made
    the number of steps asked for, so that progress can be shown and the user can interrupt.
    """

    momenta: ClassVar[bool] = False
    """Whether the method integrates coordinates and momenta, not coordinates and speeds."""

    repeatable: ClassVar[bool] = True
    """Whether it does the same steps again from any of its checkpoints."""

    @abstractmethod
    def stepper(self, run: Run) -> Stepper:
        """Return the function that moves a run on."""

    @property
    def first_step(self) -> float:
        """The step to begin with; zero leaves the choice to the method."""
        return 0.0

    @property
    def advice(self) -> str:
        """What to do when a run with this method is held down by stiffness."""
        return "Use integrator=gs.Rodas5P(), which is made for stiff systems."


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
