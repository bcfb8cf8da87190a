"""Rosenbrock methods: linearly implicit, with the exact Jacobian of the rates, for stiff systems."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.elimination import sparse_factors
from gyrostat.analysis.integrators.integrator import Driver, Integrator, Stepper, positive, tolerances
from gyrostat.analysis.integrators.run import NO_PAIRS, NO_ROPES, Run
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
    ropes: ClassVar[bool] = True

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
            beginning=tableau.beginning,
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
        banded = run.ropes is not NO_ROPES
        dense = banded or run.pairs is not NO_PAIRS  # pairs couple all bodies
        jacobian = jacobian_of(None, run.x.size, n) if banded else _jacobian(run)
        sparse = SparseFactors.none() if dense else sparse_factors(run, jacobian)
        memory = RosenbrockStages.of(numbers, (n, rows, 0 if banded else n), jacobian, metric, sparse)
        return Driver(run, Method(ROSENBROCK, control, numbers, memory), exponential=True)


def _jacobian(run: Run) -> Jacobian:
    """Return the Jacobian of a run's rates."""
    changing = run.tables.places.size > 0 or run.input_function != 0
    changing = changing or run.pairs is not NO_PAIRS
    found = jacobian_of(run.jacobian(), run.x.size, run.y.size, run.time_derivative())
    return found._replace(inputs_function=run.input_derivative().address if changing else 0)


def jacobian_of(program: Program | None, row: int, n: int, by_time: Program | None = None) -> Jacobian:
    """Return the Jacobian of rates by a state of size n, with rows x of a size; without a program only room for ∂ẏ/∂t.

    Derivatives by inputs are left out. Programs of other matrices of n rows are served too.
    """
    moves = by_time is not None and not _is_zero(by_time)
    moments = by_time.outputs[0].pattern if by_time is not None else None
    along = groups = pattern = None
    if program is not None:
        along, groups, pattern = directional_program(program), column_groups(program), program.outputs[0].pattern
    columns = 0 if program is None else program.outputs[0].columns
    seeds = np.zeros((0, n)) if along is None else np.eye(columns) if groups is None else groups.seeds
    rows_of, columns_of = (np.zeros(0, np.int64),) * 2 if pattern is None else (p.astype(np.int64) for p in pattern)
    if groups is not None:
        rows_of, columns_of = groups.rows, groups.columns
    inputs = slice(0, 0) if program is None else program.input_slice("inputs")
    return Jacobian(
        entries_function=0 if along or program is None else program.address,
        columns_function=along.batch_address if along else 0,
        time_function=by_time.address if by_time is not None and moves else 0,
        time_rows=np.zeros(0, np.int64) if moments is None else moments[0].astype(np.int64),
        inputs_function=0,
        entries=np.zeros(rows_of.size),
        rows_of=rows_of,
        columns_of=columns_of,
        rows=np.hstack((np.zeros((len(seeds), row)), seeds)),
        group_of=np.zeros(0, np.int64) if groups is None else groups.group_of,
        products=np.zeros((0 if groups is None else len(seeds), n)),
        vector=np.zeros(row + inputs.stop - inputs.start),
        inputs=np.zeros(inputs.stop - inputs.start),
        first_input=inputs.start,
        column=np.zeros(n),
        matrix=np.zeros((columns, n if columns else 0)),
        by_time=np.zeros(n),
    )


def _is_zero(program: Program) -> bool:
    """Tell whether a program writes zeros only; without operations it may still write constants or its arguments."""
    return not program.operations and not program.loop(np.ones((1, program.input_size))).any()
