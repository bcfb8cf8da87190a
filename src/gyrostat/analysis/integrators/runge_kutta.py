"""Explicit Runge–Kutta methods: what all of them share, with fixed and with variable step."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.integrators.compiled_loop import CompiledLoop
from gyrostat.analysis.integrators.integrator import Integrator, Stepper, positive
from gyrostat.analysis.integrators.rotation_update import RotationUpdate
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.tableau import Floats, Tableau
from gyrostat.analysis.kernels.library import explicit_loop
from gyrostat.analysis.kernels.methods import Method, Stages
from gyrostat.analysis.kernels.problem import Rotations, room_for
from gyrostat.analysis.kernels.progress import LARGEST_STEP, STEP


class RungeKutta(Integrator):
    """An explicit Runge–Kutta method, given by its tableau."""

    rotations: RotationUpdate

    @property
    @abstractmethod
    def tableau(self) -> Tableau:
        """The numbers of the method."""

    @property
    def control(self) -> tuple[bool, float, float, float]:
        """Whether the step is variable, relative and absolute tolerance, and the largest step."""
        return False, 1.0, 1.0, np.inf

    def _absolute(self, run: Run, absolute: float, relative: float) -> Floats:
        """Return absolute tolerances; a rotation vector's counts as of size one, whatever the Euler parameters are."""
        found = np.full(run.y.size, absolute)
        if self.rotations is RotationUpdate.EXPONENTIAL:
            for place in run.rotations[:, 0]:
                found[place : place + 4] += relative
        return found

    def stepper(self, run: Run) -> Stepper:
        """Return the compiled loop, bound to a run."""
        tableau = self.tableau
        a, c = tableau.all_stages
        adaptive, relative, absolute, largest = self.control
        method = Method(
            a=a,
            c=c,
            error=tableau.error_weights,
            dense=tableau.dense_weights,
            stages=tableau.stages,
            error_order=float(tableau.error_order or 1),
            adaptive=adaptive,
            relative=float(relative),
            absolute=self._absolute(run, absolute, relative),
            pair=tableau.twin_stages,
            limit=tableau.real_limit,
        )
        run.clock[LARGEST_STEP] = min(run.clock[LARGEST_STEP], largest)
        if run.clock[STEP] == 0.0:
            run.clock[STEP] = self.first_step
        turned = Rotations(run.rotations, self.rotations is RotationUpdate.EXPONENTIAL)
        native = run.native
        if run.projection.rates:
            native = native._replace(rates=run.projection.rates)
        work = Stages.of(method, run.y.size, run.projection.rows)
        room = room_for(run.watch.sides.size, run.y.size)
        return CompiledLoop(explicit_loop, run, method, work, room, native, run.tables, turned, run.projection)


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
        return f"Use a smaller step than {self.step:g} s, or integrator=gs.CVODE(), which is made for stiff systems."


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
