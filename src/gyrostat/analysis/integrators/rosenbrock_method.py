"""Rosenbrock methods: linearly implicit, with the exact Jacobian of the rates, for stiff systems."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.elimination import sparse_factors
from gyrostat.analysis.integrators.integrator import Driver, Integrator, Stepper, positive, tolerances
from gyrostat.analysis.integrators.run import NO_PAIRS, Run
from gyrostat.analysis.integrators.tableau import RosenbrockTableau, widest_gap
from gyrostat.analysis.kernels.methods import (
    ROSENBROCK,
    Control,
    Jacobian,
    Method,
    Rosenbrock,
    RosenbrockStages,
    SparseFactors,
    StepMetric,
)
from gyrostat.analysis.kernels.progress import LARGEST_STEP, STEP
from gyrostat.program import Program, column_groups, directional_program


@dataclass(frozen=True)
class RosenbrockMethod(Integrator):
    """Base of Rosenbrock methods with variable steps; a subclass gives its tableau. With `step` all steps are equal."""

    algebraic: ClassVar[bool] = True
    samples: ClassVar[bool] = True
    contacts: ClassVar[bool] = True
    pairs: ClassVar[bool] = True
    jacobian: ClassVar[bool] = True

    rtol: float = 1e-8
    atol: float = 1e-10
    step: float | None = None
    largest_step: float | None = None
    starting_step: float | None = None

    def __post_init__(self) -> None:
        for field in ("rtol", "atol", "step", "largest_step", "starting_step"):
            positive(getattr(self, field), self, field)

    @property
    @abstractmethod
    def tableau(self) -> RosenbrockTableau:
        """The coefficients of the method."""

    @property
    def first_step(self) -> float:
        """The step to begin with."""
        return self.step or self.starting_step or 0.0

    @property
    def advice(self) -> str:
        """Other tolerances."""
        return (
            "Check loads and positions at this time; where the motion is sudden but regular, give a largest_step or "
            f"tolerances below rtol={self.rtol:g} and atol={self.atol:g}."
        )

    def stepper(self, run: Run) -> Stepper:
        """Return the driver of the method for a run."""
        run.clock[LARGEST_STEP] = min(run.clock[LARGEST_STEP], self.largest_step or np.inf)
        if run.clock[STEP] == 0.0:
            run.clock[STEP] = self.first_step
        if run.loop is None:
            run.loop = self._loop(run)
        return run.loop

    def _loop(self, run: Run) -> Stepper:
        tableau, n, rows = self.tableau, run.y.size, run.projection.rows
        gap, half_gap = widest_gap(tableau.c)
        control = Control(
            adaptive=self.step is None,
            relative=float(self.rtol),
            absolute=tolerances(self.rtol, self.atol, n, run.rotations[:, 0].tolist()),
            error_order=float(tableau.error_order),
            safety=0.9,
            most_growth=6.0,
            gap=gap,
            half_gap=half_gap,
            onset=tableau.onset,
        )
        numbers = Rosenbrock(
            a=tableau.a,
            link=tableau.link,
            b=tableau.b,
            c=tableau.c,
            time=tableau.time,
            gamma=tableau.gamma,
            error=tableau.error,
            dense=np.ascontiguousarray(tableau.dense),
            n_q=run.n_q,
            mass=run.mass,
        )
        metric = StepMetric.of(run.directions().address if rows else 0, rows, n, run.projection.n_u)
        jacobian = _jacobian(run)
        sparse = (
            sparse_factors(run, jacobian) if run.pairs is NO_PAIRS else SparseFactors.none()
        )  # pairs couple all bodies
        memory = RosenbrockStages.of(numbers, n, rows, jacobian, metric, sparse)
        return Driver(run, Method(ROSENBROCK, control, numbers, memory), exponential=True)


def _jacobian(run: Run) -> Jacobian:
    """Return the Jacobian of a run's rates."""
    n, program = run.y.size, run.jacobian()
    along, groups, pattern = directional_program(program), column_groups(program), program.outputs[0].pattern
    seeds = np.zeros((0, n)) if along is None else np.eye(n) if groups is None else groups.seeds
    rows = np.hstack((np.zeros((len(seeds), run.x.size)), seeds))
    by_time = run.time_derivative()
    changing = run.tables.places.size > 0 or run.input_function != 0
    by_inputs = changing or run.pairs is not NO_PAIRS
    rows_of, columns_of = (np.zeros(0, np.int64),) * 2 if pattern is None else (p.astype(np.int64) for p in pattern)
    if groups is not None:
        rows_of, columns_of = groups.rows, groups.columns
    inputs = program.input_slice("inputs")
    return Jacobian(
        entries_function=0 if along else program.address,
        columns_function=along.batch_address if along else 0,
        time_function=0 if _is_zero(by_time) else by_time.address,
        inputs_function=run.input_derivative().address if by_inputs else 0,
        entries=np.zeros(rows_of.size),
        rows_of=rows_of,
        columns_of=columns_of,
        rows=rows,
        group_of=np.zeros(0, np.int64) if groups is None else groups.group_of,
        products=np.zeros((0 if groups is None else len(seeds), n)),
        vector=np.zeros(run.x.size + inputs.stop - inputs.start),
        inputs=np.zeros(inputs.stop - inputs.start),
        first_input=inputs.start,
        column=np.zeros(n),
        matrix=np.zeros((n, n)),
        by_time=np.zeros(n),
    )


def _is_zero(program: Program) -> bool:
    """Tell whether a program writes zeros only; without operations it may still write constants or its arguments."""
    return not program.operations and not program.loop(np.ones((1, program.input_size))).any()
