"""Contacts of grains with walls: planes, triangles, and segments and points with a rounding.

A grain touches a surface where the distance from its centre has a local minimum. Of the elements near it the nearest
point counts; a further one counts if it lies before the tangent plane at each nearer one, as in a corner. Points behind
or in such a plane belong to the same flat or convex part of the surface.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.grain_law import end_contact, load_contact
from gyrostat.analysis.kernels.grain_pairs import add_sums
from gyrostat.analysis.kernels.grain_tables import (
    DEPTH,
    DISSIPATED,
    FORCE,
    MASS,
    MEMORY,
    MOMENT,
    NORMAL,
    OMEGA,
    PLANE,
    POINT,
    RADIUS,
    SEGMENT,
    SLOTS,
    SPIN,
    SUPPLIED,
    VELOCITY,
    GrainMotion,
    GrainTables,
    GrainWalls,
)
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel, rare_kernel

_FLATNESS_TOLERANCE = 1e-3
"""Points of a surface lower than this part of a radius above a tangent plane lie in it."""
_NORMAL_COSINE = 0.8
"""Cosine of the angle up to which a contact goes on with the memory of one on another element of the same body."""


@kernel
def wall_distance(walls: GrainWalls, x: Floats, e: int) -> float:
    """Return the distance of a place from an element; below a plane it is negative."""
    return nearest(walls, x, e, walls.found[SLOTS])


@rare_kernel
def nearest(walls: GrainWalls, x: Floats, e: int, found: Floats) -> float:
    """Write the nearest point of an element, and the unit vector from a place to it; return the distance."""
    body, kind, points = walls.bodies[e], walls.kinds[e], walls.elements[e]
    frame, place = walls.frames[body], walls.kept[0]
    for c in range(3):
        place[c] = 0.0
        for r in range(3):
            place[c] += (x[r] - frame[r]) * frame[3 + 3 * r + c]
    distance = 0.0
    if kind == PLANE:
        for c in range(3):
            distance += (place[c] - points[c]) * points[3 + c]
        for c in range(3):
            place[3 + c], place[6 + c] = -points[3 + c], place[c] - distance * points[3 + c]
    else:
        _nearest_core(points, kind, place)
        for c in range(3):
            place[3 + c] = place[6 + c] - place[c]
            distance += place[3 + c] * place[3 + c]
        distance = math.sqrt(distance)
        scale = 1.0 / max(distance, 1e-300)
        for c in range(3):
            place[3 + c] *= scale
            place[6 + c] -= points[9] * place[3 + c]
        distance -= points[9]
    for r in range(3):
        normal, at = 0.0, frame[r]
        for c in range(3):
            normal += frame[3 + 3 * r + c] * place[3 + c]
            at += frame[3 + 3 * r + c] * place[6 + c]
        found[2 + r], found[5 + r] = normal, at
    found[0], found[1] = float(e), distance
    return distance


@kernel
def _nearest_core(points: Floats, kind: int, place: Floats) -> None:
    """Write the point of a core that is nearest to a place, in axes of the body, behind that place and a direction."""
    if kind == POINT:
        for c in range(3):
            place[6 + c] = points[c]
        return
    if kind == SEGMENT:
        _on_segment(points, 0, 3, place)
        return
    _on_triangle(points, place)


@kernel
def _on_segment(points: Floats, a: int, b: int, place: Floats) -> None:
    along, length = 0.0, 0.0
    for c in range(3):
        edge = points[b + c] - points[a + c]
        along += (place[c] - points[a + c]) * edge
        length += edge * edge
    share = min(max(along / max(length, 1e-300), 0.0), 1.0)
    for c in range(3):
        place[6 + c] = points[a + c] + share * (points[b + c] - points[a + c])


@kernel
def _on_triangle(points: Floats, place: Floats) -> None:
    """Write the nearest point of a triangle, by its regions (Ericson 2005, section 5.1.5)."""
    d1, d2, d3, d4, d5, d6 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        ab, ac = points[3 + c] - points[c], points[6 + c] - points[c]
        d1 += ab * (place[c] - points[c])
        d2 += ac * (place[c] - points[c])
        d3 += ab * (place[c] - points[3 + c])
        d4 += ac * (place[c] - points[3 + c])
        d5 += ab * (place[c] - points[6 + c])
        d6 += ac * (place[c] - points[6 + c])
    vc, vb, va = d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        _on_segment(points, 0, 3, place)
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        _on_segment(points, 0, 6, place)
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        _on_segment(points, 3, 6, place)
    elif d1 <= 0.0 and d2 <= 0.0:
        for c in range(3):
            place[6 + c] = points[c]
    elif d3 >= 0.0 and d4 <= d3:
        for c in range(3):
            place[6 + c] = points[3 + c]
    elif d6 >= 0.0 and d5 <= d6:
        for c in range(3):
            place[6 + c] = points[6 + c]
    else:
        whole = va + vb + vc
        for c in range(3):
            place[6 + c] = (va * points[c] + vb * points[3 + c] + vc * points[6 + c]) / whole


@kernel
def load_grain_walls(tables: GrainTables, dt: float) -> None:
    """Add forces and moments of all contacts with walls to grains and walls."""
    grains, lists, walls = tables.grains, tables.lists, tables.walls
    for i in range(grains.radii.size):
        if lists.wall_start[i + 1] > lists.wall_start[i] or walls.keys[i, 0] > 0:
            _load_grain(tables, i, dt)


@rare_kernel
def _load_grain(tables: GrainTables, i: int, dt: float) -> None:
    """Add the contacts of one grain with walls."""
    walls = tables.walls
    count = _find_contacts(tables, i)
    if count == 0 and walls.keys[i, 0] == 0:
        return
    for s in range(count):
        _recall_wall(walls, i, s)
    for s in range(SLOTS):  # contacts that are left have opened
        if walls.keys[i, s] > 0:
            tables.sums[DISSIPATED] += end_contact(walls.memory[i, s])
    for s in range(SLOTS):
        walls.keys[i, s] = 0
    for s in range(count):
        walls.keys[i, s] = int(walls.found[s, 0]) + 1
        for m in range(MEMORY):
            walls.memory[i, s, m] = walls.kept[1 + s, m]
        for k in range(3):
            walls.memory[i, s, MEMORY + k] = walls.found[s, 2 + k]
        _load_wall(tables, i, s, dt)


@kernel
def _find_contacts(tables: GrainTables, i: int) -> int:
    """Write the contacts of a grain with walls, the nearest first; return their number."""
    grains, lists, walls = tables.grains, tables.lists, tables.walls
    found, count = walls.found, 0
    for k in range(lists.wall_start[i], lists.wall_start[i + 1]):
        e = lists.near_walls[k]
        distance = nearest(walls, grains.x[i], e, found[SLOTS])
        if distance >= grains.radii[i]:
            continue
        at = min(count, SLOTS - 1)
        if count >= SLOTS and found[at, 1] <= distance:
            continue
        while at > 0 and found[at - 1, 1] > distance:
            for m in range(8):
                found[at, m] = found[at - 1, m]
            at -= 1
        for m in range(8):
            found[at, m] = found[SLOTS, m]
        count = min(count + 1, SLOTS)
    kept = 0
    for s in range(count):
        if not _is_hidden(walls, s, kept, _FLATNESS_TOLERANCE * grains.radii[i]):
            for m in range(8):
                found[kept, m] = found[s, m]
            kept += 1
    return kept


@kernel
def _is_hidden(walls: GrainWalls, s: int, kept: int, tolerance: float) -> bool:
    """Return whether a point lies in or behind the tangent plane at a nearer point of the same body."""
    found = walls.found
    for a in range(kept):
        if walls.bodies[int(found[a, 0])] == walls.bodies[int(found[s, 0])]:
            before = 0.0
            for k in range(3):
                before -= found[a, 2 + k] * (found[s, 5 + k] - found[a, 5 + k])
            if before <= tolerance:
                return True
    return False


@kernel
def _recall_wall(walls: GrainWalls, i: int, s: int) -> None:
    """Take over what a contact remembers: of the same element, else of one with nearly the same normal."""
    element, keys = int(walls.found[s, 0]), walls.keys
    best = -1
    for a in range(SLOTS):
        if keys[i, a] == element + 1:
            best = a
    if best < 0:
        closest = _NORMAL_COSINE
        for a in range(SLOTS):
            if keys[i, a] > 0 and walls.bodies[keys[i, a] - 1] == walls.bodies[element]:
                alike = 0.0
                for k in range(3):
                    alike += walls.memory[i, a, MEMORY + k] * walls.found[s, 2 + k]
                if alike > closest:
                    best, closest = a, alike
    for m in range(MEMORY):
        walls.kept[1 + s, m] = walls.memory[i, best, m] if best >= 0 else 0.0
    if best >= 0:
        keys[i, best] = 0


@kernel
def _load_wall(tables: GrainTables, i: int, s: int, dt: float) -> None:
    """Evaluate a contact with a wall and add its loads."""
    grains, walls, touch, sums = tables.grains, tables.walls, tables.touch, tables.sums
    found, body = walls.found[s], walls.bodies[int(walls.found[s, 0])]
    frame = walls.frames[body]
    arm, px, py, pz = found[1], found[5], found[6], found[7]
    for k in range(3):
        touch[NORMAL + k] = found[2 + k]
    touch[DEPTH] = grains.radii[i] - arm
    touch[RADIUS], touch[MASS] = grains.radii[i], grains.masses[i]
    rx, ry, rz = px - frame[0], py - frame[1], pz - frame[2]
    ox, oy, oz = frame[15], frame[16], frame[17]
    ux, uy, uz = frame[12] + oy * rz - oz * ry, frame[13] + oz * rx - ox * rz, frame[14] + ox * ry - oy * rx
    _meet(grains, touch, i, arm)
    touch[VELOCITY] -= ux
    touch[VELOCITY + 1] -= uy
    touch[VELOCITY + 2] -= uz
    for k in range(3):
        touch[OMEGA + k] = grains.w[i, k] - frame[15 + k]
        touch[SPIN + k] = frame[15 + k]
    stiffness = load_contact(touch, walls.memory[i, s], tables.laws[1], dt)
    fx, fy, fz = touch[FORCE], touch[FORCE + 1], touch[FORCE + 2]
    nx, ny, nz = touch[NORMAL], touch[NORMAL + 1], touch[NORMAL + 2]
    mx, my, mz = touch[MOMENT], touch[MOMENT + 1], touch[MOMENT + 2]
    force, load = grains.force[i], walls.loads[body]
    force[0] += fx
    force[1] += fy
    force[2] += fz
    force[3] += arm * (ny * fz - nz * fy) + mx
    force[4] += arm * (nz * fx - nx * fz) + my
    force[5] += arm * (nx * fy - ny * fx) + mz
    load[0] -= fx
    load[1] -= fy
    load[2] -= fz
    load[3] -= py * fz - pz * fy + mx
    load[4] -= pz * fx - px * fz + my
    load[5] -= px * fy - py * fx + mz
    sums[SUPPLIED] += (fx * ux + fy * uy + fz * uz + mx * ox + my * oy + mz * oz) * dt
    add_sums(sums, touch, stiffness)


@kernel
def _meet(grains: GrainMotion, touch: Floats, i: int, arm: float) -> None:
    """Set the velocity of a grain at its point of contact with a wall."""
    v, w = grains.v, grains.w
    nx, ny, nz = arm * touch[NORMAL], arm * touch[NORMAL + 1], arm * touch[NORMAL + 2]
    touch[VELOCITY] = v[i, 0] + w[i, 1] * nz - w[i, 2] * ny
    touch[VELOCITY + 1] = v[i, 1] + w[i, 2] * nx - w[i, 0] * nz
    touch[VELOCITY + 2] = v[i, 2] + w[i, 0] * ny - w[i, 1] * nx


@kernel
def move_walls(walls: GrainWalls, dt: float) -> None:
    """Move all walls by their velocities and turn them by their angular velocities."""
    for b in range(walls.frames.shape[0]):
        frame = walls.frames[b]
        ox, oy, oz = frame[15], frame[16], frame[17]
        angle = math.sqrt(ox * ox + oy * oy + oz * oz) * dt
        for k in range(3):
            frame[k] += frame[12 + k] * dt
        if angle == 0.0:
            continue
        near = angle < 1e-4
        sine = dt * (1.0 - angle * angle / 6.0) if near else dt * math.sin(angle) / angle
        versine = 0.5 * dt * dt if near else dt * dt * (1.0 - math.cos(angle)) / (angle * angle)
        for c in range(3):  # each column e turns by Rodrigues' formula
            ex, ey, ez = frame[3 + c], frame[6 + c], frame[9 + c]
            tx, ty, tz = oy * ez - oz * ey, oz * ex - ox * ez, ox * ey - oy * ex
            frame[3 + c] = ex + sine * tx + versine * (oy * tz - oz * ty)
            frame[6 + c] = ey + sine * ty + versine * (oz * tx - ox * tz)
            frame[9 + c] = ez + sine * tz + versine * (ox * ty - oy * tx)
