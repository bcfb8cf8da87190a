"""Derivatives of the loads of all pairs by the state: exact blocks of each pair, and the chain rule.

A program gives the derivatives of the motion of all bodies by each entry of the state, the function of a pair those of
its forces by the frames of both shapes and by what its points remember. Where a kernel finds the points of a pair,
which change with their weights, central differences along each entry take the place of these derivatives.
"""

from __future__ import annotations

from gyrostat.analysis.kernels.local_coordinates import clear
from gyrostat.analysis.kernels.pair_forces import (
    ensure_neighbours,
    evaluate_pair,
    first_neighbour,
    is_near,
    is_near_plane,
    last_neighbour,
    neighbour,
    points_of,
    set_frames,
)
from gyrostat.analysis.kernels.pair_search import may_touch
from gyrostat.analysis.kernels.pair_slots import is_patch, key_of, refresh_slots, slot_of
from gyrostat.analysis.kernels.pair_tables import FORCE, FRAME, GAP, MEMORY, OF_POINTS, POINT, POINT_RATES, PairTables
from gyrostat.analysis.kernels.patch_forces import remembers
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.coordinates.row import FIRST
from gyrostat.program.translation import call, flat, kernel, rare_kernel

_PLACE_INCREMENT, _SPEED_INCREMENT = 1e-8, 1e-7
"""Increments of differences: of places in terms of the size, of deflections (m), and of speeds (m/s)."""
_LOADS, _RATES = 9, 3
"""Rows of a block: force on a, moments on a and b; then the rates of each point's deflection."""


@rare_kernel
def vary_pairs(pairs: PairTables, x: Floats) -> None:
    """Write the derivatives of all inputs that loads of pairs are, by each entry of the state, at the row x."""
    slopes = pairs.slopes
    _vary_motion(pairs, x)
    clear(flat(slopes.by_state))
    set_frames(pairs, x)
    refresh_slots(pairs.slots, x)
    ensure_neighbours(pairs)
    for i in range(pairs.shapes.finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            if is_near(pairs, i, j):
                _vary_pair(pairs, x, i, j)
        for p in range(pairs.shapes.finite, pairs.shapes.radii.size):
            if may_touch(pairs.shapes, i, p) and is_near_plane(pairs, i, p):
                _vary_pair(pairs, x, i, p)


@rare_kernel
def _vary_motion(pairs: PairTables, x: Floats) -> None:
    """Write the derivatives of the motion of all bodies along each entry of the state."""
    slopes = pairs.slopes
    n, size = slopes.tangents.shape[0], slopes.row.size - slopes.tangents.shape[0]
    for k in range(size):
        slopes.row[k] = x[k]
    for j in range(n):
        slopes.row[size + j] = 0.0
    for j in range(n):
        slopes.row[size + j] = 1.0
        call(slopes.motion_along, slopes.row.ctypes.data, slopes.tangents[j].ctypes.data)
        slopes.row[size + j] = 0.0


@rare_kernel
def _vary_pair(pairs: PairTables, x: Floats, i: int, j: int) -> None:
    """Add the derivatives of the loads of a pair, if it touches."""
    swapped = evaluate_pair(pairs, x, i, j)
    if not pairs.results[GAP] < 0.0:
        return
    a, b = (j if swapped else i), (i if swapped else j)
    group, kinds, slopes = pairs.shapes.groups[i], pairs.shapes.kinds, pairs.slopes
    slopes.swapped[0] = 1 if swapped else 0
    if is_patch(pairs, i, j):
        _difference(pairs, x, i, j, a, b)
    else:
        call(slopes.functions[group, kinds[a], kinds[b]], pairs.arguments.ctypes.data, slopes.block.ctypes.data)
        _add_block(pairs, i, j, a, b, points_of(pairs, i, j), pairs.results[FORCE:])


@rare_kernel
def _difference(pairs: PairTables, x: Floats, i: int, j: int, a: int, b: int) -> None:
    """Add the differences of the loads of a pair along each entry of the state that moves a shape or is remembered."""
    slopes, frames, kept, radii = pairs.slopes, pairs.frames, pairs.slopes.kept, pairs.shapes.radii
    for k in range(FRAME):
        kept[k], kept[FRAME + k] = frames[a, k], frames[b, k]
    force = kept[2 * FRAME :]
    for k in range(3):
        force[k] = pairs.results[FORCE + k]
    size, count = (min(radii[a], radii[b]) if radii[b] > 0.0 else radii[a]), _list_slots(pairs, i, j)
    for s in range(slopes.tangents.shape[0]):
        moves_a = _vary_frame(pairs, slopes.tangents[s], a, slopes.frames)
        moves_b = _vary_frame(pairs, slopes.tangents[s], b, slopes.frames[FRAME:])
        if not (moves_a or moves_b):
            continue
        h = _increment(slopes.frames, size)
        clear(slopes.change)
        for sign in range(-1, 2, 2):
            for k in range(FRAME):
                frames[a, k] = kept[k] + float(sign) * h * slopes.frames[k]
                frames[b, k] = kept[FRAME + k] + float(sign) * h * slopes.frames[FRAME + k]
            _take(pairs, x, i, j, s, float(sign) / (2.0 * h))
        for k in range(FRAME):
            frames[a, k], frames[b, k] = kept[k], kept[FRAME + k]
        _spread(pairs, i, j, 0, s)
        _turn_arm(pairs, slopes.tangents[s], slopes.frames, a, pairs.shapes.bodies[a], force, 1.0, s)
        _turn_arm(pairs, slopes.tangents[s], slopes.frames[FRAME:], b, pairs.shapes.bodies[b], force, -1.0, s)
    for p in range(count):
        for k in range(MEMORY):
            place = pairs.slots.places[slopes.taken[p]] + 1 + k
            before, h = x[place], _PLACE_INCREMENT if k > 0 else _SPEED_INCREMENT
            clear(slopes.change)
            for sign in range(-1, 2, 2):
                x[place] = before + float(sign) * h
                _take(pairs, x, i, j, place - FIRST, float(sign) / (2.0 * h))
            x[place] = before
            _spread(pairs, i, j, 0, place - FIRST)
    evaluate_pair(pairs, x, i, j)


@kernel
def _list_slots(pairs: PairTables, i: int, j: int) -> int:
    """List the slots of the points of a pair that was evaluated last; return their number."""
    group, count = pairs.shapes.groups[i], 0
    if remembers(pairs.slots, group):
        for p in range(points_of(pairs, i, j)):
            slot = slot_of(pairs.slots, group, key_of(pairs, i, j, p))
            if slot >= 0:
                pairs.slopes.taken[count] = slot
                count += 1
    return count


@kernel
def _increment(frames: Floats, size: float) -> float:
    """Return the increment of an entry: displacements are small against the size of the shapes, else speeds are."""
    moved, faster = 0.0, 0.0
    for side in range(2):
        at = FRAME * side
        for k in range(3):
            moved = max(moved, abs(frames[at + k]))
            faster = max(max(faster, abs(frames[at + 12 + k])), size * abs(frames[at + 15 + k]))
        for k in range(3, 12):
            moved = max(moved, size * abs(frames[at + k]))
    return _PLACE_INCREMENT * size / moved if moved > 0.0 else _SPEED_INCREMENT / faster


@rare_kernel
def _take(pairs: PairTables, x: Floats, i: int, j: int, s: int, factor: float) -> None:
    """Evaluate a pair; add its loads to the change and the rates of deflections to the inputs, with a factor."""
    slopes, group, results = pairs.slopes, pairs.shapes.groups[i], pairs.results
    evaluate_pair(pairs, x, i, j)
    for r in range(_LOADS):
        slopes.change[r] += factor * results[FORCE + r]
    if remembers(pairs.slots, group):
        for p in range(points_of(pairs, i, j)):
            slot = slot_of(pairs.slots, group, key_of(pairs, i, j, p))
            if slot >= 0:
                place = pairs.slots.rates[slot] - slopes.first_input
                for k in range(_RATES):
                    slopes.by_state[s, place + k] += factor * results[OF_POINTS + POINT * p + POINT_RATES + k]


@rare_kernel
def _add_block(pairs: PairTables, i: int, j: int, a: int, b: int, count: int, force: Floats) -> None:
    """Add the derivatives of a block of so many points to those of loads and deflections."""
    slopes, rows = pairs.slopes, _LOADS + _RATES * count
    body_a, body_b = pairs.shapes.bodies[a], pairs.shapes.bodies[b]
    for s in range(slopes.tangents.shape[0]):
        moves_a = _vary_frame(pairs, slopes.tangents[s], a, slopes.frames)
        moves_b = _vary_frame(pairs, slopes.tangents[s], b, slopes.frames[FRAME:])
        if moves_a or moves_b:
            clear(slopes.change)
            for k in range(2 * FRAME):
                if slopes.frames[k] != 0.0:
                    for r in range(rows):
                        slopes.change[r] += slopes.block[k * rows + r] * slopes.frames[k]
            _spread(pairs, i, j, count, s)
            _turn_arm(pairs, slopes.tangents[s], slopes.frames, a, body_a, force, 1.0, s)
            _turn_arm(pairs, slopes.tangents[s], slopes.frames[FRAME:], b, body_b, force, -1.0, s)
    group = pairs.shapes.groups[i]
    if not remembers(pairs.slots, group):
        return
    for p in range(count):
        slot = slot_of(pairs.slots, group, key_of(pairs, i, j, p))
        if slot >= 0:
            for k in range(MEMORY):
                column = 2 * FRAME + MEMORY * p + k
                for r in range(rows):
                    slopes.change[r] = slopes.block[column * rows + r]
                _spread(pairs, i, j, count, pairs.slots.places[slot] + 1 + k - FIRST)


@rare_kernel
def _spread(pairs: PairTables, i: int, j: int, count: int, s: int) -> None:
    """Add the change of a pair's force, moments and deflections along entry s of the state to the inputs of loads."""
    slopes, group = pairs.slopes, pairs.shapes.groups[i]
    a, b = (j if slopes.swapped[0] > 0 else i), (i if slopes.swapped[0] > 0 else j)
    for side in range(2):
        shape, sign = (a if side == 0 else b), (1.0 if side == 0 else -1.0)
        at, body = pairs.shapes.loads[shape] - slopes.first_input, pairs.shapes.bodies[shape]
        if body < 0:
            continue
        target, change = slopes.by_state[s], slopes.change
        fx, fy, fz = sign * change[0], sign * change[1], sign * change[2]
        ax = pairs.frames[shape, 0] - pairs.moved[3 * body]
        ay = pairs.frames[shape, 1] - pairs.moved[3 * body + 1]
        az = pairs.frames[shape, 2] - pairs.moved[3 * body + 2]
        moment = 3 + 3 * side
        target[at] += fx
        target[at + 1] += fy
        target[at + 2] += fz
        target[at + 3] += change[moment] + ay * fz - az * fy
        target[at + 4] += change[moment + 1] + az * fx - ax * fz
        target[at + 5] += change[moment + 2] + ax * fy - ay * fx
    if remembers(pairs.slots, group):
        for p in range(count):
            slot = slot_of(pairs.slots, group, key_of(pairs, i, j, p))
            if slot >= 0:
                for k in range(_RATES):
                    place = pairs.slots.rates[slot] - slopes.first_input + k
                    slopes.by_state[s, place] += slopes.change[_LOADS + _RATES * p + k]


@rare_kernel
def _turn_arm(
    pairs: PairTables, tangent: Floats, frame: Floats, shape: int, body: int, force: Floats, sign: float, s: int
) -> None:
    """Add the change of the moment about a body's origin by that of the arm of a shape's origin."""
    if body < 0:
        return
    at, target = pairs.shapes.loads[shape] - pairs.slopes.first_input, pairs.slopes.by_state[s]
    fx, fy, fz = sign * force[0], sign * force[1], sign * force[2]
    ax = frame[0] - tangent[3 * body]
    ay = frame[1] - tangent[3 * body + 1]
    az = frame[2] - tangent[3 * body + 2]
    target[at + 3] += ay * fz - az * fy
    target[at + 4] += az * fx - ax * fz
    target[at + 5] += ax * fy - ay * fx


@rare_kernel
def _vary_frame(pairs: PairTables, tangent: Floats, shape: int, frame: Floats) -> bool:
    """Write the change of a shape's frame from that of its body's motion; return whether there is any."""
    body, count, moved, placement = pairs.shapes.bodies[shape], pairs.body_count, pairs.moved, pairs.shapes.placements
    for k in range(FRAME):
        frame[k] = 0.0
    if body < 0:
        return False
    at, turned, moving, turning = 3 * body, 3 * count + 9 * body, 12 * count + 3 * body, 15 * count + 3 * body
    any_change = False
    for k in range(3):
        any_change = any_change or tangent[at + k] != 0.0 or tangent[moving + k] != 0.0 or tangent[turning + k] != 0.0
    for k in range(9):
        any_change = any_change or tangent[turned + k] != 0.0
    if not any_change:
        return False
    own = placement[shape]
    for r in range(3):
        change = 0.0
        for c in range(3):
            total = 0.0
            for k in range(3):
                total += tangent[turned + 3 * r + k] * own[3 * k + c]
            frame[3 + 3 * r + c] = total
            change += tangent[turned + 3 * r + c] * own[9 + c]
        frame[r] = tangent[at + r] + change
        frame[12 + r] = tangent[moving + r]
        frame[15 + r] = tangent[turning + r]
    wx, wy, wz = moved[turning], moved[turning + 1], moved[turning + 2]
    vx, vy, vz = tangent[turning], tangent[turning + 1], tangent[turning + 2]
    ax = pairs.frames[shape, 0] - moved[at]
    ay = pairs.frames[shape, 1] - moved[at + 1]
    az = pairs.frames[shape, 2] - moved[at + 2]
    bx, by, bz = frame[0] - tangent[at], frame[1] - tangent[at + 1], frame[2] - tangent[at + 2]
    frame[12] += vy * az - vz * ay + wy * bz - wz * by
    frame[13] += vz * ax - vx * az + wz * bx - wx * bz
    frame[14] += vx * ay - vy * ax + wx * by - wy * bx
    return True
