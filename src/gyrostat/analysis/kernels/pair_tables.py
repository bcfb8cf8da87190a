"""Tables of the pairs of shapes that may touch: shapes, laws, the broad phase and room for the narrow phase."""

from __future__ import annotations

from typing import Any, NamedTuple

from gyrostat.analysis.kernels.packing import KernelName, constant
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.analysis.kernels.solid_tables import FEATURE, Patch, Solids, Surfaces

FRAME = 18
"""Numbers of a frame: position, rotation row by row, velocity, angular velocity, all in world axes."""
POINTS = 8
"""The largest number of points of contact of a pair."""
SIZES = FEATURE
"""Numbers of a pair's dimensions, three for each shape, or of the feature of a point."""
IDS = 1 << 24
"""Numbers that tell the points of a pair apart."""
MEMORY = 4
"""Numbers that a point of contact remembers: the speed of approach at touch, and the deflection of its bristles."""
GIVEN = 1 + MEMORY
"""Arguments of a point: 1 if it may exert a force, otherwise 0, and what it remembers."""
GAP, RATE, FORCE, MOMENT_A, MOMENT_B, NORMAL, OF_POINTS = 0, 1, 2, 5, 8, 11, 12
"""Results of a pair: least gap and least rate of its points, force on a, moments on a and b about the origins of their
shapes, normal force; then the results of its points."""
POINT_GAP, POINT_BEGIN, POINT_RATES, POINT = 0, 1, 5, 8
"""Results of a point: gap; the speed of approach and the deflection to begin with; rates of the deflection."""
RESULTS = OF_POINTS + POINT * POINTS
DEPTH, TOUCHING, TOTAL_FORCE = 0, 1, 2
"""The summary of a group of pairs: largest depth, number of pairs that touch, sum of the normal forces."""
VALID, COUNT, CROWDED, HELD, HOLDING, NUMBERS = range(6)
"""Integers: whether the list of neighbours is valid, the pairs in it, whether it has no room; the points that touch at
the start of a step, and which act in the step: EACH, OPEN_STAY or ALL."""
SAFE, LOWEST, DEEPEST, DEEPEST_A, DEEPEST_B, FOUND = range(6)
"""Results of a search for touches: the time without one, the smallest gap of pairs that were open, the largest depth in
terms of the smaller radius, and its pair of shapes."""
EACH, OPEN_STAY, ALL = 0, 1, 2
"""Which pairs act within a step: all, in fixed steps; in steps that end at a touch those that touch at the start; all,
in adaptive steps that pass touches."""
PASSED, DEEP, ABRUPT, BEGUN, SEARCH, LIFTED = -1.0, -4.0, -5.0, -6.0, -7.0, -8.0
"""Results of `glance` and `pass_touches`: no touch; shapes overlap by a large part of their size, or by much more than
at the start of the step; a pair has touched within the step; the step has to be searched for touches; LIFTED − θ where
a contact has ended at the fraction θ of the step."""
DEPTH_LIMIT = 0.5
"""The depth, in terms of the smaller radius, at which the law of a contact has no meaning."""
SKIN = 0.2
"""How far a shape may move before neighbours are searched again, in terms of its bounding radius."""


class ShapeTables(NamedTuple):
    """The shapes of all groups; a shape in several groups is listed for each. Planes come last."""

    bodies: Places
    """Places of the bodies in the program of their motion, −1 for the ground."""
    placements: Floats
    """Shape (n, 12): R_BS row by row and r_BS_B, the pose of the shape's frame in its body."""
    dimensions: Floats
    """Shape (n, 3): lengths that a pair function takes, zeros behind them."""
    radii: Floats
    """Radius of the bounding sphere about the origin of the shape; 0 for planes."""
    kinds: Places
    """Number of the kind of the shape."""
    groups: Places
    """The group of pairs that the shape belongs to."""
    sides: Places
    """0 where all shapes of the group may touch, else 1 or 2: shapes of one side do not touch each other."""
    excluded: Floats
    """Shape (m, 2), ordered: pairs of shapes, the lower number first, that are left out."""
    loads: Places
    """Where in x the force and the moment on the shape's body are, −1 for the ground."""
    finite: int
    """The number of shapes that are no planes."""


class Groups(NamedTuple):
    """Groups of pairs: one for each component of the model that describes many contacts."""

    functions: Places
    """Shape (groups, kinds, kinds): address of the function of a pair, 0 where the kinds have the other order."""
    points: Places
    """Shape (groups, kinds, kinds): the number of points of contact of a pair."""
    patches: Places
    """Shape (groups, kinds, kinds): how points of a pair are found: NO_PATCH, BY_SOLIDS, BY_SURFACE or BY_PLANE."""
    point_functions: Places
    """Shape (groups, modes): address of the function of a point by the mode of its feature."""
    parameters: Floats
    """Shape (groups, p): values of the parameters that the laws take."""
    summaries: Places
    """Where in x the summary of each group is."""
    written: Places
    """Shape (groups, 2): the part of x that holds loads and summary of each group."""


SLOT = 1 + MEMORY
"""Numbers of a slot in the state: the key of a point of contact, 0 for a free slot, and what the point remembers."""
UNCHANGED, CHANGED, NO_SLOT, OVERLAP = 0, 1, 2, 3
"""Results of `hold`: the state is as it was, slots have been taken or given back, there is no slot left, or shapes
overlap by a large part of their size."""


class Slots(NamedTuple):
    """Memory of points of contact, in slots of the state that they take when they touch; m is their number."""

    first: Places
    """Shape (groups + 1,): number of the first slot of each group."""
    places: Places
    """Where in x each slot begins."""
    rates: Places
    """Where in x the rates of its deflection are."""
    keys: Floats
    """The keys of all slots when they were last seen."""
    order: Places
    """Slots that are taken, ordered by group and key."""
    used: Places
    """One number: how many slots are taken."""
    seen: Places
    """1 for slots whose points touch, in the search for those that do not."""


class Broad(NamedTuple):
    """Memory of the broad phase; it changes no result, since the list always has all pairs that touch."""

    order: Places
    """Shapes ordered by their lower bounds along the axis of the sweep."""
    centres: Floats
    """Shape (n, 3): where the shapes were when the list was made."""
    reach: Floats
    """How far each may move until the list is made again."""
    rows: Floats
    """Shape (n, 6), in that order: lower bound, centre, bounding radius with the reach, upper bound."""
    lists: Places
    """Shape (2, room): pairs as they are found."""
    start: Places
    """Shape (n + 1,): where the neighbours of each shape with higher numbers begin."""
    neighbours: Places
    """Neighbours, in rising order for each shape."""
    numbers: Places
    """VALID, COUNT, CROWDED, HELD, HOLDING."""


class TouchTables(NamedTuple):
    """Memory of the search for the first touch within a step."""

    bounds: Floats
    """Shape (n, 4): bounds in the step of speed and acceleration of each shape's points, of its angular velocity and
    angular acceleration."""
    before: Floats
    """Shape (n, FRAME): frames at the sample before."""
    held: Floats
    """Keys of the points that touch at the start of the step, in rising order."""
    state: Floats
    step: Floats
    found: Floats
    """Results of a sweep over all pairs: see `touch_search`."""


class Slopes(NamedTuple):
    """Memory for derivatives of loads by the state; without any, arrays are empty."""

    motion_along: int
    """Address of a function of x and a direction in the state that writes the change of the bodies' motion."""
    functions: Places
    """Shape (groups, kinds, kinds): address of the function that writes the block of a pair."""
    first_input: int
    """Where in x the inputs begin."""
    row: Floats
    """Room for x and a direction."""
    tangents: Floats
    """Shape (size of the state, numbers of the motion): changes of the bodies' motion along each entry."""
    by_state: Floats
    """Shape (size of the state, inputs): derivatives of the inputs by each entry."""
    block: Floats
    """Room for a block, column by column."""
    frames: Floats
    """Room for the changes of two frames."""
    change: Floats
    """Room for the changes of a pair."""
    swapped: Places
    """One number: 1 where b comes before a."""
    kept: Floats
    """Room for two frames and a force."""
    taken: Places
    """Room for the slots of the points of a pair."""


class Finder(NamedTuple):
    """The kernel that finds the features of a pair's points, with its arguments."""

    address: int
    """Its address; 0 where functions give the points of all pairs."""
    words: Places
    """Its arguments as words, of which the last ones are both shapes and whether contacts are rigid."""
    swapped: Places
    """Room for its result: 1 where b comes before a."""


class PairTables(NamedTuple):
    """All that the kernels of pairs take."""

    motion: int
    """Address of a function of x that writes positions, rotations, velocities, angular velocities of the bodies."""
    moved: Floats
    """Room for its results."""
    body_count: int
    """The number of bodies."""
    shapes: ShapeTables
    groups: Groups
    slots: Slots
    broad: Broad
    touch: TouchTables
    frames: Floats
    """Shape (n, FRAME): the shapes' frames in the world."""
    arguments: Floats
    """Room for the arguments of a pair: two frames, SIZES, those of its points, parameters."""
    results: Floats
    """Room for the results of a pair."""
    solids: Solids
    surfaces: Surfaces
    patch: Patch
    finder: Finder
    slopes: Slopes
    rigid: bool
    """Whether functions write gap, normal and place of each point, and no forces."""
    continuous: bool
    """Whether the forces of all laws begin at zero when shapes touch."""


class PairKernels(NamedTuple):
    """The kernels of pairs, which loops take as arguments; without pairs they do nothing."""

    present: Any
    """present(): return whether there are pairs."""
    hold: Any
    """hold(equations, progress, at, within, control): list the pairs that touch at the start of a step, of which the
    points that remember take slots in the state; in steps that end at a touch, all other pairs are held open. Return
    UNCHANGED, CHANGED, NO_SLOT or OVERLAP."""
    apply: Any
    """apply(equations): write the loads of all pairs at the time and state in x into x."""
    vary: Any
    """vary(equations): write the derivatives of loads by the state in x into `slopes`; return whether there are any."""
    slope: Any
    """slope(equations, j, seeds): write the derivatives of all inputs by entry j of the state, which `vary` has found;
    return whether any is not zero."""
    glance: Any
    """glance(equations, step): return PASSED where no pair has touched in a step, BEGUN where one has and the step
    remains whole, SEARCH where the polynomial of the step is needed to know."""
    pass_touches: Any
    """pass_touches(equations, step): end a step at the first touch of an open pair; return the fraction at which that
    is, −1 where there is none, DEEP where shapes overlap by a large part of their size, ABRUPT where the overlap of a
    pair has grown too much for one step, and LIFTED − θ where there is no touch and a contact ends at a fraction θ."""

    @staticmethod
    def of(file: str) -> PairKernels:
        """Return the kernels of a file in this folder."""
        return constant(PairKernels(*(KernelName(file, name) for name in PairKernels._fields)))
