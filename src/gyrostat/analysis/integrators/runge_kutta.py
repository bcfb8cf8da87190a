"""Explicit Runge–Kutta methods: what all of them share, with fixed and with variable step."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gyrostat.analysis.integrators.compiled_loop import CompiledLoop
from gyrostat.analysis.integrators.integrator import Integrator, Stepper, positive
from gyrostat.analysis.integrators.rotation_update import RotationUpdate
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.tableau import Tableau
from gyrostat.analysis.kernels.library import explicit_loop
from gyrostat.analysis.kernels.methods import Method, Stages
from gyrostat.analysis.kernels.packing import Packed
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

    def stepper(self, run: Run) -> Stepper:
        """Return the compiled loop, bound to a run."""
        run.clock[LARGEST_STEP] = min(run.clock[LARGEST_STEP], self.control[3])
        if run.clock[STEP] == 0.0:
            run.clock[STEP] = self.first_step
        if run.loop is None:
            run.loop = self._loop(run)
        return run.loop

    def _loop(self, run: Run) -> Stepper:
        exponential = self.rotations is RotationUpdate.EXPONENTIAL
        turned = tuple(run.rotations[:, 0].tolist()) if exponential else ()
        method = _method(self.tableau, self.control, run.y.size, turned)
        native = run.native
        if run.projection.rates:
            native = native._replace(rates=run.projection.rates)
        work = Stages.of(method.value, run.y.size, run.projection.rows)
        room = room_for(run.watch.sides.size, run.y.size)
        rotations = Rotations(run.rotations, exponential)
        return CompiledLoop(explicit_loop, run, method, work, room, native, run.tables, rotations, run.projection)


@lru_cache(maxsize=64)
def _method(
    tableau: Tableau, control: tuple[bool, float, float, float], size: int, turned: tuple[int, ...]
) -> Packed[Method]:
    """Return the numbers of a method for states of a size, in which Euler parameters begin at some places.

    Where these are turned, a rotation vector's absolute tolerance counts as of size one, whatever they are.
    """
    adaptive, relative, absolute, _ = control
    tolerances = np.full(size, float(absolute))
    for place in turned:
        tolerances[place : place + 4] += relative
    begins, sources, weights = tableau.sparse_stages
    return Packed(
        Method(
            begins=begins,
            sources=sources,
            weights=weights,
            c=tableau.all_stages[1],
            error=tableau.error_weights,
            dense=tableau.dense_weights,
            stages=tableau.stages,
            error_order=float(tableau.error_order or 1),
            adaptive=adaptive,
            relative=float(relative),
            absolute=tolerances,
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
