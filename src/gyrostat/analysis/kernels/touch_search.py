"""The first touch within a step, on its polynomial, by conservative advancement.

A pair that is open at the start of a step cannot touch before its gap is used up: with the rate ġ at an instant and a
bound A of −g̈ in the step, g + ġ τ − ½ A τ² > 0 shows for how long. The bounds follow from the motion of all shapes at
the ends of the thirds of the step, with a margin. The search goes on from there until it meets a gap that is closed.
A pair that touches and separates between two instants of the search gets no deeper than a small part of its size.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.crossing import moment, resolution, shorten, state_at
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
from gyrostat.analysis.kernels.pair_search import list_neighbours, may_touch
from gyrostat.analysis.kernels.pair_slots import (
    clear_slot,
    free_slot,
    held_key,
    is_patch,
    key_of,
    mean_memory,
    pair_key,
    refresh_slots,
    slot_of,
)
from gyrostat.analysis.kernels.pair_tables import (
    ABRUPT,
    ALL,
    CHANGED,
    DEEP,
    DEEPEST,
    DEEPEST_A,
    DEEPEST_B,
    DEPTH_LIMIT,
    EACH,
    GAP,
    HELD,
    HOLDING,
    LOWEST,
    MEMORY,
    NO_SLOT,
    OF_POINTS,
    OPEN_STAY,
    OVERLAP,
    POINT,
    POINT_BEGIN,
    POINT_GAP,
    RATE,
    SAFE,
    SKIN,
    UNCHANGED,
    VALID,
    PairTables,
)
from gyrostat.analysis.kernels.patch_forces import is_held, remembers
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress, Step
from gyrostat.analysis.kernels.right_side import set_given_inputs
from gyrostat.analysis.kernels.touch_glance import passes_touches
from gyrostat.program.translation import flat, kernel, rare_kernel

_NO_TOUCH = -1.0
_INFINITY = 1e300
_MARGIN = 1.25
"""The factor of bounds that are found from samples."""
_GRAZING_DEPTH = 1e-3
"""The depth, in terms of the smaller radius, of touches that the search may pass over."""
_GAP_TOLERANCE = 1e-12
"""The gap, in terms of the smaller radius, up to which a pair counts as touching at the start of a step."""
_DEPTH_GROWTH_LIMIT = 0.05
"""The largest growth of a depth in one step, in terms of the smaller radius."""
_INSTANT_LIMIT = 10_000
"""The largest number of instants of a search."""


@rare_kernel
def hold_pairs(equations: Equations, progress: Progress, at: float, within: float, control: Control) -> int:
    """List the pairs that touch at the start of a step; where it ends at a touch, all others are held open in it.

    The motion is then smooth beyond a touch. Points that remember take slots in the state, and
    give them back where they do not touch any longer.
    """
    pairs, x = equations.pairs.tables, equations.x
    shapes, slots, found = pairs.shapes, pairs.slots, pairs.touch.found
    copy(progress.y, equations.state)
    set_given_inputs(equations, at, within)
    set_frames(pairs, x)
    refresh_slots(slots, x)
    ensure_neighbours(pairs)
    for s in range(slots.seen.size):
        slots.seen[s] = 0
    outcome = UNCHANGED
    numbers = pairs.broad.numbers
    adaptive = OPEN_STAY if not passes_touches(pairs, control) else ALL
    numbers[HELD], numbers[HOLDING] = 0, adaptive if control.adaptive else EACH
    found[DEEPEST] = 0.0
    copy(flat(pairs.frames), flat(pairs.touch.before))
    for i in range(shapes.finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            if _is_close(pairs, i, j, min(shapes.radii[i], shapes.radii[j])):
                outcome = max(outcome, _hold(pairs, x, i, j, min(shapes.radii[i], shapes.radii[j])))
        for p in range(shapes.finite, shapes.radii.size):
            apart = height(pairs.frames[i], pairs.frames[p]) - shapes.radii[i]
            if apart <= _GAP_TOLERANCE * shapes.radii[i] and may_touch(shapes, i, p):
                outcome = max(outcome, _hold(pairs, x, i, p, shapes.radii[i]))
    for s in range(slots.seen.size):
        if slots.seen[s] == 0 and x[slots.places[s]] > 0.0:
            clear_slot(slots, s, x)
            outcome = max(outcome, CHANGED)
    if outcome == CHANGED:
        copy(equations.state, progress.y)
    return OVERLAP if found[DEEPEST] > DEPTH_LIMIT else outcome


@kernel
def _is_close(pairs: PairTables, i: int, j: int, size: float) -> bool:
    """Return whether two shapes may touch, by their bounding spheres."""
    radii = pairs.shapes.radii
    apart = _change(pairs.frames[i], pairs.frames[j]) - radii[i] - radii[j]
    return apart <= _GAP_TOLERANCE * size and may_touch(pairs.shapes, i, j)


@kernel
def _hold(pairs: PairTables, x: Floats, i: int, j: int, size: float) -> int:
    """Enter the points of a pair that touch; without room for them none is held open. Return the outcome for slots."""
    numbers, held = pairs.broad.numbers, pairs.touch.held
    evaluate_pair(pairs, x, i, j)
    _enter_depth(pairs, i, j, size)
    outcome = UNCHANGED
    for point in range(points_of(pairs, i, j)):
        if pairs.results[OF_POINTS + POINT * point + POINT_GAP] <= _GAP_TOLERANCE * size:
            key = held_key(pairs, i, j, point)
            if numbers[HELD] > 0 and held[numbers[HELD] - 1] == key:
                pass  # points that a kernel finds are held together
            elif numbers[HELD] < held.size:
                held[numbers[HELD]] = key
                numbers[HELD] += 1
            else:
                numbers[HOLDING] = EACH
            if remembers(pairs.slots, pairs.shapes.groups[i]):
                outcome = max(outcome, _take_slot(pairs, x, i, j, point))
    return outcome


@kernel
def _enter_depth(pairs: PairTables, i: int, j: int, size: float) -> None:
    """Note the depth of a pair if it is the largest so far."""
    found, gap = pairs.touch.found, pairs.results[GAP]
    if -gap > found[DEEPEST] * size:
        found[DEEPEST], found[DEEPEST_A], found[DEEPEST_B] = -gap / size, float(i), float(j)


@kernel
def _take_slot(pairs: PairTables, x: Floats, i: int, j: int, point: int) -> int:
    """Give a slot to a point that touches, unless it has one; there it remembers how the contact began.

    A point that comes about while others of its pair touch remembers what they do on average.
    """
    slots, group, outcome = pairs.slots, pairs.shapes.groups[i], UNCHANGED
    key, first = key_of(pairs, i, j, point), OF_POINTS + POINT * point
    s = slot_of(slots, group, key)
    if s < 0:
        s, outcome = free_slot(slots, group, x), CHANGED
        if s < 0:
            return NO_SLOT
        memory = x[slots.places[s] + 1 :]
        if not is_patch(pairs, i, j) or mean_memory(slots, group, pair_key(pairs, i, j), x, memory) == 0:
            for k in range(MEMORY):
                memory[k] = pairs.results[first + POINT_BEGIN + k]
        x[slots.places[s]] = key
    slots.seen[s] = 1
    return outcome


@rare_kernel
def end_at_touch(equations: Equations, step: Step) -> float:
    """End a step just beyond the first touch of a pair that is open at its start, and return the fraction there.

    −1 where there is no touch, ABRUPT where the overlap of a pair has grown too much for one step, or where a step that
    should pass touches is too long for them. Where pairs are not
    held open, as in fixed steps, the step remains whole; shapes that then overlap too much, or have passed each other,
    give DEEP.
    """
    pairs, found = equations.pairs.tables, equations.pairs.tables.touch.found
    passing = pairs.broad.numbers[HOLDING] == ALL
    holding = pairs.broad.numbers[HOLDING] == OPEN_STAY
    _bound_motion(equations, step)
    set_frames_at(equations, step, 0.0)
    _cover(pairs, step.h)
    _sweep(pairs, equations.x, step.h)
    deep = found[DEEPEST]
    theta = _first_touch(equations, step)
    touched = theta >= 0.0
    if touched and holding and found[DEEPEST] <= deep + _DEPTH_GROWTH_LIMIT:
        state_at(step.start, step.polynomial, theta, equations.rotations, pairs.touch.step, step.new)
        shorten(step.polynomial, theta)
    elif touched:
        set_frames_at(equations, step, 1.0)
        _sweep(pairs, equations.x, 0.0)
        if not found[LOWEST] < 0.0:
            found[DEEPEST] = _INFINITY
    for i in range(pairs.shapes.finite):
        if pairs.broad.reach[i] > SKIN * pairs.shapes.radii[i]:
            pairs.broad.numbers[VALID] = 0  # a shorter list serves until the next search
    if found[DEEPEST] > deep + _DEPTH_GROWTH_LIMIT:
        return ABRUPT if holding or passing else DEEP
    if touched and passing:
        return ABRUPT
    if touched and holding:
        return theta
    return DEEP if found[DEEPEST] > DEPTH_LIMIT else _NO_TOUCH


@rare_kernel
def _first_touch(equations: Equations, step: Step) -> float:
    """Return the fraction of a step just beyond the first touch of a pair that is open at its start; −1 if none.

    The results of a sweep at the start of the step are known.
    """
    pairs, found = equations.pairs.tables, equations.pairs.tables.touch.found
    theta, before = 0.0, 0.0
    for _ in range(_INSTANT_LIMIT):
        before = theta
        theta = min(1.0, theta + found[SAFE] / step.h)
        set_frames_at(equations, step, theta)
        _sweep(pairs, equations.x, (1.0 - theta) * step.h)
        if found[LOWEST] < 0.0 or theta >= 1.0:
            break
    return _located(equations, step, before, theta) if found[LOWEST] < 0.0 else _NO_TOUCH


@rare_kernel
def deepest_pair(pairs: PairTables, x: Floats) -> float:
    """Return the largest depth of a pair at the time and state in x, in terms of the smaller radius."""
    set_frames(pairs, x)
    ensure_neighbours(pairs)
    _sweep(pairs, x, 0.0)
    return float(pairs.touch.found[DEEPEST])


@kernel
def set_frames_at(equations: Equations, step: Step, theta: float) -> None:
    """Write the frames of all shapes at a fraction of a step."""
    touch = equations.pairs.tables.touch
    if theta >= 1.0:
        copy(step.new, equations.state)
    else:
        state_at(step.start, step.polynomial, theta, equations.rotations, touch.step, touch.state)
        copy(touch.state, equations.state)
    set_given_inputs(equations, moment(step.t, step.reached, theta), step.t + 0.5 * step.h)
    set_frames(equations.pairs.tables, equations.x)


@rare_kernel
def _bound_motion(equations: Equations, step: Step) -> None:
    """Write bounds of speeds and accelerations of all shapes in a step."""
    pairs = equations.pairs.tables
    bounds, frames, before = pairs.touch.bounds, pairs.frames, pairs.touch.before
    for sample in range(4):
        set_frames_at(equations, step, 1.0 if sample == 3 else sample / 3.0)
        for i in range(frames.shape[0]):
            radius = pairs.shapes.radii[i]
            if sample == 0:
                for k in range(4):
                    bounds[i, k] = 0.0
            else:
                alpha = _MARGIN * 3.0 * _change(frames[i, 15:], before[i, 15:]) / step.h
                bounds[i, 3] = max(bounds[i, 3], alpha)
                turning = bounds[i, 2] * bounds[i, 2] + alpha
                linear = _MARGIN * 3.0 * _change(frames[i, 12:15], before[i, 12:15]) / step.h
                bounds[i, 1] = max(bounds[i, 1], linear + turning * radius)
            omega = _MARGIN * _length(frames[i, 15:])
            bounds[i, 2] = max(bounds[i, 2], omega)
            bounds[i, 0] = max(bounds[i, 0], _MARGIN * _length(frames[i, 12:15]) + omega * radius)
        copy(flat(frames), flat(before))


@kernel
def _length(vector: Floats) -> float:
    """Return the length of a vector."""
    return math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])


@kernel
def _change(vector: Floats, before: Floats) -> float:
    """Return the length of the difference of two vectors."""
    return math.sqrt((vector[0] - before[0]) ** 2 + (vector[1] - before[1]) ** 2 + (vector[2] - before[2]) ** 2)


@kernel
def _cover(pairs: PairTables, h: float) -> None:
    """Make the list of neighbours valid for the motion within a step of length h, from the present frames."""
    broad, covered = pairs.broad, pairs.broad.numbers[VALID] > 0
    for i in range(pairs.shapes.finite):
        way = pairs.touch.bounds[i, 0] * h
        for k in range(3):
            covered = covered and abs(pairs.frames[i, k] - broad.centres[i, k]) + way <= broad.reach[i]
    if not covered:
        for i in range(pairs.shapes.finite):
            broad.reach[i] = max(SKIN * pairs.shapes.radii[i], pairs.touch.bounds[i, 0] * h)
        list_neighbours(pairs)


@rare_kernel
def _sweep(pairs: PairTables, x: Floats, rest: float) -> None:
    """Write for how long no open pair touches, of the time that rests, the smallest gap of pairs that were open at the
    start of the step, and the largest depth in terms of the smaller radius.
    """
    found, finite, shapes, bounds = pairs.touch.found, pairs.shapes.finite, pairs.shapes, pairs.touch.bounds
    found[SAFE], found[LOWEST], found[DEEPEST] = 1.01 * rest, _INFINITY, 0.0
    for i in range(finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            apart = _change(pairs.frames[i], pairs.frames[j]) - shapes.radii[i] - shapes.radii[j]
            if apart <= (bounds[i, 0] + bounds[j, 0]) * rest and may_touch(shapes, i, j):
                _record_pair(pairs, x, i, j, min(shapes.radii[i], shapes.radii[j]), 0.0)
        for p in range(finite, shapes.radii.size):
            lever = _change(pairs.frames[i], pairs.frames[p]) + bounds[i, 0] * rest
            nearing = bounds[i, 0] + bounds[p, 0] + bounds[p, 2] * lever
            apart = height(pairs.frames[i], pairs.frames[p]) - shapes.radii[i]
            if apart <= nearing * rest and may_touch(shapes, i, p):
                _record_pair(pairs, x, i, p, shapes.radii[i], lever)


@kernel
def _record_pair(pairs: PairTables, x: Floats, i: int, j: int, size: float, lever: float) -> None:
    """Enter a pair in the results of a sweep; of a plane, the lever is the largest distance from its origin."""
    found, results, bounds = pairs.touch.found, pairs.results, pairs.touch.bounds
    evaluate_pair(pairs, x, i, j)
    _enter_depth(pairs, i, j, size)
    gap, rate = _INFINITY, results[RATE]
    if is_patch(pairs, i, j):
        gap = _INFINITY if is_held(pairs, held_key(pairs, i, j, 0)) else results[GAP]
    else:
        for point in range(points_of(pairs, i, j)):
            if not is_held(pairs, key_of(pairs, i, j, point)):
                gap = min(gap, results[OF_POINTS + POINT * point + POINT_GAP])
    found[LOWEST] = min(found[LOWEST], gap)
    if gap < 0.0 or gap == _INFINITY:
        return
    bending = bounds[i, 1] + bounds[j, 1] + 2.0 * (bounds[i, 2] + bounds[j, 2]) * (bounds[i, 0] + bounds[j, 0])
    bending += lever * (bounds[j, 2] * bounds[j, 2] + bounds[j, 3])
    left = gap + _GRAZING_DEPTH * size
    root = math.sqrt(rate * rate + 2.0 * bending * left)
    # τ = (ġ + root)/A, in the form that does not cancel
    if rate < 0.0:
        found[SAFE] = min(found[SAFE], 2.0 * left / (root - rate))
    elif bending > 0.0:
        found[SAFE] = min(found[SAFE], (rate + root) / bending)


@rare_kernel
def _located(equations: Equations, step: Step, left: float, right: float) -> float:
    """Return the fraction just beyond the first zero of the smallest gap, which is not negative on the left.

    Regula falsi with the values halved at an end that stays (Illinois), and bisection now and then.
    """
    pairs, finest = equations.pairs.tables, resolution(step)
    high, near = pairs.touch.found[LOWEST], (right - left) * step.h
    set_frames_at(equations, step, left)
    _sweep(pairs, equations.x, near)
    low, again = pairs.touch.found[LOWEST], 0
    while right - left > finest and again < 100:
        again += 1
        part = low / (low - high) if again % 4 > 0 and low < _INFINITY else 0.5
        middle = left + min(max(part, 1e-3), 1.0 - 1e-3) * (right - left)
        if not (middle > left and middle < right):
            break
        set_frames_at(equations, step, middle)
        _sweep(pairs, equations.x, near)
        lowest = pairs.touch.found[LOWEST]
        if lowest < 0.0:
            right, high, low = middle, lowest, 0.5 * low
        else:
            left, low, high = middle, lowest, 0.5 * high
    return right
