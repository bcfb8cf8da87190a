"""Separation of two convex solids: the largest over the normals of faces, products of edges, and nearest edges.

For a unit vector n from b to a, the separation is the smallest n·x of a less the largest of b. Its maximum over all n
is the distance, or minus the depth of an overlap. For solids with corners it is taken at a normal of a face or at a
product of two edges (Gottschalk, Lin and Manocha 1996); with a rounding also between nearest points of two edges.
Whatever n, the separation is not larger than the distance.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.solid_tables import (
    EDGES,
    FACE_A,
    FACE_B,
    FIRST_FEATURE,
    KIND,
    NEAREST,
    SECOND_FEATURE,
    Patch,
    Solids,
)
from gyrostat.program.translation import kernel, rare_kernel

_TIE = 1e-9
"""Separations that differ by less than this part of the depth are alike; the first one is taken."""
_PARALLEL_TOLERANCE = 1e-10
"""Squared sine of the angle of edges that have no product."""
_FACE_COSINE = 0.985
"""Cosine of the angle of normals within which faces touch rather than edges: several points carry a flat face."""
_NO_SEPARATION = -1e300


@rare_kernel
def see_corners(solids: Solids, patch: Patch, a: Floats, b: Floats, j: int) -> None:
    """Write the corners of shape j in frame b in the axes of frame a."""
    first = solids.first_corner[j]
    for c in range(solids.first_corner[j + 1] - first):
        see(a, b, solids.corners[first + c], patch.seen[c], 1.0)


@kernel
def see(a: Floats, b: Floats, vector: Floats, seen: Floats, as_point: float) -> None:
    """Write a point (1) or a direction (0) of frame b in the axes of frame a."""
    x = vector[0] * b[3] + vector[1] * b[4] + vector[2] * b[5] + as_point * (b[0] - a[0])
    y = vector[0] * b[6] + vector[1] * b[7] + vector[2] * b[8] + as_point * (b[1] - a[1])
    z = vector[0] * b[9] + vector[1] * b[10] + vector[2] * b[11] + as_point * (b[2] - a[2])
    for k in range(3):
        seen[k] = x * a[3 + k] + y * a[6 + k] + z * a[9 + k]


@rare_kernel
def lowest(solids: Solids, i: int, x: float, y: float, z: float) -> float:
    """Return the smallest product of a vector with a corner of shape i, in its own axes."""
    found = 1e300
    for c in range(solids.first_corner[i], solids.first_corner[i + 1]):
        corner = solids.corners[c]
        found = min(found, x * corner[0] + y * corner[1] + z * corner[2])
    return found


@rare_kernel
def lowest_seen(solids: Solids, patch: Patch, j: int, x: float, y: float, z: float) -> float:
    """Return the smallest product of a vector with a corner of shape j, in the axes of a."""
    found = 1e300
    for c in range(solids.first_corner[j + 1] - solids.first_corner[j]):
        corner = patch.seen[c]
        found = min(found, x * corner[0] + y * corner[1] + z * corner[2])
    return found


@rare_kernel
def _along(solids: Solids, patch: Patch, i: int, j: int, x: float, y: float, z: float) -> float:
    """Return the separation along a unit vector from b to a."""
    return lowest(solids, i, x, y, z) + lowest_seen(solids, patch, j, -x, -y, -z)


@rare_kernel
def _choose(patch: Patch, kind: int, first: int, second: int, x: float, y: float, z: float, apart: float) -> None:
    """Note an axis with its features."""
    patch.choice[KIND], patch.choice[FIRST_FEATURE], patch.choice[SECOND_FEATURE] = kind, first, second
    patch.axis[0], patch.axis[1], patch.axis[2], patch.axis[3] = x, y, z, apart


@rare_kernel
def separate(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int) -> float:
    """Find the axis along which shape i in frame a is farthest from shape j in frame b; return the separation.

    Axis and features are in `patch`. The separation is that of shapes without rounding, and the largest of all axes;
    the axis noted is that of a face where an edge is hardly better.
    """
    see_corners(solids, patch, a, b, j)
    patch.axis[3] = _NO_SEPARATION
    for f in range(solids.first_face[i], solids.first_face[i + 1]):
        face = solids.faces[f]
        apart = lowest_seen(solids, patch, j, face[0], face[1], face[2]) - face[3]
        if apart > patch.axis[3]:
            _choose(patch, FACE_A, f, 0, -face[0], -face[1], -face[2], apart)
    for f in range(solids.first_face[j], solids.first_face[j + 1]):
        face, seen = solids.faces[f], patch.found
        see(a, b, face, seen, 0.0)
        x, y, z = seen[0], seen[1], seen[2]
        apart = lowest(solids, i, x, y, z) + lowest_seen(solids, patch, j, -x, -y, -z)
        if apart > patch.axis[3] + _TIE * abs(patch.axis[3]):
            _choose(patch, FACE_B, f, 0, x, y, z, apart)
    best = max(patch.axis[3], _compare_edges(solids, patch, a, b, i, j))
    if solids.rounding[i] + solids.rounding[j] > 0.0 and best > -1e-12:
        best = max(best, _compare_nearest(solids, patch, i, j))
    return float(best)


@rare_kernel
def _compare_edges(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int) -> float:
    """Note the product of two edges that separates best, unless a face is better or along it; return the largest."""
    best, face = _NO_SEPARATION, patch.axis[3]
    patch.edge_axis[3] = _NO_SEPARATION
    n_x, n_y, n_z = patch.axis[0], patch.axis[1], patch.axis[2]
    for d in range(solids.first_direction[i], solids.first_direction[i + 1]):
        u = solids.directions[d]
        for e in range(solids.first_direction[j], solids.first_direction[j + 1]):
            v = patch.found
            see(a, b, solids.directions[e], v, 0.0)
            x, y, z = u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]
            square = x * x + y * y + z * z
            if square < _PARALLEL_TOLERANCE:
                continue
            size = 1.0 / math.sqrt(square)
            x, y, z = size * x, size * y, size * z
            apart, back = _along(solids, patch, i, j, x, y, z), _along(solids, patch, i, j, -x, -y, -z)
            if back > apart:
                x, y, z, apart = -x, -y, -z, back
            if apart > best:
                best = apart
                patch.edge_choice[0], patch.edge_choice[1] = d, e
                patch.edge_axis[0], patch.edge_axis[1], patch.edge_axis[2], patch.edge_axis[3] = x, y, z, apart
    x, y, z = patch.edge_axis[0], patch.edge_axis[1], patch.edge_axis[2]
    flat = face > _NO_SEPARATION and x * n_x + y * n_y + z * n_z > _FACE_COSINE
    if best > face + _TIE * abs(face) and not flat:
        _choose(patch, EDGES, patch.edge_choice[0], patch.edge_choice[1], x, y, z, best)
    return best


@rare_kernel
def _compare_nearest(solids: Solids, patch: Patch, i: int, j: int) -> float:
    """Note the nearest points of two edges if they separate better; return the best separation along such axes."""
    best = _NO_SEPARATION
    for d in range(solids.first_edge[i], solids.first_edge[i + 1]):
        for e in range(solids.first_edge[j], solids.first_edge[j + 1]):
            nearest_parts(solids, patch, i, j, d, e)
            found = patch.found
            x, y, z = found[2], found[3], found[4]
            length = math.sqrt(x * x + y * y + z * z)
            if not length > 0.0:
                continue
            x, y, z = x / length, y / length, z / length
            apart = _along(solids, patch, i, j, x, y, z)
            best = max(best, apart)
            if apart > patch.axis[3] + _TIE * abs(patch.axis[3]):
                _choose(patch, NEAREST, d, e, x, y, z, apart)
    return best


@rare_kernel
def nearest_parts(solids: Solids, patch: Patch, i: int, j: int, d: int, e: int) -> None:
    """Write where on two edges their nearest points are, as parts of them, and the vector between, into `found`.

    Ericson 2005, section 5.1.9.
    """
    found, first, other = patch.found, solids.first_corner[i], solids.edges[e]
    p, q = solids.corners[first + solids.edges[d, 0]], solids.corners[first + solids.edges[d, 1]]
    r, s = patch.seen[other[0]], patch.seen[other[1]]
    uu, vv, uv, uw, vw = 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        u, v, w = q[k] - p[k], s[k] - r[k], p[k] - r[k]
        uu += u * u
        vv += v * v
        uv += u * v
        uw += u * w
        vw += v * w
    on_a, on_b, spread = 0.0, 0.0, uu * vv - uv * uv
    if uu > 0.0 and spread > _PARALLEL_TOLERANCE * uu * vv:
        on_a = min(max((uv * vw - uw * vv) / spread, 0.0), 1.0)
    if vv > 0.0:
        on_b = min(max((uv * on_a + vw) / vv, 0.0), 1.0)
    if uu > 0.0:
        on_a = min(max((uv * on_b - uw) / uu, 0.0), 1.0)
    found[0], found[1] = on_a, on_b
    for k in range(3):
        found[2 + k] = p[k] + on_a * (q[k] - p[k]) - r[k] - on_b * (s[k] - r[k])
