"""What loops are given of their methods: numbers, room to work in, and what they remember, in named tuples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gyrostat.analysis.kernels.packing import Scratch
from gyrostat.analysis.kernels.problem import Floats, Places, Rotations, Tables


class Method(NamedTuple):
    """An explicit Runge–Kutta method with its step control; stage `stages` is the rate at the end of the step."""

    begins: Places
    """Where in `sources` and `weights` each of all stages begins; stage `stages` is the end of the step, those beyond
    it serve `dense`."""
    sources: Places
    """The earlier stages that each stage takes."""
    weights: Floats
    """With which weights it takes them."""
    c: Floats
    error: Floats
    """Shape (2, stages + 1): weights of the error; where the second row is not zero, Hairer's combination of both."""
    dense: Floats
    """Shape (all stages, degree): the motion at a fraction θ is h Σ_s k_s Σ_j dense[s, j] θ^(j+1)."""
    stages: int
    error_order: float
    """The power of h with which the error estimate falls."""
    adaptive: bool
    relative: float
    absolute: Floats
    pair: tuple[int, int]
    """Two stages at the same time, from which the largest eigenvalue is estimated."""
    limit: float
    """The largest step times eigenvalue for which decaying motions decay."""


class Stages(NamedTuple):
    """Room for the stages of a step, and for its polynomial."""

    k: Floats
    """Shape (all stages, size of the state and number of constraints): rates, and the pivots of the constraints."""
    step: Floats
    state: Floats
    new: Floats
    pair_states: Floats
    polynomial: Floats
    zero: Floats
    """Stays zero."""

    @staticmethod
    def of(method: Method, size: int, rows: int) -> Scratch:
        """Return room for a state of a size with so many constraints."""
        count, degree = method.dense.shape
        vector = (size,), "d"
        polynomial = (degree, size), "d"
        return Scratch(
            Stages, ((count, size + rows), "d"), vector, vector, vector, ((2, size), "d"), polynomial, vector
        )


class FixedMethod(NamedTuple):
    """An explicit Runge–Kutta method: the numbers that `Method` explains."""

    a: Floats
    """Shape (all stages, all stages): row s has the weights of earlier stages, row `stages` those of the end of the
    step; stages beyond it serve `dense`."""
    c: Floats
    dense: Floats
    stages: int


class Batch(NamedTuple):
    """Motions that are integrated together."""

    rates: int
    """Address of the rates of many rows."""
    tables: Tables
    rotations: Rotations
    breaks: Floats
    x: Floats
    """Shape (motions, size of x): what the programs take."""
    y: Floats
    """Shape (motions, size of y): the states."""
    k: Floats
    """Shape (all stages, motions, size of y): the rates of the stages; the first is known between calls."""
    grid: Floats
    states: Floats
    """Shape (motions, output times, size of y)."""
    step: Floats
    new: Floats
    stage: Floats
    """Room for steps and states of all motions."""
    polynomial: Floats
    way: Floats
    """Room for the polynomial of a step of one motion."""

    @staticmethod
    def of(
        method: FixedMethod,
        rates: int,
        tables: Tables,
        rotations: Rotations,
        breaks: Floats,
        x: Floats,
        grid: Floats,
        size: int,
    ) -> Batch:
        """Return motions that begin with states of a size in the rows of x."""
        y = x[:, 1 : 1 + size].copy()
        count, degree = method.dense.shape
        states = np.empty((len(x), len(grid), size))
        states[:, 0] = y
        return Batch(
            rates, tables, rotations, breaks, x, y, np.empty((count, *y.shape)), grid, states,
            np.zeros(y.shape), y.copy(), np.empty(y.shape), np.empty((degree, size)), np.empty(size),
        )  # fmt: skip


class Collocation(NamedTuple):
    """A collocation method with s stages, and the polynomial that is drawn through its steps."""

    a: Floats
    b: Floats
    c: Floats
    nodes: Floats
    """Fractions of the step at which rates are taken for dense output, beside its ends."""
    dense: Floats
    """Shape (3 + number of nodes, degree): powers of θ of the motion, from y1 − y0, h ẏ0, h ẏ1 and h ẏ at the nodes."""


class Memory(NamedTuple):
    """What is known from the last step."""

    low: Floats
    """What rounding has taken from the state (compensated summation)."""
    rates: Floats
    """Shape (s, n): the rates of the stages, from which those of the next step are guessed."""
    state: Floats
    """The state when the loop was left, to notice that somebody changed it."""
    step: Floats
    """The length of the last step, 0 where nothing is known."""


class CollocationStages(NamedTuple):
    """Room for the stages of an implicit step, and for its polynomial."""

    k: Floats
    motion: Floats
    state: Floats
    new: Floats
    ends: Floats
    inner: Floats
    polynomial: Floats

    @staticmethod
    def of(method: Collocation, size: int) -> CollocationStages:
        """Return room for a state of a size."""
        s, degree = method.b.size, method.dense.shape[1]
        return CollocationStages(
            np.zeros((s, size)), np.zeros((s, size)), np.zeros(size), np.zeros(size), np.zeros((2, size)),
            np.zeros((method.nodes.size, size)), np.zeros((degree, size)),
        )  # fmt: skip


class Rosenbrock(NamedTuple):
    """A Rosenbrock method with its step control, in the form that needs no products with the Jacobian J.

    (1/(hγ) − J) U_s = f(t + c_s h, y + Σ a_sj U_j) + Σ link_sj U_j/h + h time_s ∂f/∂t; the step is Σ b_s U_s.
    """

    a: Floats
    link: Floats
    b: Floats
    c: Floats
    time: Floats
    gamma: float
    error: Floats
    """Weights of the U whose sum is the error of a step."""
    dense: Floats
    """Shape (stages, degree): the motion at a fraction θ is Σ_s U_s Σ_j dense[s, j] θ^(j+1)."""
    error_order: float
    """The power of h with which the error falls."""
    adaptive: bool
    relative: float
    absolute: Floats
    n_q: int
    """The number of coordinates; the speeds follow them in the state."""


class RosenbrockStages(NamedTuple):
    """Room for the stages of a step, its equations, and its polynomial."""

    start: Floats
    """The rates at the start of the step, and the pivots of the constraints."""
    rates: Floats
    """The same of a stage."""
    u: Floats
    """Shape (stages, size of the state): the solutions U."""
    step: Floats
    state: Floats
    new: Floats
    factors: Floats
    pivots: Places
    polynomial: Floats

    @staticmethod
    def of(method: Rosenbrock, size: int, rows: int) -> RosenbrockStages:
        """Return room for a state of a size with so many constraints."""
        stages, degree = method.dense.shape
        return RosenbrockStages(
            np.zeros(size + rows), np.zeros(size + rows), np.zeros((stages, size)), np.zeros(size), np.zeros(size),
            np.zeros(size), np.zeros((size, size)), np.zeros(size, np.int64), np.zeros((degree, size)),
        )  # fmt: skip


class RateSlopes(NamedTuple):
    """What gives the slopes of the rates: addresses of functions, 0 where there is none, and room for what they write.

    The Jacobian is one function of all entries, of those that are stored, or of one column at a time.
    """

    jacobian: int
    """Writes all entries, or those at the places `rows_of` and `columns_of`."""
    along: int
    """Writes slopes along many directions in the state, which are the last entries of the rows it takes."""
    time: int
    """Writes ∂ẏ/∂t with inputs held."""
    inputs: int
    """Writes the slope along a direction in the inputs, which is the last part of the vector it takes."""
    entries: Floats
    rows_of: Places
    columns_of: Places
    rows: Floats
    """Shape (size of y, size of x and y): the rows for `along`, with unit directions."""
    vector: Floats
    """Room for x and a direction in the inputs."""
    given: Floats
    """Room for the inputs."""
    first_input: int
    slope: Floats
    matrix: Floats
    """∂ẏ/∂y, one row for each column."""
    in_time: Floats
    """∂ẏ/∂t."""


class StepMetric(NamedTuple):
    """What brings a state back to the constraints in the metric of a stiff step; without constraints all is empty."""

    directions: int
    """Address of a function that writes Aᵀ and M⁻¹ Aᵀ, one column for each constraint."""
    found: Floats
    """Room for what it writes, shape (2, rows, speeds)."""
    moves: Floats
    """Shape (rows, size of the state): changes of the state by a load along each row, during the step."""
    responses: Floats
    """Shape (rows, rows): how these change the speeds along the rows."""
    left: Floats
    """Room of the same shape, for solving."""
    gaps: Floats
    loads: Floats
    order: Places
    kept: Floats
    """Room for a state."""
    shares: Floats
    """Room, shape (rows, speeds): (A M⁻¹Aᵀ)⁻¹ A."""
    speed_of: Places
    """Room for the speed that belongs to each entry of the state."""

    @staticmethod
    def of(directions: int, rows: int, size: int, speeds: int) -> StepMetric:
        """Return room for so many constraints, states and speeds."""
        return StepMetric(
            directions, np.zeros((2, rows, speeds)), np.zeros((rows, size)), np.zeros((rows, rows)),
            np.zeros((rows, rows)), np.zeros(rows), np.zeros(rows), np.zeros(rows, np.int64), np.zeros(size),
            np.zeros((rows, speeds)), np.zeros(size, np.int64),
        )  # fmt: skip
