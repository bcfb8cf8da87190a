"""Steps that need no search for touches: no shape moves by more than a small part of its size near another one.

In such a step no pair passes another one. All pairs exert their forces in all stages, so that the error estimate of an
adaptive method includes a pair that touches within the step; it is raised there to that of a force that sets in.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.methods import Control
from gyrostat.analysis.kernels.pair_forces import (
    ensure_neighbours,
    evaluate_pair,
    first_neighbour,
    height,
    last_neighbour,
    neighbour,
    points_of,
    set_frames,
)
from gyrostat.analysis.kernels.pair_search import may_touch
from gyrostat.analysis.kernels.pair_slots import held_key, is_patch, key_of
from gyrostat.analysis.kernels.pair_tables import (
    BEGUN,
    EACH,
    GAP,
    HOLDING,
    OF_POINTS,
    OPEN_STAY,
    PASSED,
    POINT,
    POINT_GAP,
    SEARCH,
    PairTables,
)
from gyrostat.analysis.kernels.patch_forces import is_held
from gyrostat.analysis.kernels.problem import Equations, Floats, Step
from gyrostat.analysis.kernels.right_side import set_given_inputs
from gyrostat.program.translation import kernel, rare_kernel

_SHAPE_COUNT = 50
"""The number of shapes from which steps do not end at each touch."""
_COARSE_TOLERANCE = 1e-7
"""The relative tolerance from which they do not; with a smaller one, steps that end at touch are the longer ones."""
_WAY_LIMIT = 0.1
"""The longest way of two shapes towards each other in a step without a search, in terms of the smaller radius."""
_MARGIN = 1.25
"""The factor of speeds at the ends of a step that bounds those within it."""


@kernel
def passes_touches(pairs: PairTables, control: Control) -> bool:
    """Return whether steps pass touches: those of many shapes whose laws do not jump and remember nothing."""
    many = pairs.shapes.finite >= _SHAPE_COUNT and pairs.slots.places.size == 0
    return bool(many and pairs.continuous and control.relative >= _COARSE_TOLERANCE)


@rare_kernel
def glance(equations: Equations, step: Step) -> float:
    """Return PASSED where no pair has touched in a step, BEGUN where one has, SEARCH where that is to be searched for.

    The frames at the start of the step are in `touch.before`, the pairs that touched there in `touch.held`.
    """
    pairs, x = equations.pairs.tables, equations.x
    shapes, bounds, finite = pairs.shapes, pairs.touch.bounds, pairs.shapes.finite
    if pairs.broad.numbers[HOLDING] == OPEN_STAY:
        return SEARCH
    copy(step.new, equations.state)
    set_given_inputs(equations, step.reached, step.t + 0.5 * step.h)
    set_frames(pairs, x)
    ensure_neighbours(pairs)
    for i in range(shapes.radii.size):
        if i >= finite and shapes.bodies[i] >= 0:
            return SEARCH
        bounds[i, 0] = _way(pairs.touch.before[i], pairs.frames[i], shapes.radii[i], step.h)
    found = PASSED
    for i in range(finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            apart = _distance(pairs.frames[i], pairs.frames[j]) - shapes.radii[i] - shapes.radii[j]
            if apart <= bounds[i, 0] + bounds[j, 0] and may_touch(shapes, i, j):
                if bounds[i, 0] + bounds[j, 0] > _WAY_LIMIT * min(shapes.radii[i], shapes.radii[j]):
                    return SEARCH
                if found == PASSED and apart <= 0.0 and _has_begun(pairs, x, i, j):
                    found = BEGUN
        for p in range(finite, shapes.radii.size):
            apart = height(pairs.frames[i], pairs.frames[p]) - shapes.radii[i]
            if apart <= bounds[i, 0] and may_touch(shapes, i, p):
                if bounds[i, 0] > _WAY_LIMIT * shapes.radii[i]:
                    return SEARCH
                if found == PASSED and apart <= 0.0 and _has_begun(pairs, x, i, p):
                    found = BEGUN
    return float(found)


@kernel
def _has_begun(pairs: PairTables, x: Floats, i: int, j: int) -> bool:
    """Return whether a point of a pair touches that was open at the start of the step."""
    if is_patch(pairs, i, j):
        if pairs.broad.numbers[HOLDING] == EACH or is_held(pairs, held_key(pairs, i, j, 0)):
            return False
        evaluate_pair(pairs, x, i, j)
        return bool(pairs.results[GAP] < 0.0)
    count = points_of(pairs, i, j)
    held = pairs.broad.numbers[HOLDING] == EACH  # fixed steps have no error to judge
    for point in range(count):
        held = held or is_held(pairs, key_of(pairs, i, j, point))
    if held and (count == 1 or pairs.broad.numbers[HOLDING] == EACH):
        return False
    evaluate_pair(pairs, x, i, j)
    for point in range(count):
        gap = pairs.results[OF_POINTS + POINT * point + POINT_GAP]
        if gap < 0.0 and not is_held(pairs, key_of(pairs, i, j, point)):
            return True
    return False


@kernel
def _way(before: Floats, after: Floats, radius: float, h: float) -> float:
    """Return a bound of the way of a shape's points in a step."""
    fastest = max(_size(before[12:15]), _size(after[12:15])) + radius * max(_size(before[15:]), _size(after[15:]))
    return float(_MARGIN * h * fastest)


@kernel
def _size(vector: Floats) -> float:
    """Return the length of a vector."""
    return math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])


@kernel
def _distance(a: Floats, b: Floats) -> float:
    """Return the distance of the origins of two frames."""
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
