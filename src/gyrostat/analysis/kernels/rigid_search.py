"""The rigid contacts of a step: points of shapes that may touch within it, with what an impulse there changes."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.impact_aims import aim
from gyrostat.analysis.kernels.impulse_response import are_lone, coupled_motion, rate_along
from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.moreau_tables import (
    ALONG_A,
    ALONG_B,
    ARM_A,
    ARM_B,
    AXES,
    CROSS,
    FRICTION,
    GAP,
    MOBILITY,
    OLD_RATE,
    SHARE_LEFT,
    SIDE_A,
    SIDE_B,
    TOUCH,
    TOUCH_TIME,
    MoreauStages,
    RigidTables,
)
from gyrostat.analysis.kernels.pair_forces import (
    evaluate_pair,
    first_neighbour,
    height,
    last_neighbour,
    neighbour,
    points_of,
)
from gyrostat.analysis.kernels.pair_search import list_neighbours, may_touch
from gyrostat.analysis.kernels.pair_slots import key_of
from gyrostat.analysis.kernels.pair_tables import SKIN, VALID, PairTables
from gyrostat.analysis.kernels.problem import Floats, Places
from gyrostat.program.translation import kernel, rare_kernel

_MARGIN = 1.5
"""The way of a shape in half a step within which contacts are looked for, in terms of that without contacts."""

_SHARE_TOLERANCE = 1e-2
"""Contacts whose impulses act for a share of the step that differs from a half by less are taken at its middle."""


@rare_kernel
def list_contacts(tables: RigidTables, memory: MoreauStages, x: Floats, h: float) -> bool:
    """List all points that may touch within a step; frames at its middle and motions are known.

    Impulses begin with those of the step before at the same points. Return False without room for them.
    """
    pairs, found = tables.pairs, memory.impulses
    shapes, bounds, finite = pairs.shapes, pairs.touch.bounds, pairs.shapes.finite
    found.number[0] = 0
    for i in range(shapes.radii.size):
        bounds[i, 0] = 0.5 * _MARGIN * h * _speed(memory, pairs, i)
    _cover(pairs)
    room = True
    for i in range(finite):
        for a in range(first_neighbour(pairs, i), last_neighbour(pairs, i)):
            j = neighbour(pairs, a)
            apart = _distance(pairs.frames[i], pairs.frames[j]) - shapes.radii[i] - shapes.radii[j]
            if apart <= bounds[i, 0] + bounds[j, 0] and may_touch(shapes, i, j):
                room = _enter(tables, memory, x, i, j, h) and room
        for p in range(finite, shapes.radii.size):
            lever = 0.5 * h * bounds[p, 2] * _distance(pairs.frames[i], pairs.frames[p])
            apart = height(pairs.frames[i], pairs.frames[p]) - shapes.radii[i]
            if apart <= bounds[i, 0] + bounds[p, 0] + lever and may_touch(shapes, i, p):
                room = _enter(tables, memory, x, i, p, h) and room
    return room


@kernel
def _speed(memory: MoreauStages, pairs: PairTables, i: int) -> float:
    """Return a bound of the speed of a shape's points; the angular velocity of planes is noted."""
    body, radius = pairs.shapes.bodies[i], pairs.shapes.radii[i]
    if body < 0:
        pairs.touch.bounds[i, 2] = 0.0
        return 0.0
    fastest = 0.0
    for k in range(2):
        twist = memory.twists[body] if k == 0 else memory.old[body]
        arm = _distance(pairs.frames[i], memory.origins[body])
        spin = math.sqrt(twist[3] ** 2 + twist[4] ** 2 + twist[5] ** 2)
        pairs.touch.bounds[i, 2] = spin
        fastest = max(fastest, math.sqrt(twist[0] ** 2 + twist[1] ** 2 + twist[2] ** 2) + spin * (arm + radius))
    return fastest


@kernel
def _distance(a: Floats, b: Floats) -> float:
    """Return the distance of two points."""
    return math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@kernel
def _cover(pairs: PairTables) -> None:
    """Make the list of neighbours valid for the ways of all shapes from their present frames."""
    broad, covered = pairs.broad, pairs.broad.numbers[VALID] > 0
    for i in range(pairs.shapes.finite):
        for k in range(3):
            moved = abs(pairs.frames[i, k] - broad.centres[i, k]) + pairs.touch.bounds[i, 0]
            covered = covered and moved <= broad.reach[i]
    if not covered:
        for i in range(pairs.shapes.finite):
            broad.reach[i] = SKIN * pairs.shapes.radii[i] + pairs.touch.bounds[i, 0]
        list_neighbours(pairs)


@kernel
def _enter(tables: RigidTables, memory: MoreauStages, x: Floats, i: int, j: int, h: float) -> bool:
    """Enter the points of a pair that may touch within the step, as they are at its middle.

    Points of shapes that meet are entered as they are then. Where shapes have passed through each other until the
    middle, or by half, what is found there is an overlap at the start; where there was none, points are entered as they
    were at the start.
    """
    found, frames = memory.impulses, tables.pairs.frames
    first = found.number[0]
    room = _enter_points(tables, memory, x, i, j, 0.0, h)
    overlap, meeting = 0.0, h
    for c in range(first, found.number[0]):
        overlap = max(overlap, -found.numbers[c, GAP])
        if abs(found.numbers[c, SHARE_LEFT] - 0.5) > _SHARE_TOLERANCE:
            meeting = min(meeting, found.numbers[c, TOUCH_TIME])
    if overlap > tables.slight:
        meeting = 0.0
    if meeting < h:
        copy(frames[i], memory.frames[0])
        copy(frames[j], memory.frames[1])
        offset = meeting - 0.5 * h
        _shift(frames[i], offset)
        _shift(frames[j], offset)
        if overlap <= tables.slight or _overlap(tables.pairs, x, i, j) < 0.5 * overlap:
            found.number[0] = first
            room = _enter_points(tables, memory, x, i, j, offset, h)
        copy(memory.frames[0], frames[i])
        copy(memory.frames[1], frames[j])
    return room


@rare_kernel
def _shift(frame: Floats, time: float) -> None:
    """Move a frame with its velocity and angular velocity for a time."""
    for k in range(3):
        frame[k] += time * frame[12 + k]
    for k in range(3):  # columns of the rotation turn as vectors do
        column = frame[3 + k : 10 + k]
        x, y, z = column[0], column[3], column[6]
        wx, wy, wz = time * frame[15], time * frame[16], time * frame[17]
        square = wx * wx + wy * wy + wz * wz
        angle = math.sqrt(square)
        sine = math.sin(angle) / angle if angle > 0.0 else 1.0
        less = (1.0 - math.cos(angle)) / square if angle > 0.0 else 0.0
        cx, cy, cz = wy * z - wz * y, wz * x - wx * z, wx * y - wy * x
        column[0] = x + sine * cx + less * (wy * cz - wz * cy)
        column[3] = y + sine * cy + less * (wz * cx - wx * cz)
        column[6] = z + sine * cz + less * (wx * cy - wy * cx)


@rare_kernel
def _overlap(pairs: PairTables, x: Floats, i: int, j: int) -> float:
    """Return the overlap of two shapes."""
    evaluate_pair(pairs, x, i, j)
    deepest = 0.0
    for point in range(points_of(pairs, i, j)):
        deepest = max(deepest, -pairs.results[TOUCH * point])
    return deepest


@rare_kernel
def _enter_points(
    tables: RigidTables, memory: MoreauStages, x: Floats, i: int, j: int, offset: float, h: float
) -> bool:
    """Enter the points of a pair that may touch within the step; shapes are where they are at a time off its middle."""
    pairs, found = tables.pairs, memory.impulses
    swapped = evaluate_pair(pairs, x, i, j)
    a, b = (j if swapped else i), (i if swapped else j)
    reach, group = pairs.touch.bounds[i, 0] + pairs.touch.bounds[j, 0], pairs.shapes.groups[i]
    if j >= pairs.shapes.finite:
        reach += 0.5 * h * pairs.touch.bounds[j, 2] * _distance(pairs.frames[i], pairs.frames[j])
    reach *= 1.0 + 2.0 * abs(offset) / h
    for point in range(points_of(pairs, i, j)):
        touch = pairs.results[TOUCH * point :]
        if touch[0] <= reach:
            c = found.number[0]
            if c >= found.keys.size:
                return False
            found.keys[c] = key_of(pairs, i, j, point)
            found.sides[c, SIDE_A], found.sides[c, SIDE_B] = pairs.shapes.bodies[a], pairs.shapes.bodies[b]
            found.number[0] = c + 1
            _describe(tables, memory, c, touch, offset)
            numbers = found.numbers[c]
            numbers[OLD_RATE], numbers[FRICTION] = _old_rate(memory, c), tables.friction[group]
            numbers[GAP] = touch[0] - (0.5 * h + offset) * numbers[OLD_RATE]
            aim(numbers, rate_along(memory, c, 0), tables.restitution[group], h, tables.slight)
            _recall(memory, c)
    return True


@kernel
def _describe(tables: RigidTables, memory: MoreauStages, c: int, touch: Floats, offset: float) -> None:
    """Write the arms, axes and mobilities of a contact."""
    found = memory.impulses
    numbers, sides = found.numbers[c], found.sides[c]
    for side in range(2):
        body = sides[side]
        for k in range(3):
            origin = memory.origins[body, k] + offset * memory.old[body, k] if body >= 0 else touch[4 + k]
            numbers[ARM_A + 3 * side + k] = touch[4 + k] - origin
    _set_axes(touch[1:4], numbers[AXES:])
    _respond(tables, memory, c, sides[SIDE_A], numbers[ARM_A:], numbers[ALONG_A:])
    _respond(tables, memory, c, sides[SIDE_B], numbers[ARM_B:], numbers[ALONG_B:])
    for axis in range(3):
        mobility = _mobility(tables, memory, c, axis)
        if axis < 2:
            numbers[MOBILITY + axis] = mobility
        else:
            numbers[MOBILITY + 1] = max(numbers[MOBILITY + 1], mobility)
    if are_lone(memory, tables.lone, c):
        for axis in range(2):
            numbers[CROSS + axis] = _cross_mobility(numbers, sides, 1 + axis)


@kernel
def _cross_mobility(numbers: Floats, sides: Places, axis: int) -> float:
    """Return the change of a sliding speed by a unit of normal impulse between lone bodies."""
    total = 0.0
    for side in range(2):
        if sides[side] >= 0:
            arm, along, axes = numbers[ARM_A + 3 * side :], numbers[ALONG_A + 18 * side :], numbers[AXES + 3 * axis :]
            wx, wy, wz = along[9], along[12], along[15]
            total += axes[0] * (along[0] + wy * arm[2] - wz * arm[1])
            total += axes[1] * (along[3] + wz * arm[0] - wx * arm[2])
            total += axes[2] * (along[6] + wx * arm[1] - wy * arm[0])
    return total


@kernel
def _set_axes(normal: Floats, axes: Floats) -> None:
    """Write a normal and two tangents."""
    x, y, z = normal[0], normal[1], normal[2]
    axes[0], axes[1], axes[2] = x, y, z
    if abs(x) <= abs(y) and abs(x) <= abs(z):
        a, b, c = 0.0, -z, y
    elif abs(y) <= abs(z):
        a, b, c = z, 0.0, -x
    else:
        a, b, c = -y, x, 0.0
    size = math.sqrt(a * a + b * b + c * c)
    a, b, c = a / size, b / size, c / size
    axes[3], axes[4], axes[5] = a, b, c
    axes[6], axes[7], axes[8] = y * c - z * b, z * a - x * c, x * b - y * a


@kernel
def _respond(tables: RigidTables, memory: MoreauStages, c: int, body: int, arm: Floats, along: Floats) -> None:
    """Write the motion of a lone body by units of impulse along the axes of a contact."""
    if body < 0 or tables.lone[body] >= 0:
        return
    axes, mobility = memory.impulses.numbers[c, AXES:], tables.mobility[body]
    turned = 3 * tables.pairs.body_count + 9 * body
    R = tables.pairs.moved[turned : turned + 9]
    for k in range(3):
        dx, dy, dz = axes[3 * k], axes[3 * k + 1], axes[3 * k + 2]
        mx, my, mz = arm[1] * dz - arm[2] * dy, arm[2] * dx - arm[0] * dz, arm[0] * dy - arm[1] * dx
        for half in range(2):
            bx, by, bz = 0.0, 0.0, 0.0
            for r in range(3):
                force = R[r] * dx + R[3 + r] * dy + R[6 + r] * dz
                moment = R[r] * mx + R[3 + r] * my + R[6 + r] * mz
                bx += mobility[3 * half, r] * force + mobility[3 * half, 3 + r] * moment
                by += mobility[3 * half + 1, r] * force + mobility[3 * half + 1, 3 + r] * moment
                bz += mobility[3 * half + 2, r] * force + mobility[3 * half + 2, 3 + r] * moment
            for r in range(3):
                along[3 * (3 * half + r) + k] = R[3 * r] * bx + R[3 * r + 1] * by + R[3 * r + 2] * bz


@kernel
def _mobility(tables: RigidTables, memory: MoreauStages, c: int, axis: int) -> float:
    """Return the change of the speed along an axis of a contact by a unit of impulse along it."""
    numbers, sides, lone = memory.impulses.numbers[c], memory.impulses.sides[c], tables.lone
    total = 0.0
    for side in range(2):
        body = sides[side]
        if body >= 0:
            total += _own(tables, memory, c, body, numbers[ARM_A + 3 * side :], numbers[ALONG_A + 18 * side :], axis)
    a, b = sides[SIDE_A], sides[SIDE_B]
    if a >= 0 and b >= 0 and lone[a] >= 0 and lone[b] >= 0:
        axes = numbers[AXES + 3 * axis :]
        total -= 2.0 * _speed_by(memory, 6 * lone[a], 6 * lone[b], numbers[ARM_A:], numbers[ARM_B:], axes)
    return total


@kernel
def _own(tables: RigidTables, memory: MoreauStages, c: int, body: int, arm: Floats, along: Floats, axis: int) -> float:
    """Return the speed of a body's point by an impulse there."""
    axes = memory.impulses.numbers[c, AXES + 3 * axis :]
    if tables.lone[body] >= 0:
        place = 6 * tables.lone[body]
        return _speed_by(memory, place, place, arm, arm, axes)
    wx, wy, wz = along[9 + axis], along[12 + axis], along[15 + axis]
    return float(
        axes[0] * (along[axis] + wy * arm[2] - wz * arm[1])
        + axes[1] * (along[3 + axis] + wz * arm[0] - wx * arm[2])
        + axes[2] * (along[6 + axis] + wx * arm[1] - wy * arm[0])
    )


@kernel
def _speed_by(memory: MoreauStages, load: int, place: int, arm: Floats, other: Floats, axis: Floats) -> float:
    """Return the speed of a point of a coupled body by a unit of impulse at a point of a coupled body."""
    vx = coupled_motion(memory, load, place, arm, axis)
    vy = coupled_motion(memory, load, place + 1, arm, axis)
    vz = coupled_motion(memory, load, place + 2, arm, axis)
    wx = coupled_motion(memory, load, place + 3, arm, axis)
    wy = coupled_motion(memory, load, place + 4, arm, axis)
    wz = coupled_motion(memory, load, place + 5, arm, axis)
    return float(
        axis[0] * (vx + wy * other[2] - wz * other[1])
        + axis[1] * (vy + wz * other[0] - wx * other[2])
        + axis[2] * (vz + wx * other[1] - wy * other[0])
    )


@kernel
def _old_rate(memory: MoreauStages, c: int) -> float:
    """Return the rate of the gap at the start of the step."""
    numbers, sides, total = memory.impulses.numbers[c], memory.impulses.sides[c], 0.0
    for side in range(2):
        if sides[side] >= 0:
            twist, arm, n = memory.old[sides[side]], numbers[ARM_A + 3 * side :], numbers[AXES:]
            speed = n[0] * (twist[0] + twist[4] * arm[2] - twist[5] * arm[1])
            speed += n[1] * (twist[1] + twist[5] * arm[0] - twist[3] * arm[2])
            speed += n[2] * (twist[2] + twist[3] * arm[1] - twist[4] * arm[0])
            total += speed if side == 0 else -speed
    return total


@kernel
def _recall(memory: MoreauStages, c: int) -> None:
    """Begin with the impulse of the step before at the same point, along the present axes; else with none."""
    found = memory.impulses
    low, high = 0, found.last_count[0]
    while low < high:
        middle = (low + high) // 2
        if found.last_keys[middle] < found.keys[c]:
            low = middle + 1
        else:
            high = middle
    known = low < found.last_count[0] and found.last_keys[low] == found.keys[c]
    axes = found.numbers[c, AXES:]
    for k in range(3):
        total = 0.0
        for r in range(3):
            total += axes[3 * k + r] * found.last[low, r] if known else 0.0
        found.impulses[c, k] = total
    found.impulses[c, 0] = max(found.impulses[c, 0], 0.0)


@rare_kernel
def remember_contacts(memory: MoreauStages) -> None:
    """Keep the impulses of a step for the next."""
    found = memory.impulses
    count = found.number[0]
    found.last_count[0] = count
    for c in range(count):
        found.last_keys[c] = found.keys[c]
        for r in range(3):
            total = 0.0
            for k in range(3):
                total += found.impulses[c, k] * found.numbers[c, AXES + 3 * k + r]
            found.last[c, r] = total
