"""The arguments of loops: addresses of native functions and arrays, bundled in named tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.int64]


class Native(NamedTuple):
    """Addresses of native functions, 0 where there is none.

    `rates` writes ẏ, `events` the values and then the rates of all event functions; `inputs` writes inputs into x.
    """

    rates: int
    events: int
    inputs: int


class Tables(NamedTuple):
    """Inputs given as piecewise polynomials of time: value = Σ coefficients[i, k] (t − times[i])^k."""

    times: Floats
    """Shape (number of knots,)."""
    coefficients: Floats
    """Shape (knots, order + 1, number of inputs given so); constant before the first and after the last knot."""
    places: Places
    """Where in x each of these inputs is."""
    kinked: bool
    """Whether the pieces do not join smoothly; then every knot is a break, and a step lies within one piece."""


class Rotations(NamedTuple):
    """The places of Euler parameters in the state."""

    places: Places
    """Shape (number, 2): where in y e0 … e3 begin, and where w1 … w3 begin, in axes of the child."""
    exponential: bool
    """Whether a step turns them by a rotation vector; otherwise they are added to and normalised."""


class Projection(NamedTuple):
    """Projection of a state onto the constraints; there are none where `coordinates` is 0."""

    coordinates: int
    """Address of a function that writes coordinates after a step of Newton's method, and the residuals before it."""
    speeds: int
    """Address of a function that writes the projected speeds, and the residuals before."""
    n_q: int
    n_u: int
    """The number of speeds, which follow the coordinates in the state; entries behind them are left alone."""
    rows: int
    """The number of constraints."""
    size: float
    """The size of the mechanism, a length."""
    found: Floats
    """Room for the results of these functions."""
    rates: int
    """Address of a function that writes ẏ and then the pivots of the constraints' multipliers."""
    largest_pivots: Floats
    """Typical pivots, or the largest so far, with which small ones are compared, and then those of their product."""
    speed_of: Places
    """For each coordinate the place in u of the speed that is its rate, −1 where there is none.

    For Euler parameters that are turned, these are the angular velocities, by which rotation vectors change.
    """


FIXED, SLIDING, OPEN, LEAVING = 0, 1, 2, 3
"""Phases of a switching function: the mode is held, follows from a rate of zero, has to be decided, or has reached an
end of its range in a sliding mode and has to be decided too.
"""


class Resets(NamedTuple):
    """State variables that jump where a condition becomes true, such as a memory of the speed at touch."""

    function: int
    """Address of a function of x that writes their new values."""
    places: Places
    """Where in the state they are."""
    switches: Places
    """The switching function of the condition of each."""
    modes: Floats
    """The mode with which the condition is true."""
    before: Floats
    """The modes before they were set last; not-a-number where there were none."""
    found: Floats
    """Room for the new values."""

    @staticmethod
    def of(function: int, places: Places, switches: Places, modes: Floats, count: int) -> Resets:
        """Return the jumps of state variables, with room for so many modes."""
        return Resets(function, places, switches, modes, np.full(count, np.nan), np.zeros(places.size))


class Touching(NamedTuple):
    """Switching functions that tell whether bodies touch, and since when they do."""

    modes: Floats
    """The mode with which they touch; −1 for other functions."""
    since: Floats
    """When they have touched last."""
    slack: Floats
    """By how much a gap passes zero before its mode changes: rounding errors do not switch bodies that barely touch."""


class Switching(NamedTuple):
    """Switching functions of the state; there are none where `modes` is empty. n is their number."""

    function: int
    """Address of a function of x that writes their values and then their rates, with modes held."""
    rates: int
    """Address of ẏ with the conditions themselves in the place of modes."""
    on_inputs: bool
    """Whether a function depends on inputs of tables or Python functions, whose rates its own does not include."""
    algebraic: bool
    """Whether there are algebraic states, which jump where their equations switch: a switch ends the segment."""
    whole: Floats
    """1 where a function switches at all whole numbers, 0 where it does at zero."""
    at_zero: Floats
    """The mode of a function that stays zero."""
    rough: Floats
    """1 where a law may be a fractional power of a function, and is not smooth at the switch, otherwise 0."""
    modes: Floats
    """The modes, the last part of x in the same memory."""
    phases: Places
    """FIXED, SLIDING, OPEN or LEAVING."""
    lower: Floats
    """The lower of the two modes between which a function slides."""
    sizes: Places
    """One number: how many functions slide."""
    sliding: Places
    """Which functions slide, in order."""
    found: Floats
    """Room for values and rates, shape (2 n,)."""
    other: Floats
    """Room of the same shape."""
    slopes: Floats
    """Room for x, with the rates of inputs."""
    within: Floats
    """A time inside the present step, one number."""
    samples: Floats
    """Shape (3, 2 n): margins and their rates at three instants of a step; the first begins it."""
    matrix: Floats
    """Room for the equations of sliding modes, shape (n, n)."""
    left: Floats
    """Room of the same shape, for solving."""
    right: Floats
    rights: Floats
    solution: Floats
    order: Places
    state: Floats
    """Room for a state."""
    step: Floats
    changes: Floats
    """Room for rates, shape (2, size of the rates)."""
    resets: Resets
    touching: Touching

    @staticmethod
    def of(
        functions: tuple[int, int, bool, bool],
        kinds: tuple[Floats, Floats, Floats],
        modes: Floats,
        sizes: tuple[int, int, int],
        resets: Resets,
        touching: tuple[Floats, float],
    ) -> Switching:
        """Return switching functions whose modes stand at the end of x, with the sizes of x, the state and the rates.

        `functions` are both addresses, whether functions depend on inputs, and whether there are algebraic states;
        `kinds` are `whole`, `at_zero` and `rough`; `touching` are modes with which bodies touch, and the slack of
        their gaps.
        """
        row, size, rates = sizes
        n = modes.size
        return Switching(
            *functions, *kinds, modes, np.full(n, FIXED, np.int64), np.zeros(n), np.zeros(1, np.int64),
            np.zeros(n, np.int64), np.zeros(2 * n), np.zeros(2 * n), np.zeros(row), np.zeros(1), np.zeros((3, 2 * n)),
            np.zeros((n, n)), np.zeros((n, n)), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n, np.int64),
            np.zeros(size), np.zeros(size), np.zeros((2, rates)), resets,
            Touching(touching[0], np.full(n, -np.inf), np.where(touching[0] >= 0.0, touching[1], 0.0)),
        )  # fmt: skip


class RapidLaws(NamedTuple):
    """Functions in laws that may vary rapidly with their arguments; there are none where `conditions` is empty."""

    signals: int
    """Address of a function of x that writes the arguments of all functions."""
    programs: Places
    """Shape (functions, 3): addresses of the value, of its bounds over a box, and of these with bounds of the rate."""
    first: Places
    """Where the arguments of each function begin in `places`, and one more entry: the end."""
    places: Places
    """The numbers of the arguments of all functions."""
    conditions: Floats
    """1 for functions of which only the sign matters, otherwise 0."""
    box: Floats
    """Room, four rows: both ends of all arguments, and of their rates."""
    own: Floats
    """Room for the box of one function."""
    bounds: Floats
    """Room for the bounds of one function."""
    found: Floats
    """Room, four rows: lower and upper bounds of all functions, and of their rates."""
    samples: Floats
    """Room, five rows: arguments and functions at both ends and thirds of an interval, and within the step."""
    low: Floats
    high: Floats
    """The range in which each function has to stay."""
    noise: Floats
    """Values that no sample tells from zero: rounding, and the change by errors of the size of the tolerances."""
    state: Floats
    """Room for a state."""
    step: Floats

    @staticmethod
    def of(
        signals: int, programs: Places, arguments: Sequence[Sequence[int]], conditions: Floats, sizes: tuple[int, int]
    ) -> RapidLaws:
        """Return functions of given arguments; sizes are the number of all arguments and that of the state."""
        n, (count, state) = conditions.size, sizes
        first = np.cumsum([0, *(len(own) for own in arguments)])
        places = np.array([place for own in arguments for place in own], dtype=np.int64)
        longest = max((len(own) for own in arguments), default=0)
        return RapidLaws(
            signals, programs, first, places, conditions, np.zeros((4, count)), np.zeros(4 * longest), np.zeros(4),
            np.zeros((4, n)), np.zeros((5, count + n)), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(state),
            np.zeros(state),
        )  # fmt: skip


class EventBounds(NamedTuple):
    """Event functions that may vary rapidly, with bounds; there are none where `numbers` is empty."""

    functions: RapidLaws
    numbers: Places
    """For each event the number of its function, or −1."""


class Samples(NamedTuple):
    """Sampled blocks whose laws are formulas, and when they act within a run; there are none where `times` is empty."""

    times: Floats
    """Sample times, rising; each of them is a break."""
    due: NDArray[np.int8]
    """Shape (times, blocks): 1 where a block acts."""
    programs: Places
    """Address of a function of x for each block, which writes the held value and the memory."""
    first: Places
    """Shape (blocks + 1,): where the places of each block begin."""
    places: Places
    """Where in the state the held value and the memory of the blocks are."""
    found: Floats
    """Room for the values of a block."""
    before: Floats
    """Room for a state."""


class Pairs(NamedTuple):
    """Pairs of shapes that may touch: kernels (`pair_tables.PairKernels`) and what they take."""

    kernels: Any
    tables: Any


OPEN_CONTACT, STICKING, SLIPPING = 0, 1, 2
"""Modes of a rigid contact."""


class HeldContacts(NamedTuple):
    """Rigid contacts in fixed modes; there are none where `modes` is empty. n is their number."""

    terms: int
    """Address of a function of x that writes the output of the program `contact_terms`."""
    places: Places
    """Where in x the inputs of each contact begin: four loads and two margins."""
    modes: Places
    """OPEN_CONTACT, STICKING or SLIPPING."""
    closed: Places
    """One number: how many contacts are closed."""
    friction: Floats
    """Shape (n, 2): coefficients of sliding friction and of friction at rest."""
    directions: Floats
    """Shape (n, 3): direction of sliding when the segment begins; the mode ends where the speed along it is zero."""
    offsets: Floats
    """Shape (n, 3): small additions to the gap and to the sliding speed, which begin at zero and have to grow, and the
    speed below which friction keeps the direction in which sliding began."""
    weights: Floats
    """Shape (n,): compliance of the tangential directions; statically indeterminate friction is shared by loads."""
    preload: Floats
    """Shape (n, 4): loads nearest to which statically indeterminate ones are sought."""
    n_q: int
    n_u: int
    found: Floats
    """Room for the output of `terms`."""
    rows: Places
    """Room: the directions that are held, in order."""
    pivots: Places
    """Room: where the pivots were found."""
    columns: Floats
    """Room, shape (4 n, n_u): accelerations per unit of the unknown loads."""
    matrix: Floats
    """Room, shape (4 n, 4 n), for the equations of the unknown loads."""
    factors: Floats
    """Room of the same shape."""
    right: Floats
    solution: Floats
    correction: Floats
    state: Floats
    """Room for a state."""
    changes: Floats
    """Room for rates, shape (2, size of the rates)."""

    @staticmethod
    def of(terms: int, places: Places, friction: Floats, sizes: tuple[int, int, int, int, int]) -> HeldContacts:
        """Return open contacts with the sizes of q, of u, of the output of `terms`, of the state and of the rates."""
        n, (n_q, n_u, found, state, rates) = places.size, sizes
        rows = 4 * n
        return HeldContacts(
            terms, places, np.zeros(n, np.int64), np.zeros(1, np.int64), friction, np.zeros((n, 3)), np.zeros((n, 3)),
            np.ones(n), np.zeros((n, 4)), n_q, n_u, np.zeros(found), np.zeros(rows, np.int64),
            np.zeros(rows, np.int64), np.zeros((rows, n_u)),
            np.zeros((rows, rows)), np.zeros((rows, rows)), np.zeros(rows), np.zeros(rows), np.zeros(rows),
            np.zeros(state), np.zeros((2, rates)),
        )  # fmt: skip


class Equations(NamedTuple):
    """The equations of motion: native functions of x = (t, y, parameters, inputs, modes), rotations, constraints."""

    native: Native
    tables: Tables
    rotations: Rotations
    projection: Projection
    x: Floats
    """The row that all native functions take."""
    state: Floats
    """The part of x that is the state y, in the same memory."""
    switching: Switching
    samples: Samples
    pairs: Pairs
    contacts: HeldContacts
    ropes: Any
    """Ropes of nodes (`rope_tables.Ropes`)."""
    rapid: RapidLaws
    event_bounds: EventBounds


class Progress(NamedTuple):
    """Time, state and counts of a run: all that a later call of a loop needs."""

    y: Floats
    clock: Floats
    """Numbers at the places that `progress` names."""
    counts: Places
    """Integers at the places that `progress` names."""
    breaks: Floats
    """Times that no step passes over, in order."""


class Step(NamedTuple):
    """One step, or one attempt at it."""

    t: float
    h: float
    reached: float
    """The time at its end."""
    repeated: bool
    """Whether it repeats an attempt that was rejected, from the same state."""
    start: Floats
    """The state at its start."""
    new: Floats
    """Room for the state at its end."""
    polynomial: Floats
    """Shape (degree, size of y): room for its interpolation polynomial; the motion is Σ polynomial[j] θ^(j+1)."""
