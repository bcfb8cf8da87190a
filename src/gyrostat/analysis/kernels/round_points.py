"""Points of contact of two convex solids of which one is a cylinder or a cone.

On a face, the end of a cylinder is supported at four points of its rim, of which one is the lowest, and its mantle at
both ends of its lowest line. Elsewhere a point, or the place where two lines cross, touches; parallel lines touch at
the ends of their common part.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.face_patch import clip_faces
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.round_support import component, find_support_line, turned
from gyrostat.analysis.kernels.separation import see_corners
from gyrostat.analysis.kernels.solid_tables import (
    CURVED,
    DRUM,
    FACE_A,
    KIND,
    LINE_A,
    LINE_B,
    NO_CURVE,
    ON_A,
    ON_B,
    ORIGIN,
    POINT_A,
    POINT_B,
    RIM_CORNERS,
    ROUND_A,
    ROUND_B,
    SECOND_FEATURE,
    SIGN,
    Patch,
    Solids,
)
from gyrostat.program.translation import rare_kernel

_PLANE_B, _PLANE_A, _EDGES = 1, 2, 7
"""Modes of features (`model.contacts.features.Mode`)."""
_ID = 1 << 20
"""The first number of points that belong to no corner."""
_END_COSINE = 0.7
"""Component of a direction along the axis beyond which the end of a cylinder or the base of a cone touches."""
_PARALLEL_TOLERANCE = 1e-8
"""Squared sine of the angle of lines that touch at two points."""


@rare_kernel
def find_round_points(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int) -> None:
    """Write the points of contact of two solids whose separation is known, with features, keys and weights."""
    patch.number[0] = 0
    if patch.choice[KIND] != CURVED:
        x, y, z = patch.axis[0], patch.axis[1], patch.axis[2]
        u, v, w = component(patch, 0, x, y, z), component(patch, 1, x, y, z), component(patch, 2, x, y, z)
        on_a = 1 if patch.choice[KIND] == FACE_A else 0
        patch.choice[SECOND_FEATURE] = -1
        for side in range(2):
            shape = i if side == 0 else j
            if solids.curved[shape] > NO_CURVE:
                found = _dress(solids, shape, x if side == 0 else -u, y if side == 0 else -v, z if side == 0 else -w)
                if side == on_a:
                    patch.choice[SECOND_FEATURE] = found
        see_corners(solids, patch, a, b, j)
        clip_faces(solids, patch, a, b, i, j, on_a)
        if patch.number[0] == 0 and patch.edge_axis[3] > patch.axis[3]:
            for k in range(4):
                patch.axis[k] = patch.edge_axis[k]
            patch.choice[KIND] = CURVED
    if patch.choice[KIND] == CURVED:
        _touch_at(solids, patch, i, j)
    for p in range(patch.number[0]):
        patch.features[p, ROUND_A], patch.features[p, ROUND_B] = solids.rounding[i], solids.rounding[j]


@rare_kernel
def _dress(solids: Solids, i: int, x: float, y: float, z: float) -> int:
    """Write corners on the rims of a shape, of which one is the lowest along a vector in its axes.

    Return the face that touches: the square of an end or of the base, or the lowest line of the mantle.
    """
    first, radius, length = solids.first_corner[i], solids.sizes[i, 0], solids.sizes[i, 1]
    across = math.sqrt(x * x + y * y)
    c, s = (-x / across, -y / across) if across > 1e-12 else (1.0, 0.0)
    rims = 2 if solids.curved[i] == DRUM else 1
    for rim in range(rims):
        height = -0.25 * length if rims == 1 else (length if rim == 0 else -length)
        for k in range(RIM_CORNERS):
            angle, corner = 2.0 * math.pi * float(k) / float(RIM_CORNERS), solids.corners[first + RIM_CORNERS * rim + k]
            d, e = radius * math.cos(angle), radius * math.sin(angle)
            corner[0], corner[1], corner[2] = c * d - s * e, s * d + c * e, height
    face = solids.first_face[i]
    if rims == 2:
        if z < -_END_COSINE:
            return int(face + 2)
        return int(face + 3 if z > _END_COSINE else face + 4)
    return int(face + 1 if z > _END_COSINE else face + 2)


@rare_kernel
def _touch_at(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Write the points at which the lowest lines or points of both shapes along the axis meet."""
    x, y, z = patch.axis[0], patch.axis[1], patch.axis[2]
    u, v, w = component(patch, 0, x, y, z), component(patch, 1, x, y, z), component(patch, 2, x, y, z)
    on_a = find_support_line(solids, i, x, y, z, patch.ends[ON_A:])
    on_b = find_support_line(solids, j, -u, -v, -w, patch.ends[ON_B:])
    feature, ends, line = patch.features[0], patch.ends, patch.basis
    for k in range(3):
        feature[POINT_A + k], feature[POINT_B + k] = ends[ON_A + k], ends[ON_B + k]
        normal = u if k == 0 else (v if k == 1 else w)
        feature[LINE_B + k] = normal
        feature[LINE_A + k] = -(x if k == 0 else (y if k == 1 else z))
        line[k], line[6 + k] = ends[ON_A + 3 + k] - ends[ON_A + k], ends[ON_B + 3 + k] - ends[ON_B + k]
    patch.number[0], patch.weights[0], patch.ids[0], feature[SIGN] = 1, 1.0, _ID, 1.0
    patch.modes[0] = _PLANE_B if on_a == 1 else _PLANE_A
    if on_a == 1 or on_b == 1:
        return
    for k in range(3):
        line[3 + k] = turned(patch, k, line[6], line[7], line[8])
    c_x, c_y = line[1] * line[5] - line[2] * line[4], line[2] * line[3] - line[0] * line[5]
    c_z = line[0] * line[4] - line[1] * line[3]
    uu, vv = line[0] ** 2 + line[1] ** 2 + line[2] ** 2, line[3] ** 2 + line[4] ** 2 + line[5] ** 2
    if c_x * c_x + c_y * c_y + c_z * c_z > _PARALLEL_TOLERANCE * uu * vv:
        for k in range(3):
            feature[LINE_A + k], feature[LINE_B + k] = line[k], line[6 + k]
        feature[SIGN] = 1.0 if c_x * x + c_y * y + c_z * z >= 0.0 else -1.0
        patch.modes[0] = _EDGES
    else:
        _lay_lines(patch, uu)


@rare_kernel
def _lay_lines(patch: Patch, square: float) -> None:
    """Write the ends of the common part of two parallel lines, as points of b on the plane of a."""
    line, ends, low, high = patch.basis, patch.ends, 0.0, 0.0
    for k in range(3):
        place = turned(patch, k, ends[ON_B], ends[ON_B + 1], ends[ON_B + 2]) + patch.relative[ORIGIN + k]
        low += (place - ends[ON_A + k]) * line[k] / square
        high += line[3 + k] * line[k] / square
    high += low
    span = high - low
    for p in range(2):
        reached = min(max(low if p == 0 else high, 0.0), 1.0)
        share = min(max((reached - low) / span, 0.0), 1.0)
        for k in range(3):
            patch.features[p, POINT_A + k], patch.features[p, LINE_A + k] = (
                patch.features[0, POINT_A + k],
                patch.features[0, LINE_A + k],
            )
            patch.features[p, POINT_B + k] = ends[ON_B + k] + share * line[6 + k]
        patch.features[p, SIGN], patch.weights[p], patch.ids[p], patch.modes[p] = 1.0, 1.0, _ID + 1 + p, _PLANE_A
    patch.number[0] = 2
