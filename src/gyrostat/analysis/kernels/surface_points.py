"""Points of contact of a solid and a surface of triangles, by a hierarchy of boxes.

Each corner of the solid, with its rounding, is a ball. A ball outside touches where the distance from its centre to
the surface has a local minimum: on a face, an edge or a corner of the surface. An edge between two triangles, one of
which is nearer, is none, so that nothing counts twice. In a valley a ball touches both sides; the further one comes in
gradually, and sides that are nearly parallel share the load. A centre inside touches the nearest feature alone.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.separation import see
from gyrostat.analysis.kernels.solid_tables import (
    LINE_B,
    POINT_A,
    POINT_B,
    ROUND_A,
    ROUND_B,
    SIGN,
    Patch,
    Solids,
    Surfaces,
)
from gyrostat.program.translation import kernel, rare_kernel

_PLANE_B, _CORNER_EDGE, _CORNERS = 1, 8, 10
"""Modes of features (`model.contacts.features.Mode`)."""
_FACE, _EDGE, _CORNER = range(3)
_DISTANCE, _SIDE, _FEATURE_KIND, _NUMBER, _X = 0, 1, 2, 3, 4
"""The nearest feature of a corner: distance, 1 outside and −1 inside, kind and number; then the place of the corner."""
_CORNER_KEYS = 8
"""Corners that keys tell apart."""


@rare_kernel
def find_surface_points(
    solids: Solids, surfaces: Surfaces, patch: Patch, a: Floats, b: Floats, i: int, j: int, reach: float
) -> None:
    """Write the points of contact of a solid i in frame a and a surface j in frame b, and their least gap.

    Surfaces farther from a corner than `reach` are left out; the gap is then not larger than it is.
    """
    near, rounding = patch.nearest, solids.rounding[i]
    patch.number[0] = 0
    patch.axis[3] = reach
    for c in range(solids.first_corner[i + 1] - solids.first_corner[i]):
        corner = solids.corners[solids.first_corner[i] + c]
        see(b, a, corner, near[_X:], 1.0)
        near[_DISTANCE], near[_SIDE], near[_FEATURE_KIND] = reach + rounding, 1.0, -1.0
        _traverse(surfaces, patch, j, c, corner, False, reach + rounding)
        gap = near[_SIDE] * near[_DISTANCE] - rounding
        patch.axis[3] = min(patch.axis[3], gap)
        if near[_FEATURE_KIND] < 0.0 or gap > 0.0:
            continue
        if near[_SIDE] < 0.0:
            _enter(surfaces, patch, j, c, corner, int(near[_FEATURE_KIND]), int(near[_NUMBER]), -1.0)
        else:
            first = patch.number[0]
            _traverse(surfaces, patch, j, c, corner, True, rounding)
            _share(patch, first)
    for p in range(patch.number[0]):
        patch.features[p, ROUND_A], patch.features[p, ROUND_B] = rounding, 0.0


@rare_kernel
def _traverse(surfaces: Surfaces, patch: Patch, j: int, c: int, corner: Floats, collecting: bool, limit: float) -> None:
    """Visit the triangles near a corner: note the nearest feature, or collect all at which the distance is least."""
    first, last = surfaces.first_box[j], surfaces.first_box[j + 1]
    box, x = first, patch.nearest[_X:]
    while box < last:
        if not collecting:
            limit = patch.nearest[_DISTANCE]
        if _box_distance(surfaces.boxes[box], x) > limit * limit:
            box = first + surfaces.next_box[box]
            continue
        begin, count = surfaces.content[box, 0], surfaces.content[box, 1]
        for t in range(begin, begin + count):
            _visit_face(surfaces, patch, j, c, corner, t, collecting, limit)
            for k in range(3):
                if surfaces.owned[t, k] >= 0:
                    _visit_edge(surfaces, patch, j, c, corner, surfaces.owned[t, k], collecting, limit)
                if surfaces.owned[t, 3 + k] >= 0:
                    _visit_corner(surfaces, patch, j, c, corner, surfaces.owned[t, 3 + k], collecting, limit)
        box += 1


@kernel
def _box_distance(box: Floats, x: Floats) -> float:
    """Return the squared distance of a point from a box."""
    total = 0.0
    for k in range(3):
        beyond = max(max(box[k] - x[k], x[k] - box[3 + k]), 0.0)
        total += beyond * beyond
    return total


@kernel
def _note(
    surfaces: Surfaces, patch: Patch, j: int, c: int, corner: Floats, what: int, number: int, size: float, side: float,
    collecting: bool, limit: float,
) -> None:  # fmt: skip
    """Note a feature if it is the nearest so far, or enter it as a point of contact."""
    near = patch.nearest
    if collecting:
        if side > 0.0 and size < limit:
            _enter(surfaces, patch, j, c, corner, what, number, 1.0)
    elif size < near[_DISTANCE]:
        near[_DISTANCE], near[_SIDE], near[_FEATURE_KIND], near[_NUMBER] = size, side, float(what), float(number)


@rare_kernel
def _visit_face(
    surfaces: Surfaces, patch: Patch, j: int, c: int, corner: Floats, t: int, collecting: bool, limit: float
) -> None:
    """Look at a triangle under whose inner part a corner is."""
    x, n = patch.nearest[_X:], surfaces.normals[t]
    p = surfaces.corners[surfaces.triangles[t, 0]]
    height = n[0] * (x[0] - p[0]) + n[1] * (x[1] - p[1]) + n[2] * (x[2] - p[2])
    if abs(height) > limit:
        return
    for k in range(3):
        q = surfaces.corners[surfaces.triangles[t, k]]
        r = surfaces.corners[surfaces.triangles[t, 0 if k == 2 else k + 1]]
        u, v, w = r[0] - q[0], r[1] - q[1], r[2] - q[2]
        d, e, f = x[0] - q[0], x[1] - q[1], x[2] - q[2]
        inwards = n[0] * (v * f - w * e) + n[1] * (w * d - u * f) + n[2] * (u * e - v * d)
        if inwards < 0.0:
            return
    side = 1.0 if height >= 0.0 else -1.0
    _note(surfaces, patch, j, c, corner, _FACE, t, abs(height), side, collecting, limit)


@rare_kernel
def _visit_edge(
    surfaces: Surfaces, patch: Patch, j: int, c: int, corner: Floats, e: int, collecting: bool, limit: float
) -> None:
    """Look at an edge whose inner part is nearer to a corner than both triangles beside it."""
    x, edge = patch.nearest[_X:], surfaces.edges[e]
    along, length = 0.0, 0.0
    for k in range(3):
        along += edge[3 + k] * (x[k] - edge[k])
        length += edge[3 + k] ** 2
    part = along / length
    if part < 0.0 or part > 1.0:
        return
    square, first, second, out = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        away = x[k] - edge[k] - part * edge[3 + k]
        square += away * away
        first += away * edge[6 + k]
        second += away * edge[9 + k]
        out += away * edge[12 + k]
    if first <= 0.0 and second <= 0.0:
        side = 1.0 if out >= 0.0 else -1.0
        _note(surfaces, patch, j, c, corner, _EDGE, e, math.sqrt(square), side, collecting, limit)


@rare_kernel
def _visit_corner(
    surfaces: Surfaces, patch: Patch, j: int, c: int, corner: Floats, v: int, collecting: bool, limit: float
) -> None:
    """Look at a corner of the surface that is nearer than all edges that end in it."""
    x, at, normal = patch.nearest[_X:], surfaces.corners[v], surfaces.corner_normals[v]
    u, w, z = x[0] - at[0], x[1] - at[1], x[2] - at[2]
    for s in range(surfaces.first_spoke[v], surfaces.first_spoke[v + 1]):
        spoke = surfaces.spokes[s]
        if u * spoke[0] + w * spoke[1] + z * spoke[2] > 0.0:
            return
    side = 1.0 if u * normal[0] + w * normal[1] + z * normal[2] >= 0.0 else -1.0
    size = math.sqrt(u * u + w * w + z * z)
    _note(surfaces, patch, j, c, corner, _CORNER, v, size, side, collecting, limit)


@rare_kernel
def _enter(
    surfaces: Surfaces, patch: Patch, j: int, c: int, corner: Floats, what: int, number: int, side: float
) -> None:
    """Write a point of contact, unless there is no room."""
    p = patch.number[0]
    if p >= patch.weights.size:
        return
    feature, x, found = patch.features[p], patch.nearest[_X:], patch.distances[p]
    for k in range(3):
        feature[POINT_A + k] = corner[k]
        if what == _FACE:
            feature[POINT_B + k] = surfaces.corners[surfaces.triangles[number, 0], k]
            feature[LINE_B + k] = surfaces.normals[number, k]
        elif what == _EDGE:
            feature[POINT_B + k], feature[LINE_B + k] = surfaces.edges[number, k], surfaces.edges[number, 3 + k]
        else:
            feature[POINT_B + k], feature[LINE_B + k] = surfaces.corners[number, k], 0.0
        found[1 + k] = x[k] - feature[POINT_B + k]
    _set_direction(feature, found, what)
    feature[SIGN] = side
    patch.modes[p] = _PLANE_B if what == _FACE else (_CORNER_EDGE if what == _EDGE else _CORNERS)
    patch.ids[p] = c % _CORNER_KEYS + _CORNER_KEYS * (3 * number + what)
    patch.weights[p] = 1.0
    patch.number[0] = p + 1


@rare_kernel
def _set_direction(feature: Floats, found: Floats, what: int) -> None:
    """Write distance and direction of a point, whose vector from the feature is given."""
    along, length, size = 0.0, 0.0, 0.0
    for k in range(3):
        along += found[1 + k] * feature[LINE_B + k]
        length += feature[LINE_B + k] ** 2
    for k in range(3):
        if what == _FACE:
            found[1 + k] = along * feature[LINE_B + k]
        elif what == _EDGE:
            found[1 + k] -= along / length * feature[LINE_B + k]
        size += found[1 + k] ** 2
    found[0] = math.sqrt(size)
    for k in range(3):
        found[1 + k] = found[1 + k] / max(found[0], 1e-300)


@rare_kernel
def _share(patch: Patch, first: int) -> None:
    """Write the weights of the points of a ball.

    A side at a distance d vanishes where another one, at d' and under an angle φ, has d' = d cos φ: there the foot of
    the centre leaves the side. It acts in full where both are equally near. Loads of sides are divided by the sum of
    squared cosines, so that those in one plane act as one.
    """
    count, seen = patch.number[0], patch.distances
    for p in range(first, count):
        part = 1.0
        for q in range(first, count):
            cosine = _cosine(seen[p], seen[q])
            if q != p and seen[q, 0] < seen[p, 0] and cosine < 1.0 - 1e-12:
                part = min(part, (seen[q, 0] - seen[p, 0] * cosine) / (seen[p, 0] * (1.0 - cosine)))
        patch.weights[p] = max(part, 0.0)
    for p in range(first, count):
        total = 0.0
        for q in range(first, count):
            cosine = max(_cosine(seen[p], seen[q]), 0.0)
            total += patch.weights[q] * cosine * cosine
        patch.features[p, SIGN] = patch.weights[p] / max(total, 1e-300)
    for p in range(first, count):
        patch.weights[p], patch.features[p, SIGN] = patch.features[p, SIGN], 1.0


@kernel
def _cosine(a: Floats, b: Floats) -> float:
    """Return the cosine of the angle of two directions."""
    return float(a[1] * b[1] + a[2] * b[2] + a[3] * b[3])
