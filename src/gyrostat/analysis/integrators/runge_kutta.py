"""Explicit Runge–Kutta methods: base classes for fixed and variable steps."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.integrator import Driver, Integrator, Stepper, positive, tolerances
from gyrostat.analysis.integrators.rotation_update import RotationUpdate
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.tableau import Tableau, widest_gap
from gyrostat.analysis.kernels.methods import RUNGE_KUTTA, Control, ExplicitTableau, Method, Stages
from gyrostat.analysis.kernels.packing import Packed
from gyrostat.analysis.kernels.progress import LARGEST_STEP, STEP

_SAFETY = 0.7
"""The part of the step that would just be accepted, by the error, that is tried.

At equal error of swinging pendulums, arms and chains it takes 4 % fewer evaluations than 0.8 and 15 % fewer than 0.9,
with which a quarter of the steps is rejected.
"""
_GROWTH_LIMIT = 10.0
"""The longest step after another, in terms of it."""


class RungeKutta(Integrator):
    """An explicit Runge–Kutta method, given by its tableau."""

    samples: ClassVar[bool] = True
    pairs: ClassVar[bool] = True
    contacts: ClassVar[bool] = True
    ropes: ClassVar[bool] = True
    adds_up_work: ClassVar[bool] = True
    rotations: RotationUpdate

    @property
    @abstractmethod
    def tableau(self) -> Tableau:
        """The coefficients of the method."""

    @property
    def control(self) -> tuple[bool, float, float, float]:
        """Whether the step is variable, relative and absolute tolerance, and the largest step."""
        return False, 1.0, 1.0, np.inf

    def stepper(self, run: Run) -> Stepper:
        """Return the driver of the method for a run."""
        run.clock[LARGEST_STEP] = min(run.clock[LARGEST_STEP], self.control[3])
        if run.clock[STEP] == 0.0:
            run.clock[STEP] = self.first_step
        if run.loop is None:
            run.loop = self._loop(run)
        return run.loop

    def _loop(self, run: Run) -> Stepper:
        exponential = self.rotations is RotationUpdate.EXPONENTIAL
        turned = tuple(run.rotations[:, 0].tolist()) if exponential else ()
        control, tableau = _numbers(self.tableau, self.control, run.y.size, turned)
        behind = run.projection.rows + run.carries_work
        memory = Stages.of(tableau.value, run.y.size, behind, run.switching.modes.size)
        return Driver(run, Method(RUNGE_KUTTA, control, tableau, memory), exponential=exponential)  # type: ignore[arg-type]


@lru_cache(maxsize=64)
def _numbers(
    tableau: Tableau, control: tuple[bool, float, float, float], size: int, turned: tuple[int, ...]
) -> tuple[Packed[Control], Packed[ExplicitTableau]]:
    """Return step control and tableau for states of a size, in which Euler parameters begin at some places."""
    adaptive, relative, absolute, _ = control
    begins, sources, weights = tableau.sparse_stages
    gap, half_gap = widest_gap(tableau.all_stages[1][: tableau.stages + 1])
    return Packed(
        Control(
            adaptive=adaptive,
            relative=float(relative),
            absolute=tolerances(relative, absolute, size, turned),
            error_order=float(tableau.error_order or 1),
            safety=_SAFETY,
            most_growth=_GROWTH_LIMIT,
            gap=gap,
            half_gap=half_gap,
            onset=tableau.onset,
            beginning=tableau.beginning,
        )
    ), Packed(
        ExplicitTableau(
            begins=begins,
            sources=sources,
            weights=weights,
            c=tableau.all_stages[1],
            error=tableau.error_weights,
            dense=tableau.dense_weights,
            stages=tableau.stages,
            pair=tableau.twin_stages,
            limit=tableau.real_limit,
        )
    )


@dataclass(frozen=True)
class FixedStep(RungeKutta):
    """A Runge–Kutta method with one step throughout."""

    step: float
    rotations: RotationUpdate = RotationUpdate.EXPONENTIAL

    def __post_init__(self) -> None:
        positive(self.step, self, "step")
        object.__setattr__(self, "rotations", RotationUpdate(self.rotations))

    @property
    def first_step(self) -> float:
        """The step."""
        return self.step

    @property
    def advice(self) -> str:
        """A smaller step, or another method."""
        return f"Use a smaller step than {self.step:g} s, or integrator=gs.Rodas5P(), which is made for stiff systems."


@dataclass(frozen=True)
class VariableStep(RungeKutta):
    """A Runge–Kutta method that chooses its steps by an estimate of their error; with `step` all steps are equal."""

    rtol: float = 1e-9
    atol: float = 1e-10
    step: float | None = None
    largest_step: float | None = None
    starting_step: float | None = None
    rotations: RotationUpdate = RotationUpdate.EXPONENTIAL

    def __post_init__(self) -> None:
        for field in ("rtol", "atol", "step", "largest_step", "starting_step"):
            positive(getattr(self, field), self, field)
        object.__setattr__(self, "rotations", RotationUpdate(self.rotations))

    @property
    def control(self) -> tuple[bool, float, float, float]:
        """The tolerances and the largest step."""
        return self.step is None, self.rtol, self.atol, self.largest_step or np.inf

    @property
    def first_step(self) -> float:
        """The step to begin with."""
        return self.step or self.starting_step or 0.0


__all__ = ["FixedStep", "RungeKutta", "VariableStep"]
