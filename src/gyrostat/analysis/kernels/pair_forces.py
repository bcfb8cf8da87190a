"""Narrow phase: the loads of all pairs at a state, each by the function of its kinds of shapes and its law."""

from __future__ import annotations

from gyrostat.analysis.kernels.pair_search import is_valid, list_neighbours, may_touch
from gyrostat.analysis.kernels.pair_slots import is_patch, key_of, refresh_slots, slot_of
from gyrostat.analysis.kernels.pair_tables import (
    CROWDED,
    DEPTH,
    FORCE,
    FRAME,
    GAP,
    GIVEN,
    MEMORY,
    MOMENT_A,
    MOMENT_B,
    NORMAL,
    OF_POINTS,
    POINT,
    POINT_RATES,
    POINTS,
    SIZES,
    SKIN,
    TOTAL_FORCE,
    TOUCHING,
    PairTables,
)
from gyrostat.analysis.kernels.patch_forces import acts, evaluate_patch, remembers
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import call, kernel, rare_kernel


@rare_kernel
def load_pairs(pairs: PairTables, x: Floats) -> None:
    """Write the loads of all pairs at the time and state in x, and the summaries of their groups, into x."""
    set_frames(pairs, x)
    refresh_slots(pairs.slots, x)
    ensure_neighbours(pairs)
    for g in range(pairs.groups.written.shape[0]):
        for k in range(pairs.groups.written[g, 0], pairs.groups.written[g, 1]):
            x[k] = 0.0
    for i in range(pairs.shapes.finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            if is_near(pairs, i, j):
                _add(pairs, x, i, j)
        for p in range(pairs.shapes.finite, pairs.shapes.radii.size):
            if may_touch(pairs.shapes, i, p) and is_near_plane(pairs, i, p):
                _add(pairs, x, i, p)


@kernel
def ensure_neighbours(pairs: PairTables) -> None:
    """Make the list of neighbours valid at the present frames."""
    if not is_valid(pairs):
        for i in range(pairs.shapes.finite):
            pairs.broad.reach[i] = SKIN * pairs.shapes.radii[i]
        list_neighbours(pairs)


@kernel
def first_neighbour(pairs: PairTables, i: int) -> int:
    """Return where the neighbours of a shape begin; where the list had no room, all following shapes are neighbours."""
    return int(i + 1 if pairs.broad.numbers[CROWDED] > 0 else pairs.broad.start[i])


@kernel
def last_neighbour(pairs: PairTables, i: int) -> int:
    """Return where the neighbours of a shape end."""
    return int(pairs.shapes.finite if pairs.broad.numbers[CROWDED] > 0 else pairs.broad.start[i + 1])


@kernel
def neighbour(pairs: PairTables, a: int) -> int:
    """Return the neighbour at a place."""
    return int(a if pairs.broad.numbers[CROWDED] > 0 else pairs.broad.neighbours[a])


@rare_kernel
def set_frames(pairs: PairTables, x: Floats) -> None:
    """Write the frames of all shapes at the state in x."""
    call(pairs.motion, x.ctypes.data, pairs.moved.ctypes.data)
    shapes, frames, moved = pairs.shapes, pairs.frames, pairs.moved
    for i in range(shapes.bodies.size):
        if shapes.bodies[i] >= 0:
            _place(moved, pairs.body_count, shapes.bodies[i], shapes.placements[i], frames[i])
        else:
            for k in range(3):
                frames[i, k] = shapes.placements[i, 9 + k]
            for k in range(9):
                frames[i, 3 + k] = shapes.placements[i, k]
            for k in range(6):
                frames[i, 12 + k] = 0.0


@kernel
def _place(moved: Floats, count: int, body: int, placement: Floats, frame: Floats) -> None:
    """Write the frame of a shape from the motion of its body."""
    at, turned, moving, turning = 3 * body, 3 * count + 9 * body, 12 * count + 3 * body, 15 * count + 3 * body
    for r in range(3):
        for c in range(3):
            total = 0.0
            for k in range(3):
                total += moved[turned + 3 * r + k] * placement[3 * k + c]
            frame[3 + 3 * r + c] = total
    arm_x, arm_y, arm_z = 0.0, 0.0, 0.0
    for k in range(3):
        arm_x += moved[turned + k] * placement[9 + k]
        arm_y += moved[turned + 3 + k] * placement[9 + k]
        arm_z += moved[turned + 6 + k] * placement[9 + k]
    wx, wy, wz = moved[turning], moved[turning + 1], moved[turning + 2]
    frame[0], frame[1], frame[2] = moved[at] + arm_x, moved[at + 1] + arm_y, moved[at + 2] + arm_z
    frame[12] = moved[moving] + wy * arm_z - wz * arm_y
    frame[13] = moved[moving + 1] + wz * arm_x - wx * arm_z
    frame[14] = moved[moving + 2] + wx * arm_y - wy * arm_x
    frame[15], frame[16], frame[17] = wx, wy, wz


@kernel
def is_near(pairs: PairTables, i: int, j: int) -> bool:
    """Return whether the bounding spheres of two shapes overlap."""
    frames, radii = pairs.frames, pairs.shapes.radii
    distance = 0.0
    for k in range(3):
        distance += (frames[i, k] - frames[j, k]) ** 2
    return bool(distance <= (radii[i] + radii[j]) ** 2 and may_touch(pairs.shapes, i, j))


@kernel
def is_near_plane(pairs: PairTables, i: int, p: int) -> bool:
    """Return whether the bounding sphere of a shape reaches a plane, whose normal is the z axis of its frame."""
    return bool(height(pairs.frames[i], pairs.frames[p]) <= pairs.shapes.radii[i])


@kernel
def height(shape: Floats, plane: Floats) -> float:
    """Return the height of a shape's origin above a plane."""
    return float(
        (shape[0] - plane[0]) * plane[5] + (shape[1] - plane[1]) * plane[8] + (shape[2] - plane[2]) * plane[11]
    )


@kernel
def points_of(pairs: PairTables, i: int, j: int) -> int:
    """Return the number of points of contact of a pair; of one whose points a kernel finds, those found last."""
    kinds = pairs.shapes.kinds
    if is_patch(pairs, i, j):
        return int(pairs.patch.number[0])
    return int(pairs.groups.points[pairs.shapes.groups[i], kinds[i], kinds[j]])


@rare_kernel
def evaluate_pair(pairs: PairTables, x: Floats, i: int, j: int) -> bool:
    """Write the results of a pair at the present frames, with what its points remember by the state in x.

    Points that are held open, or have no slot although they remember, exert no force. Return whether the function of
    the pair takes the shapes in the other order.
    """
    if is_patch(pairs, i, j):
        return evaluate_patch(pairs, x, i, j)
    shapes, arguments, frames, group = pairs.shapes, pairs.arguments, pairs.frames, pairs.shapes.groups[i]
    function = pairs.groups.functions[group, shapes.kinds[i], shapes.kinds[j]]
    swapped = function == 0
    if swapped:
        function = pairs.groups.functions[group, shapes.kinds[j], shapes.kinds[i]]
    a, b = (j if swapped else i), (i if swapped else j)
    for k in range(FRAME):
        arguments[k] = frames[a, k]
        arguments[FRAME + k] = frames[b, k]
    for k in range(3):
        arguments[2 * FRAME + k] = shapes.dimensions[a, k]
        arguments[2 * FRAME + 3 + k] = shapes.dimensions[b, k]
    _set_points(pairs, x, i, j, arguments[2 * FRAME + SIZES :])
    for k in range(pairs.groups.parameters.shape[1]):
        arguments[2 * FRAME + SIZES + GIVEN * POINTS + k] = pairs.groups.parameters[group, k]
    call(function, arguments.ctypes.data, pairs.results.ctypes.data)
    return bool(swapped)


@kernel
def _set_points(pairs: PairTables, x: Floats, i: int, j: int, given: Floats) -> None:
    """Write the arguments of a pair's points: whether they may exert a force, and what they remember."""
    slots, group = pairs.slots, pairs.shapes.groups[i]
    for point in range(points_of(pairs, i, j)):
        key = key_of(pairs, i, j, point)
        if remembers(slots, group):
            s = slot_of(slots, group, key)
            given[GIVEN * point] = 1.0 if s >= 0 else 0.0
            for k in range(MEMORY):
                given[GIVEN * point + 1 + k] = x[slots.places[s] + 1 + k] if s >= 0 else 0.0
        else:
            given[GIVEN * point] = 1.0 if acts(pairs, key) else 0.0


@kernel
def _add(pairs: PairTables, x: Floats, i: int, j: int) -> None:
    """Add the loads of a pair to those of both bodies, and to the summary of its group."""
    swapped, results = evaluate_pair(pairs, x, i, j), pairs.results
    summary = pairs.groups.summaries[pairs.shapes.groups[i]]
    if not results[GAP] < 0.0:
        return
    x[summary + DEPTH] = max(x[summary + DEPTH], -results[GAP])
    x[summary + TOUCHING] += 1.0
    x[summary + TOTAL_FORCE] += results[NORMAL]
    _load(pairs, x, (j if swapped else i), MOMENT_A, 1.0)
    _load(pairs, x, (i if swapped else j), MOMENT_B, -1.0)
    if remembers(pairs.slots, pairs.shapes.groups[i]):
        _set_rates(pairs, x, i, j)


@kernel
def _set_rates(pairs: PairTables, x: Floats, i: int, j: int) -> None:
    """Write the rates of the deflections of a pair's bristles into x."""
    slots, group = pairs.slots, pairs.shapes.groups[i]
    for point in range(points_of(pairs, i, j)):
        s = slot_of(slots, group, key_of(pairs, i, j, point))
        if s >= 0:
            for k in range(MEMORY - 1):
                x[slots.rates[s] + k] = pairs.results[OF_POINTS + POINT * point + POINT_RATES + k]


@kernel
def _load(pairs: PairTables, x: Floats, i: int, moment: int, sign: float) -> None:
    """Add force and moment of a pair, about the origin of the body, to those of a shape's body."""
    at, body, results = pairs.shapes.loads[i], pairs.shapes.bodies[i], pairs.results
    if at < 0:
        return
    fx, fy, fz = sign * results[FORCE], sign * results[FORCE + 1], sign * results[FORCE + 2]
    ax = pairs.frames[i, 0] - pairs.moved[3 * body]
    ay = pairs.frames[i, 1] - pairs.moved[3 * body + 1]
    az = pairs.frames[i, 2] - pairs.moved[3 * body + 2]
    x[at] += fx
    x[at + 1] += fy
    x[at + 2] += fz
    x[at + 3] += results[moment] + ay * fz - az * fy
    x[at + 4] += results[moment + 1] + az * fx - ax * fz
    x[at + 5] += results[moment + 2] + ax * fy - ay * fx
