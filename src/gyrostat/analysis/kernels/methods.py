"""Methods of integration as loops see them: their kernels, numbers, step control and memory, in named tuples."""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from gyrostat.analysis.kernels.packing import KernelName, Scratch, constant
from gyrostat.analysis.kernels.problem import Floats, Places


class Kernels(NamedTuple):
    """The kernels of a method, which the driver calls. All take the method, the equations and the progress.

    They count their evaluations of the rates, and return DONE or a reason why the run stops.
    """

    begin: Any
    """begin(method, equations, progress, stop, fresh, broken): prepare a step from the present time and state, and
    choose a step where the clock has none. `fresh` is true if no step of this call has led there, `broken` if there is
    a break."""
    attempt: Any
    """attempt(method, equations, step, progress): write the state at the end of a step into `step.new`, its error in
    units of the tolerance, and how near a singular position is, into the clock. NON_FINITE requests a shorter step."""
    interpolate: Any
    """interpolate(method, equations, step, progress): write the polynomial of an accepted step."""
    sketch: Any
    """sketch(method, step): write a polynomial of an accepted step that takes no evaluation, where that of
    `interpolate` takes some; return whether it was written."""
    follow: Any
    """follow(method, equations, step, progress): return DONE where the polynomial of an accepted step is near enough to
    the motion for a search of events and switches, else REPEAT, with a shorter step to be tried."""
    settle: Any
    """settle(method, equations, log, progress, step, first): correct recorded outputs within a step, from a place on,
    where its polynomial passes by the motion that the equations have there."""
    accept: Any
    """accept(method, equations, step, progress, whole): prepare the memory for the next step; `whole` is False where
    an event has cut this one. Time and state are still those of its start."""

    work: Any
    """work(method, equations, step, fraction, whole): return the work of all loads in a step up to a fraction of it,
    before it is accepted; zero where the method does not add it up. `whole` is False where `step` is part of the one
    that was attempted."""

    @staticmethod
    def of(file: str) -> Kernels:
        """Return the kernels of a file in this folder."""
        return constant(Kernels(*(KernelName(file, name) for name in Kernels._fields)))


RUNGE_KUTTA, ROSENBROCK, COLLOCATION, MOREAU = (
    Kernels.of(file) for file in ("runge_kutta", "rosenbrock", "collocation", "moreau")
)


class Control(NamedTuple):
    """The control of the step: an attempt is accepted where its error is at most one."""

    adaptive: bool
    """Whether steps are chosen by their error; otherwise all are equal."""
    relative: float
    absolute: Floats
    """The tolerance of each state is absolute + relative · |y|."""
    error_order: float
    """The power of h with which the error falls."""
    safety: float
    """The part of the step that would just be accepted, by the error, that is tried."""
    most_growth: float
    """The longest step after another, in terms of it."""
    gap: float
    """The middle of the widest gap between the times of stages, in terms of the step."""
    half_gap: float
    """The distance from there to the nearest stage."""
    onset: float
    """By how much the error of a step may exceed its estimate where rates begin like a fractional power of time."""
    beginning: float
    """The error of a step of length one where rates begin with the power 3/2 of time, raised by `onset`."""


N = TypeVar("N")
M = TypeVar("M")


class Method(NamedTuple, Generic[N, M]):
    """A method of integration for the driver."""

    kernels: Kernels
    control: Control
    numbers: N
    memory: M
    """Arrays that only the method's kernels use; `new` and `polynomial` are those of the step."""


class ExplicitTableau(NamedTuple):
    """An explicit Runge–Kutta method; stage `stages` is the rate at the end of the step."""

    begins: Places
    """Where in `sources` and `weights` each of all stages begins; stage `stages` is the end of the step, those beyond
    it serve `dense`."""
    sources: Places
    """The earlier stages that each stage takes."""
    weights: Floats
    """The weights of these."""
    c: Floats
    error: Floats
    """Shape (2, stages + 1): weights of the error; where the second row is not zero, Hairer's combination of both."""
    dense: Floats
    """Shape (all stages, degree): the motion at a fraction θ is h Σ_s k_s Σ_j dense[s, j] θ^(j+1)."""
    stages: int
    pair: tuple[int, int]
    """Two stages at the same time, from which the largest eigenvalue is estimated."""
    limit: float
    """The largest step times eigenvalue for which decaying motions decay."""


class Stages(NamedTuple):
    """Memory of an explicit method."""

    k: Floats
    """Shape (all stages, size of the state, number of constraints and one where work is added up): rates, the pivots
    of the constraints, and the power of all loads."""
    step: Floats
    state: Floats
    new: Floats
    pair_states: Floats
    polynomial: Floats
    zero: Floats
    """Stays zero."""
    nearness: Floats
    """The smallest relative pivot at each stage up to the end of the step, negative where rates are not finite."""
    rates: Floats
    """Room for rates."""
    modes: Floats
    """Room for the modes of switching functions."""

    @staticmethod
    def of(tableau: ExplicitTableau, size: int, rows: int, modes: int) -> Scratch:
        """Return memory for a state of a size, so many numbers behind the rates, and so many switching functions."""
        count, degree = tableau.dense.shape
        vector = (size,), "d"
        polynomial = (degree, size), "d"
        return Scratch(
            Stages, ((count, size + rows), "d"), vector, vector, vector, ((2, size), "d"), polynomial, vector,
            ((tableau.stages + 1,), "d"), ((size + rows,), "d"), ((modes,), "d"),
        )  # fmt: skip


class Collocation(NamedTuple):
    """A collocation method with s stages, and the interpolation polynomial of its steps."""

    a: Floats
    b: Floats
    c: Floats
    nodes: Floats
    """Fractions of the step at which rates are taken for dense output, beside its ends."""
    dense: Floats
    """Shape (3 + number of nodes, degree): powers of θ of the motion, from y1 − y0, h ẏ0, h ẏ1 and h ẏ at the nodes."""


class CollocationStages(NamedTuple):
    """Memory of a collocation method."""

    k: Floats
    motion: Floats
    state: Floats
    new: Floats
    ends: Floats
    inner: Floats
    polynomial: Floats
    low: Floats
    """Rounding errors of the state so far (compensated summation)."""
    new_low: Floats
    """The same at the end of the step."""
    rates: Floats
    """Shape (s, n): the rates of the last step's stages, from which those of the next step are extrapolated."""
    last: Floats
    """The state at the end of the last step, by which a state that was changed since is noticed."""
    last_step: Floats
    """The length of the last step, one number; 0 where its rates are not valid."""

    @staticmethod
    def of(method: Collocation, size: int) -> CollocationStages:
        """Return memory for a state of a size."""
        s, degree = method.b.size, method.dense.shape[1]
        return CollocationStages(
            np.zeros((s, size)), np.zeros((s, size)), np.zeros(size), np.zeros(size), np.zeros((2, size)),
            np.zeros((method.nodes.size, size)), np.zeros((degree, size)), np.zeros(size), np.zeros(size),
            np.zeros((s, size)), np.full(size, np.nan), np.zeros(1),
        )  # fmt: skip


class Rosenbrock(NamedTuple):
    """A Rosenbrock method with its step control, in the form that needs no products with the Jacobian J.

    (m/(hγ) − J) U_s = f(t + c_s h, y + Σ a_sj U_j) + m Σ link_sj U_j/h + h time_s ∂f/∂t; the step is Σ b_s U_s.
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
    n_q: int
    """The number of coordinates; the speeds follow them in the state."""
    mass: Floats
    """1 for entries of the state that have rates, 0 for algebraic ones, whose entry of f is an equation's residual."""


class Jacobian(NamedTuple):
    """The Jacobian ∂ẏ/∂y and ∂ẏ/∂t: addresses of native functions, 0 where there is none, and room for their results.

    ∂ẏ/∂y is one function of all entries, of the stored entries alone, or of one column at a time.
    """

    entries_function: int
    """Writes all entries, or those at the places `rows_of` and `columns_of`."""
    columns_function: int
    """Writes derivatives along many directions in the state, which are the last entries of the rows it takes."""
    time_function: int
    """Writes ∂ẏ/∂t with inputs held, or its entries at the places `time_rows`."""
    time_rows: Places
    inputs_function: int
    """Writes the derivative along a direction in the inputs, which is the last part of the vector it takes."""
    entries: Floats
    rows_of: Places
    columns_of: Places
    rows: Floats
    """The rows for `columns_function`, each with x and a direction: unit vectors, or their sums over groups."""
    group_of: Places
    """The group of each column; empty where columns are not in groups."""
    products: Floats
    """Shape (groups, size of y): room for the derivatives along the directions of groups."""
    vector: Floats
    """Room for x and a direction in the inputs."""
    inputs: Floats
    """Room for the inputs."""
    first_input: int
    """Where in x the inputs begin."""
    column: Floats
    """Room for the derivative along a direction."""
    matrix: Floats
    """∂ẏ/∂y, one row for each column."""
    by_time: Floats
    """∂ẏ/∂t."""


class SparseFactors(NamedTuple):
    """Factors L and U of a sparse matrix whose order of elimination is fixed; without entries it is factorised densely.

    Column k of the factors has entries `begins[k]` to `begins[k + 1]`, by rising rows; L has a unit diagonal.
    """

    row_order: Places
    """Which row of the matrix is eliminated as the k-th."""
    column_order: Places
    """Which column of the matrix is eliminated as the k-th."""
    row_places: Places
    """Where in the order each row of the matrix stands."""
    begins: Places
    rows: Places
    """The row of each entry, in the order of elimination."""
    diagonals: Places
    """Which entry of each column is on the diagonal."""
    values: Floats
    column: Floats
    """Room for a column."""
    used: Places
    """One number: 1 where the present factors are these, 0 where they are dense."""

    @staticmethod
    def of(row_order: Places, column_order: Places, begins: Places, rows: Places, diagonals: Places) -> SparseFactors:
        """Return room for the factors of a structure."""
        places = np.empty_like(row_order)
        places[row_order] = np.arange(row_order.size)
        return SparseFactors(
            row_order, column_order, places, begins, rows, diagonals, np.zeros(rows.size), np.zeros(row_order.size),
            np.zeros(1, np.int64),
        )  # fmt: skip

    @staticmethod
    def none() -> SparseFactors:
        """Return what stands for matrices that are factorised densely."""
        empty = np.zeros(0, np.int64)
        return SparseFactors.of(empty, empty, empty, empty, empty)


class RosenbrockStages(NamedTuple):
    """Memory of a Rosenbrock method: stages of a step, its linear equations, and its polynomial."""

    start: Floats
    """The rates at the start of the step, and the pivots of the constraints."""
    nearness: Floats
    """How near a singular position is at the start of the step, one number."""
    rates: Floats
    """Rates and pivots of a stage."""
    u: Floats
    """Shape (stages, size of the state): the solutions U."""
    step: Floats
    state: Floats
    new: Floats
    factors: Floats
    pivots: Places
    polynomial: Floats
    jacobian: Jacobian
    metric: StepMetric
    sparse: SparseFactors

    @staticmethod
    def of(
        method: Rosenbrock, sizes: tuple[int, int, int], jacobian: Jacobian, metric: StepMetric, sparse: SparseFactors
    ) -> RosenbrockStages:
        """Return memory for the sizes of the state, of the constraints and of the linear equations."""
        size, rows, unknowns = sizes
        stages, degree = method.dense.shape
        return RosenbrockStages(
            np.zeros(size + rows), np.zeros(stages), np.zeros(size + rows), np.zeros((stages, size)), np.zeros(size),
            np.zeros(size), np.zeros(size), np.zeros((unknowns, unknowns)), np.zeros(size, np.int64),
            np.zeros((degree, size)), jacobian, metric, sparse,
        )  # fmt: skip


class StepMetric(NamedTuple):
    """Projection onto the constraints in the metric of a stiff step; without constraints all arrays are empty."""

    directions: int
    """Address of a function that writes Aᵀ and M⁻¹ Aᵀ, one column for each constraint."""
    found: Floats
    """Room for its result, shape (2, rows, speeds)."""
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
