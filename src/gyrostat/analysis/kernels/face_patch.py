"""Points of contact of two solids: corners of the polygon in which their faces overlap, or one point of two edges.

The face of one solid is the reference; the face of the other that is turned towards it most is clipped by the planes
through the edges of the reference (Sutherland and Hodgman 1974). Each corner of what remains knows its features. A
corner acts with its part of the circumference, so that forces are continuous where a corner is cut off and two appear.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.edge_points import meet_edges, write_edges
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.separation import see
from gyrostat.analysis.kernels.solid_tables import (
    EDGES,
    FACE_A,
    FACE_B,
    FIRST_FEATURE,
    KIND,
    LINE_A,
    LINE_B,
    NO_CURVE,
    POINT_A,
    POINT_B,
    ROOM,
    ROUND_A,
    ROUND_B,
    SECOND_FEATURE,
    SIDE,
    SIGN,
    Patch,
    Solids,
)
from gyrostat.program.translation import kernel, rare_kernel

_CORNER, _CROSSING, _REFERENCE = 0, 1, 2
"""Kind of a corner of the polygon: a corner of the clipped face, a point of one of its edges, or a corner of the
reference."""
_TAG_KIND, _FIRST_NUMBER, _SECOND_NUMBER, _EDGE_PLACE = 0, 1, 2, 3
"""Entries of a tag: what the corner is, its numbers, and on what the edge that leaves it lies: an edge of the clipped
face by the number of its first corner, or −1 − k on side k of the reference."""
_WEIGHT_SUM = 4.0
"""The sum of the weights of a polygon: those of a rectangle are 1."""
_CORNER_KEYS = 256
"""Numbers of corners that keys tell apart."""
_PLANE, _EDGE_CROSSING, _REFERENCE_CORNER, _EDGES = 1, 3, 5, 7
"""Modes of features with the reference on b (`model.contacts.features.Mode`); 1 more with the reference on a."""


@rare_kernel
def find_points(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int) -> None:
    """Write the points of contact of two solids whose separation is known, with features, keys and weights."""
    kind = patch.choice[KIND]
    patch.number[0] = 0
    if kind == FACE_A:
        clip_faces(solids, patch, a, b, i, j, 1)
    elif kind == FACE_B:
        clip_faces(solids, patch, a, b, i, j, 0)
    elif kind == EDGES:
        _cross_edges(solids, patch, a, b, i, j)
    else:
        meet_edges(solids, patch, i, j)
    for p in range(patch.number[0]):
        patch.features[p, ROUND_A], patch.features[p, ROUND_B] = solids.rounding[i], solids.rounding[j]


@kernel
def _corner_in_a(solids: Solids, patch: Patch, shape: int, of_b: bool, c: int, k: int) -> float:
    """Return a coordinate of a corner in the axes of a."""
    return float(patch.seen[c, k] if of_b else solids.corners[solids.first_corner[shape] + c, k])


@rare_kernel
def clip_faces(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int, on_a: int) -> None:
    """Write the corners of the polygon of two faces; `on_a` is 1 where the reference is a face of a."""
    ref, other = (i, j) if on_a == 1 else (j, i)
    face, sign = patch.choice[FIRST_FEATURE], -1.0 if on_a == 1 else 1.0
    n_x, n_y, n_z = sign * patch.axis[0], sign * patch.axis[1], sign * patch.axis[2]  # outwards
    clipped = patch.choice[SECOND_FEATURE]
    if solids.curved[other] == NO_CURVE:
        clipped = _turned_face(solids, patch, a, b, other, on_a == 1, n_x, n_y, n_z)
    count = _begin(solids, patch, other, on_a == 1, clipped)
    first, sides = solids.first_around[face], solids.first_around[face + 1] - solids.first_around[face]
    for k in range(sides):
        for c in range(3):
            patch.reference[k, c] = _corner_in_a(solids, patch, ref, on_a == 0, solids.around[first + k], c)
    now, is_line = 0, count == 2
    for k in range(sides):
        count = _clip(patch, now, count, k, sides, is_line, n_x, n_y, n_z)
        now = 1 - now
        if count == 0:
            break
    rounding = solids.rounding[i] + solids.rounding[j]
    if patch.axis[3] < rounding and not _reaches(patch, now, count, n_x, n_y, n_z, rounding):
        if solids.curved[i] + solids.curved[j] > 0 and patch.edge_axis[3] > patch.axis[3]:
            return
        if patch.edge_axis[3] > patch.axis[3]:
            for k in range(4):
                patch.axis[k] = patch.edge_axis[k]
            patch.choice[FIRST_FEATURE], patch.choice[SECOND_FEATURE] = patch.edge_choice[0], patch.edge_choice[1]
            _cross_edges(solids, patch, a, b, i, j)
            return
        count = 0
    while count > patch.weights.size:
        count = _drop_corner(patch, now, count)
    if count == 0:
        count = _deepest(solids, patch, other, on_a == 1, now, n_x, n_y, n_z)
    _write_points(solids, patch, ref, other, face, clipped, on_a, now, count)


@rare_kernel
def _reaches(patch: Patch, now: int, count: int, x: float, y: float, z: float, rounding: float) -> bool:
    """Return whether a corner of the polygon lies below the reference, or less than the rounding above it."""
    p, found = patch.reference[0], False
    for c in range(count):
        q = patch.polygon[now, c]
        found = found or x * (q[0] - p[0]) + y * (q[1] - p[1]) + z * (q[2] - p[2]) < rounding
    return found


@rare_kernel
def _turned_face(
    solids: Solids, patch: Patch, a: Floats, b: Floats, shape: int, of_b: bool, x: float, y: float, z: float
) -> int:
    """Return the face at the corner farthest against a direction that is turned against it most, −1 without faces."""
    found, least, corner = -1, 2.0, _farthest(solids, patch, shape, of_b, x, y, z)
    for f in range(solids.first_face[shape], solids.first_face[shape + 1]):
        normal = solids.faces[f]
        if of_b:
            see(a, b, normal, patch.found, 0.0)
            normal = patch.found
        along = normal[0] * x + normal[1] * y + normal[2] * z
        if along < least - 1e-9 and _has_corner(solids, f, corner):
            found, least = f, along
    return found


@rare_kernel
def _begin(solids: Solids, patch: Patch, shape: int, of_b: bool, face: int) -> int:
    """Write the corners of a face, or of a shape without faces, as the polygon to clip; return their number."""
    first = solids.first_around[face] if face >= 0 else 0
    count = solids.first_corner[shape + 1] - solids.first_corner[shape]
    if face >= 0:
        count = solids.first_around[face + 1] - first
    for p in range(count):
        corner = solids.around[first + p] if face >= 0 else p
        after = p + 1 if p + 1 < count else 0
        following = solids.around[first + after] if face >= 0 else after
        for k in range(3):
            patch.polygon[0, p, k] = _corner_in_a(solids, patch, shape, of_b, corner, k)
        tag = patch.tags[0, p]
        tag[_TAG_KIND], tag[_FIRST_NUMBER], tag[_SECOND_NUMBER], tag[_EDGE_PLACE] = _CORNER, corner, following, corner
    return int(count)


@rare_kernel
def _clip(patch: Patch, now: int, count: int, k: int, sides: int, is_line: bool, x: float, y: float, z: float) -> int:
    """Clip a polygon, or a line, by the plane through side k of the reference; return the number of corners left."""
    p, q = patch.reference[k], patch.reference[k + 1 if k + 1 < sides else 0]
    u, v, w = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    m_x, m_y, m_z = y * w - z * v, z * u - x * w, x * v - y * u
    found, then = 0, 1 - now
    for c in range(count):
        after = c + 1 if c + 1 < count else 0
        here, there = patch.polygon[now, c], patch.polygon[now, after]
        inside = m_x * (here[0] - p[0]) + m_y * (here[1] - p[1]) + m_z * (here[2] - p[2])
        beyond = m_x * (there[0] - p[0]) + m_y * (there[1] - p[1]) + m_z * (there[2] - p[2])
        if inside >= 0.0 and found < ROOM:
            for e in range(3):
                patch.polygon[then, found, e] = here[e]
            for e in range(4):
                patch.tags[then, found, e] = patch.tags[now, c, e]
            found += 1
        if (inside >= 0.0) != (beyond >= 0.0) and found < ROOM and not (is_line and after == 0):
            part = inside / (inside - beyond)
            for e in range(3):
                patch.polygon[then, found, e] = here[e] + part * (there[e] - here[e])
            tag, on = patch.tags[then, found], patch.tags[now, c, _EDGE_PLACE]
            if on >= 0:
                tag[_TAG_KIND], tag[_FIRST_NUMBER], tag[_SECOND_NUMBER] = _CROSSING, on, k
            else:
                side = -1 - on  # sides side and k meet at a corner of the reference, if they are neighbours
                tag[_TAG_KIND], tag[_FIRST_NUMBER], tag[_SECOND_NUMBER] = _REFERENCE, k if side + 1 == k else side, 0
                if k + 1 == sides and side == 0:
                    tag[_FIRST_NUMBER] = 0
            tag[_EDGE_PLACE] = -1 - k if inside >= 0.0 else on
            found += 1
    return found


@rare_kernel
def _drop_corner(patch: Patch, now: int, count: int) -> int:
    """Leave out the corner of a polygon whose triangle with its neighbours is smallest; return the number of others."""
    least, drop = 1e300, 0
    for c in range(count):
        p = patch.polygon[now, count - 1 if c == 0 else c - 1]
        q, r = patch.polygon[now, c], patch.polygon[now, c + 1 if c + 1 < count else 0]
        u, v, w = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        x, y, z = r[0] - p[0], r[1] - p[1], r[2] - p[2]
        area = (v * z - w * y) ** 2 + (w * x - u * z) ** 2 + (u * y - v * x) ** 2
        if area < least:
            least, drop = area, c
    for c in range(drop, count - 1):
        for e in range(3):
            patch.polygon[now, c, e] = patch.polygon[now, c + 1, e]
        for e in range(4):
            patch.tags[now, c, e] = patch.tags[now, c + 1, e]
    return count - 1


@kernel
def _has_corner(solids: Solids, face: int, corner: int) -> bool:
    """Return whether a corner belongs to a face."""
    found = False
    for p in range(solids.first_around[face], solids.first_around[face + 1]):
        found = found or solids.around[p] == corner
    return found


@rare_kernel
def _farthest(solids: Solids, patch: Patch, shape: int, of_b: bool, x: float, y: float, z: float) -> int:
    """Return the corner of a shape that is farthest against a direction."""
    least, found = 1e300, 0
    for c in range(solids.first_corner[shape + 1] - solids.first_corner[shape]):
        height = 0.0
        for k in range(3):
            n = x if k == 0 else (y if k == 1 else z)
            height += n * _corner_in_a(solids, patch, shape, of_b, c, k)
        if height < least:
            least, found = height, c
    return found


@rare_kernel
def _deepest(solids: Solids, patch: Patch, shape: int, of_b: bool, now: int, x: float, y: float, z: float) -> int:
    """Write the corner of a shape that is farthest against a direction as the only one of the polygon."""
    found = _farthest(solids, patch, shape, of_b, x, y, z)
    for k in range(3):
        patch.polygon[now, 0, k] = _corner_in_a(solids, patch, shape, of_b, found, k)
    tag = patch.tags[now, 0]
    tag[_TAG_KIND], tag[_FIRST_NUMBER], tag[_SECOND_NUMBER], tag[_EDGE_PLACE] = _CORNER, found, found, found
    return 1


@rare_kernel
def _write_points(
    solids: Solids, patch: Patch, ref: int, other: int, face: int, clipped: int, on_a: int, now: int, count: int
) -> None:
    """Write features, keys and weights of all corners of the polygon."""
    around, corners = solids.first_around[face], solids.corners[solids.first_corner[ref] :]
    sides = solids.first_around[face + 1] - around
    others = solids.corners[solids.first_corner[other] :]
    at_ref, on_ref = (POINT_A, LINE_A) if on_a == 1 else (POINT_B, LINE_B)
    at_other, on_other = (POINT_B, LINE_B) if on_a == 1 else (POINT_A, LINE_A)
    normal = solids.faces[face]
    for p in range(count):
        tag, feature = patch.tags[now, p], patch.features[p]
        one, two = tag[_FIRST_NUMBER], tag[_SECOND_NUMBER]
        feature[SIGN] = 1.0
        for k in range(3):
            feature[on_ref + k] = normal[k]
            feature[at_ref + k] = corners[solids.around[around], k]
        if tag[_TAG_KIND] == _CORNER:
            patch.modes[p] = _PLANE + on_a
            patch.ids[p] = one
            for k in range(3):
                feature[at_other + k] = others[one, k]
        elif tag[_TAG_KIND] == _CROSSING:
            start = solids.around[around + two]
            end = solids.around[around + (two + 1 if two + 1 < sides else 0)]
            last = _following(solids, clipped, one, other)
            patch.modes[p] = _EDGE_CROSSING + on_a
            patch.ids[p] = _CORNER_KEYS + _CORNER_KEYS * one + start
            for k in range(3):
                feature[at_ref + k] = corners[start, k]
                feature[at_other + k] = others[one, k]
                feature[on_other + k] = others[last, k] - others[one, k]
            u, v, w = corners[end, 0] - corners[start, 0], corners[end, 1] - corners[start, 1], corners[end, 2]
            w -= corners[start, 2]
            feature[SIDE] = normal[1] * w - normal[2] * v
            feature[SIDE + 1] = normal[2] * u - normal[0] * w
            feature[SIDE + 2] = normal[0] * v - normal[1] * u
        else:
            corner = solids.around[around + one]
            patch.modes[p] = _REFERENCE_CORNER + on_a
            patch.ids[p] = _CORNER_KEYS + _CORNER_KEYS * _CORNER_KEYS + corner
            for k in range(3):
                feature[at_ref + k] = corners[corner, k]
                feature[on_other + k] = solids.faces[clipped, k]
                feature[at_other + k] = others[solids.around[solids.first_around[clipped]], k]
    _weigh(patch, now, count)
    patch.number[0] = count


@kernel
def _following(solids: Solids, face: int, corner: int, shape: int) -> int:
    """Return the corner that follows another one around a face; of a shape without faces, the other end."""
    if face < 0:
        return 1 - corner
    first, last = solids.first_around[face], solids.first_around[face + 1]
    for p in range(first, last):
        if solids.around[p] == corner:
            return int(solids.around[p + 1] if p + 1 < last else solids.around[first])
    return corner


@rare_kernel
def _weigh(patch: Patch, now: int, count: int) -> None:
    """Write the weights of the corners: parts of the circumference, and 1 where there are less than three."""
    whole = 0.0
    for p in range(count):
        patch.weights[p] = 1.0 if count < 3 else 0.0
    if count < 3:
        return
    for p in range(count):
        after = p + 1 if p + 1 < count else 0
        here, there = patch.polygon[now, p], patch.polygon[now, after]
        length = math.sqrt((there[0] - here[0]) ** 2 + (there[1] - here[1]) ** 2 + (there[2] - here[2]) ** 2)
        patch.weights[p] += 0.5 * length
        patch.weights[after] += 0.5 * length
        whole += length
    for p in range(count):
        patch.weights[p] = _WEIGHT_SUM * patch.weights[p] / whole if whole > 0.0 else 1.0


@rare_kernel
def _cross_edges(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int) -> None:
    """Write the point of two edges along the directions that separate best: those that lie farthest out."""
    x, y, z = patch.axis[0], patch.axis[1], patch.axis[2]
    d = _outer_edge(solids, patch, i, False, solids.directions[patch.choice[FIRST_FEATURE]], x, y, z)
    see(a, b, solids.directions[patch.choice[SECOND_FEATURE]], patch.found, 0.0)
    e = _outer_edge(solids, patch, j, True, patch.found, -x, -y, -z)
    write_edges(solids, patch, i, j, d, e)
    feature, found = patch.features[0], patch.found
    see(a, b, feature[LINE_B:], found, 0.0)
    u, v = feature[LINE_A:], found
    along = x * (u[1] * v[2] - u[2] * v[1]) + y * (u[2] * v[0] - u[0] * v[2]) + z * (u[0] * v[1] - u[1] * v[0])
    feature[SIGN] = 1.0 if along >= 0.0 else -1.0
    patch.modes[0] = _EDGES


@rare_kernel
def _outer_edge(
    solids: Solids, patch: Patch, shape: int, of_b: bool, along: Floats, x: float, y: float, z: float
) -> int:
    """Return the edge of a shape along a direction that is lowest along another one."""
    found, least = solids.first_edge[shape], 1e300
    for e in range(solids.first_edge[shape], solids.first_edge[shape + 1]):
        across, size, height = 0.0, 0.0, 0.0
        for k in range(3):
            p = _corner_in_a(solids, patch, shape, of_b, solids.edges[e, 0], k)
            q = _corner_in_a(solids, patch, shape, of_b, solids.edges[e, 1], k)
            n = x if k == 0 else (y if k == 1 else z)
            across += (q - p) * along[k]
            size += (q - p) ** 2
            height += 0.5 * n * (p + q)
        if across * across > (1.0 - 1e-8) * size and height < least:
            found, least = e, height
    return int(found)
