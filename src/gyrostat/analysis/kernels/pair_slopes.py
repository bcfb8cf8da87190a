"""Derivatives of the loads of all pairs by the state: exact blocks of each pair, and the chain rule.

A program gives the derivatives of the motion of all bodies by each entry of the state, the function of a pair those of
its forces by the frames of both shapes and by what its points remember. Weights of several points of a pair are held.
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
from gyrostat.analysis.kernels.pair_tables import FORCE, FRAME, GAP, MEMORY, PairTables
from gyrostat.analysis.kernels.patch_forces import remembers, set_point
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.coordinates.row import FIRST
from gyrostat.program.translation import call, flat, rare_kernel

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
        for p in range(pairs.patch.number[0]):
            set_point(pairs, x, i, j, p)
            function = slopes.point_functions[group, pairs.patch.modes[p]]
            call(function, pairs.arguments.ctypes.data, slopes.block.ctypes.data)
            call(
                pairs.groups.point_functions[group, pairs.patch.modes[p]],
                pairs.arguments.ctypes.data,
                pairs.patch.found.ctypes.data,
            )
            _add_block(pairs, i, j, a, b, p, 1, pairs.patch.weights[p], pairs.patch.found[FORCE:])
    else:
        call(slopes.functions[group, kinds[a], kinds[b]], pairs.arguments.ctypes.data, slopes.block.ctypes.data)
        _add_block(pairs, i, j, a, b, 0, points_of(pairs, i, j), 1.0, pairs.results[FORCE:])


@rare_kernel
def _add_block(
    pairs: PairTables, i: int, j: int, a: int, b: int, first: int, count: int, weight: float, force: Floats
) -> None:
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
            _spread(pairs, i, j, first, count, weight, s)
            _turn_arm(pairs, slopes.tangents[s], slopes.frames, a, body_a, force, weight, s)
            _turn_arm(pairs, slopes.tangents[s], slopes.frames[FRAME:], b, body_b, force, -weight, s)
    group = pairs.shapes.groups[i]
    if not remembers(pairs.slots, group):
        return
    for p in range(count):
        slot = slot_of(pairs.slots, group, key_of(pairs, i, j, first + p))
        if slot >= 0:
            for k in range(MEMORY):
                column = 2 * FRAME + MEMORY * p + k
                for r in range(rows):
                    slopes.change[r] = slopes.block[column * rows + r]
                _spread(pairs, i, j, first, count, weight, pairs.slots.places[slot] + 1 + k - FIRST)


@rare_kernel
def _spread(pairs: PairTables, i: int, j: int, first: int, count: int, weight: float, s: int) -> None:
    """Add the change of a pair's force, moments and deflections along entry s of the state to the inputs of loads."""
    slopes, group = pairs.slopes, pairs.shapes.groups[i]
    a, b = (j if slopes.swapped[0] > 0 else i), (i if slopes.swapped[0] > 0 else j)
    for side in range(2):
        shape, sign = (a if side == 0 else b), (weight if side == 0 else -weight)
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
        target[at + 3] += weight * change[moment] + ay * fz - az * fy
        target[at + 4] += weight * change[moment + 1] + az * fx - ax * fz
        target[at + 5] += weight * change[moment + 2] + ax * fy - ay * fx
    if remembers(pairs.slots, group):
        for p in range(count):
            slot = slot_of(pairs.slots, group, key_of(pairs, i, j, first + p))
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
