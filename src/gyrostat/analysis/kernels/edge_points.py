"""The point of contact of the nearest points of two edges: of both, of an edge and an end, or of two ends."""

from __future__ import annotations

from gyrostat.analysis.kernels.separation import nearest_parts
from gyrostat.analysis.kernels.solid_tables import (
    FIRST_FEATURE,
    LINE_A,
    LINE_B,
    POINT_A,
    POINT_B,
    SECOND_FEATURE,
    SIGN,
    Patch,
    Solids,
)
from gyrostat.program.translation import rare_kernel

_EDGES, _CORNER_EDGE, _EDGE_CORNER, _CORNERS = 7, 8, 9, 10
"""Modes of features (`model.contacts.features.Mode`)."""
_CORNER_KEYS = 256
"""Numbers of corners that keys tell apart."""


@rare_kernel
def write_edges(solids: Solids, patch: Patch, i: int, j: int, d: int, e: int) -> None:
    """Write two edges as the features of the only point."""
    feature, first, second = patch.features[0], solids.first_corner[i], solids.first_corner[j]
    for k in range(3):
        feature[POINT_A + k] = solids.corners[first + solids.edges[d, 0], k]
        feature[LINE_A + k] = solids.corners[first + solids.edges[d, 1], k] - feature[POINT_A + k]
        feature[POINT_B + k] = solids.corners[second + solids.edges[e, 0], k]
        feature[LINE_B + k] = solids.corners[second + solids.edges[e, 1], k] - feature[POINT_B + k]
    feature[SIGN] = 1.0
    patch.ids[0] = (
        _CORNER_KEYS
        + _CORNER_KEYS * _CORNER_KEYS
        + _CORNER_KEYS
        + _CORNER_KEYS * (d - solids.first_edge[i])
        + e
        - solids.first_edge[j]
    )
    patch.weights[0] = 1.0
    patch.number[0] = 1


@rare_kernel
def meet_edges(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Write the nearest points of two edges: of both, of an edge and an end of the other, or of two ends."""
    d, e = patch.choice[FIRST_FEATURE], patch.choice[SECOND_FEATURE]
    nearest_parts(solids, patch, i, j, d, e)
    on_a, on_b = patch.found[0], patch.found[1]
    x, y, z = patch.found[2], patch.found[3], patch.found[4]
    write_edges(solids, patch, i, j, d, e)
    feature = patch.features[0]
    end_a = on_a <= 0.0 or on_a >= 1.0
    end_b = on_b <= 0.0 or on_b >= 1.0
    for k in range(3):
        if on_a >= 1.0:
            feature[POINT_A + k] += feature[LINE_A + k]
        if on_b >= 1.0:
            feature[POINT_B + k] += feature[LINE_B + k]
    patch.modes[0] = _EDGES
    if end_a and end_b:
        patch.modes[0] = _CORNERS
    elif end_a:
        patch.modes[0] = _CORNER_EDGE
    elif end_b:
        patch.modes[0] = _EDGE_CORNER
    else:
        _orient(solids, patch, i, j, d, e, x, y, z)


@rare_kernel
def _orient(solids: Solids, patch: Patch, i: int, j: int, d: int, e: int, x: float, y: float, z: float) -> None:
    """Write the sign with which the product of two edges has a direction."""
    first = solids.first_corner[i]
    p, q = solids.corners[first + solids.edges[d, 0]], solids.corners[first + solids.edges[d, 1]]
    r, s = patch.seen[solids.edges[e, 0]], patch.seen[solids.edges[e, 1]]
    a, b, c = q[0] - p[0], q[1] - p[1], q[2] - p[2]
    u, v, w = s[0] - r[0], s[1] - r[1], s[2] - r[2]
    along = x * (b * w - c * v) + y * (c * u - a * w) + z * (a * v - b * u)
    patch.features[0, SIGN] = 1.0 if along >= 0.0 else -1.0
