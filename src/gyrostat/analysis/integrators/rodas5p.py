"""Steinebach's Rosenbrock method of order five, for stiff systems, trees and closed loops alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from gyrostat.analysis.integrators.elimination import sparse_factors
from gyrostat.analysis.integrators.integrator import Driver, Integrator, Stepper, positive, tolerances
from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.integrators.tableau import RosenbrockTableau, widest_gap
from gyrostat.analysis.kernels.methods import (
    ROSENBROCK,
    Control,
    Jacobian,
    Method,
    Rosenbrock,
    RosenbrockStages,
    StepMetric,
)
from gyrostat.analysis.kernels.progress import LARGEST_STEP, STEP
from gyrostat.program import Program, column_groups, directional_program

_A = (
    (),
    (3.0,),
    (2.849394379747939, 0.45842242204463923),
    (-6.954028509809101, 2.489845061869568, -10.358996098473584),
    (2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641),
    (-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946),
)
"""The first six stages; to the weights of the sixth each further stage adds the one before it."""
_LINK = (
    (),
    (-14.155112264123755,),
    (-17.97296035885952, -2.859693295451294),
    (147.12150275711716, -1.41221402718213, 71.68940251302358),
    (165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306),
    (24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471),
    (
        *(30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623),
        -28.087943162872662,
    ),
    (
        *(37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002),
        *(-54.66780262877968, -9.48861652309627),
    ),
)
_GAMMA = 0.21193756319429014
_C = (0.0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1.0, 1.0, 1.0)
_TIME = (_GAMMA, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0.0, 0.0, 0.0)
_DENSE = (
    (
        *(25.948786856663858, -2.5579724845846235, 10.433815404888879, -2.3679251022685204, 0.524948541321073),
        *(1.1241088310450404, 0.4272876194431874, -0.17202221070155493),
    ),
    (
        *(-9.91568850695171, -0.9689944594115154, 3.0438037242978453, -24.495224566215796, 20.176138334709044),
        *(15.98066361424651, -6.789040303419874, -6.710236069923372),
    ),
    (
        *(11.419903575922262, 2.8879645146136994, 72.92137995996029, 80.12511834622643, -52.072871366152654),
        *(-59.78993625266729, -0.15582684282751913, 4.883087185713722),
    ),
)
"""D1, D2, D3 of the motion θ (y1 − y0) + θ (1 − θ) (D1 + θ (D2 + θ D3))."""


@lru_cache
def _tableau() -> RosenbrockTableau:
    a, link = np.zeros((8, 8)), np.zeros((8, 8))
    for s in range(8):
        a[s, : min(s, 5)] = _A[min(s, 5)]
        a[s, 5:s] = 1.0
        link[s, :s] = _LINK[s]
    b = np.append(a[7, :7], 1.0)
    first, second, third = (np.array(row) for row in _DENSE)
    return RosenbrockTableau(
        "Rodas5P",
        5,
        gamma=_GAMMA,
        a=a,
        link=link,
        b=b,
        c=np.array(_C),
        time=np.array(_TIME),
        error=np.eye(8)[7],
        error_order=5,
        dense=np.stack([b + first, second - first, third - second, -third], axis=1),
    )


@dataclass(frozen=True)
class Rodas5P(Integrator):
    """Variable step, linearly implicit, order 5 with an error estimate of order 4: for stiff systems.

    Steinebach's method (BIT Numerical Mathematics 63:27, 2023), with eight stages and the exact Jacobian of the rates,
    factorised once in each step: stable for all decaying motions (L-stable), no iteration that could fail to converge,
    no past that events or closed loops would break. Dense output is of order 4. With `step` all steps are equal.
    Rotations are rotation vectors within a step. Equations of algebraic variables are solved along (index 1).

    >>> Rodas5P(rtol=1e-6).tableau.stages
    8
    """

    algebraic: ClassVar[bool] = True
    samples: ClassVar[bool] = True
    contacts: ClassVar[bool] = True
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
    def tableau(self) -> RosenbrockTableau:
        """The coefficients of the method."""
        return _tableau()

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
        memory = RosenbrockStages.of(numbers, n, rows, jacobian, metric, sparse_factors(run, jacobian))
        return Driver(run, Method(ROSENBROCK, control, numbers, memory), exponential=True)


def _jacobian(run: Run) -> Jacobian:
    """Return the Jacobian of a run's rates."""
    n, program = run.y.size, run.jacobian()
    along, groups, pattern = directional_program(program), column_groups(program), program.outputs[0].pattern
    seeds = np.zeros((0, n)) if along is None else np.eye(n) if groups is None else groups.seeds
    rows = np.hstack((np.zeros((len(seeds), run.x.size)), seeds))
    by_time = run.time_derivative()
    changing = run.tables.places.size > 0 or run.input_function != 0
    rows_of, columns_of = (np.zeros(0, np.int64),) * 2 if pattern is None else (p.astype(np.int64) for p in pattern)
    if groups is not None:
        rows_of, columns_of = groups.rows, groups.columns
    inputs = program.input_slice("inputs")
    return Jacobian(
        entries_function=0 if along else program.address,
        columns_function=along.batch_address if along else 0,
        time_function=0 if _is_zero(by_time) else by_time.address,
        inputs_function=run.input_derivative().address if changing else 0,
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
