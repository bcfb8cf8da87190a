"""Separation of two convex solids of which one is a cylinder or a cone.

The separation along a unit vector n is that of `separation`, with supports in closed form. Its maximum is taken at the
normal of a face, where two edges cross, or on a circle of vectors: those across an edge, and the normals of a mantle.
On a circle the derivative of the separation changes its sign at the maximum. Of two rims it is taken across both
tangents. Every candidate is a lower bound of the distance.
"""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.round_support import apart_along, component, relate, turned
from gyrostat.analysis.kernels.solid_tables import (
    CURVED,
    DRUM,
    FACE_A,
    FACE_B,
    FIRST_FEATURE,
    KIND,
    NO_CURVE,
    ON_A,
    ON_B,
    ORIGIN,
    PEAK,
    Patch,
    Solids,
)
from gyrostat.program.translation import kernel, rare_kernel

_TIE = 1e-9
"""Separations that differ by less than this part of the depth are alike; the first one is taken."""
_FACE_COSINE = 0.985
"""Cosine of the angle of normals within which faces touch rather than edges: several points carry a flat face."""
_SEPARATION_LIMIT = 0.2
"""Separation, in terms of the smaller size, beyond which no better axis is searched for."""
_DEPTH_LIMIT = 0.1
"""Depth, in terms of the smaller size, up to which a face under the lowest point of the other shape separates best."""
_ROUNDS = 4
_NO_SEPARATION = -1e300


@rare_kernel
def separate_round(solids: Solids, patch: Patch, a: Floats, b: Floats, i: int, j: int, size: float) -> float:
    """Find the axis along which shape i in frame a is farthest from shape j in frame b; return the separation.

    Axis and kind of the feature are in `patch`; `size` is the smaller bounding radius.
    """
    relate(patch, a, b)
    patch.axis[3], patch.edge_axis[3] = _NO_SEPARATION, _NO_SEPARATION
    _consider_faces(solids, patch, i, j)
    if patch.axis[3] == _NO_SEPARATION:
        _start(solids, patch, i, j)
    elif patch.axis[3] > -_DEPTH_LIMIT * size and _is_over_face(solids, patch, i, j):
        return float(patch.axis[3])
    rounding = solids.rounding[i] + solids.rounding[j]
    if max(patch.axis[3], patch.edge_axis[3]) < _SEPARATION_LIMIT * size + rounding:
        _consider_products(solids, patch, i, j)
        for again in range(_ROUNDS):
            before = max(patch.axis[3], patch.edge_axis[3])
            _climb_mantles(solids, patch, i, j, again == 0)
            _climb_edges(solids, patch, i, j, again == 0)
            if solids.curved[i] > NO_CURVE and solids.curved[j] > NO_CURVE:
                _meet_rims(solids, patch, i, j)
            elif rounding > 0.0:
                _consider_ends(solids, patch, i, j)
            if max(patch.axis[3], patch.edge_axis[3]) <= before + 1e-14 * size:
                break
    best, face, other = max(patch.axis[3], patch.edge_axis[3]), patch.axis, patch.edge_axis
    flat = face[0] * other[0] + face[1] * other[1] + face[2] * other[2] > _FACE_COSINE
    if other[3] > face[3] + _TIE * abs(face[3]) and not (flat and face[3] > _NO_SEPARATION):
        patch.choice[KIND] = CURVED
        for k in range(4):
            face[k] = other[k]
    return float(best)


@rare_kernel
def _is_over_face(solids: Solids, patch: Patch, i: int, j: int) -> bool:
    """Return whether the other shape is lowest over the inner part of the best face: no axis nearby is better."""
    on_a, face = patch.choice[KIND] == FACE_A, patch.choice[FIRST_FEATURE]
    apart_along(solids, patch, i, j, patch.axis[0], patch.axis[1], patch.axis[2])
    shape, p, basis, o = (i if on_a else j), patch.ends[ON_B if on_a else ON_A :], patch.basis, patch.relative[ORIGIN:]
    for k in range(3):
        if on_a:
            basis[k] = turned(patch, k, p[0], p[1], p[2]) + o[k]
        else:
            basis[k] = component(patch, k, p[0] - o[0], p[1] - o[1], p[2] - o[2])
    x, y, z = basis[0], basis[1], basis[2]
    if solids.curved[shape] > NO_CURVE:
        return bool(x * x + y * y < solids.sizes[shape, 0] ** 2)
    n, first, last = solids.faces[face], solids.first_around[face], solids.first_around[face + 1]
    corners = solids.corners[solids.first_corner[shape] :]
    for k in range(first, last):
        q, r = corners[solids.around[k]], corners[solids.around[k + 1 if k + 1 < last else first]]
        u, v, w = r[0] - q[0], r[1] - q[1], r[2] - q[2]
        d, e, f = x - q[0], y - q[1], z - q[2]
        if n[0] * (v * f - w * e) + n[1] * (w * d - u * f) + n[2] * (u * e - v * d) <= 0.0:
            return False
    return True


@kernel
def _consider(solids: Solids, patch: Patch, i: int, j: int, x: float, y: float, z: float) -> None:
    """Note an axis that is not the normal of a face, if it separates better than those before."""
    apart = apart_along(solids, patch, i, j, x, y, z)
    if apart > patch.edge_axis[3]:
        patch.edge_axis[0], patch.edge_axis[1], patch.edge_axis[2], patch.edge_axis[3] = x, y, z, apart


@rare_kernel
def _consider_faces(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Note the normal of a face that separates best; squares and lines of round shapes are none."""
    for side in range(2):
        shape, sign = (i, -1.0) if side == 0 else (j, 1.0)
        first, last = solids.first_face[shape], solids.first_face[shape + 1]
        if solids.curved[shape] > NO_CURVE:
            last = first + (2 if solids.curved[shape] == DRUM else 1)
        for f in range(first, last):
            n = solids.faces[f]
            x, y, z = sign * n[0], sign * n[1], sign * n[2]
            if side == 1:
                _turn(patch, n)
                x, y, z = patch.found[0], patch.found[1], patch.found[2]
            apart = apart_along(solids, patch, i, j, x, y, z)
            if apart > patch.axis[3] + (_TIE * abs(patch.axis[3]) if patch.axis[3] > _NO_SEPARATION else 0.0):
                patch.choice[KIND], patch.choice[FIRST_FEATURE] = (FACE_A if side == 0 else FACE_B), f
                patch.axis[0], patch.axis[1], patch.axis[2], patch.axis[3] = x, y, z, apart


@kernel
def _turn(patch: Patch, vector: Floats) -> None:
    """Write a vector in the axes of b in those of a into `found`."""
    for k in range(3):
        patch.found[k] = turned(patch, k, vector[0], vector[1], vector[2])


@rare_kernel
def _start(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Note the axis between the origins of shapes without faces."""
    o = patch.relative[ORIGIN:]
    size = math.sqrt(o[0] ** 2 + o[1] ** 2 + o[2] ** 2)
    if size > 0.0:
        _consider(solids, patch, i, j, -o[0] / size, -o[1] / size, -o[2] / size)
    else:
        _consider(solids, patch, i, j, 0.0, 0.0, 1.0)


@rare_kernel
def _consider_products(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Consider the products of directions of edges and of the axes of cylinders."""
    for d in range(solids.first_direction[i], solids.first_direction[i + 1]):
        u = solids.directions[d]
        for e in range(solids.first_direction[j], solids.first_direction[j + 1]):
            w = solids.directions[e]
            _turn(patch, w)
            v_x, v_y, v_z = patch.found[0], patch.found[1], patch.found[2]
            x, y, z = u[1] * v_z - u[2] * v_y, u[2] * v_x - u[0] * v_z, u[0] * v_y - u[1] * v_x
            size = math.sqrt(x * x + y * y + z * z)
            if size > 1e-5:
                _consider(solids, patch, i, j, x / size, y / size, z / size)
                _consider(solids, patch, i, j, -x / size, -y / size, -z / size)


@rare_kernel
def _climb_mantles(solids: Solids, patch: Patch, i: int, j: int, at_first: bool) -> None:
    """Search the normals of the mantles."""
    for side in range(2):
        shape = i if side == 0 else j
        if solids.curved[shape] == NO_CURVE:
            continue
        x, y, z, part = 0.0, 0.0, 1.0, 0.0
        if side == 1:
            x, y, z = patch.relative[6], patch.relative[7], patch.relative[8]
        if solids.curved[shape] == PEAK:
            part = solids.sizes[shape, 0] / math.sqrt(solids.sizes[shape, 0] ** 2 + solids.sizes[shape, 1] ** 2)
            if side == 0:
                part = -part
        _climb(solids, patch, i, j, x, y, z, part, False)
        if at_first:
            _climb(solids, patch, i, j, x, y, z, part, True)


@rare_kernel
def _climb_edges(solids: Solids, patch: Patch, i: int, j: int, at_first: bool) -> None:
    """Search the vectors across all edges at the corner that is lowest along the best axis so far."""
    for side in range(2):
        shape, on = (i, ON_A) if side == 0 else (j, ON_B)
        if solids.curved[shape] > NO_CURVE:
            continue
        best = patch.axis if patch.axis[3] >= patch.edge_axis[3] else patch.edge_axis
        apart_along(solids, patch, i, j, best[0], best[1], best[2])
        corners, corner = solids.corners[solids.first_corner[shape] :], -1
        for c in range(solids.first_corner[shape + 1] - solids.first_corner[shape]):
            same = True
            for k in range(3):
                same = same and corners[c, k] == patch.ends[on + k]
            corner = c if same else corner
        for e in range(solids.first_edge[shape], solids.first_edge[shape + 1]):
            p, q = solids.edges[e, 0], solids.edges[e, 1]
            if p == q or (p != corner and q != corner):
                continue
            x, y, z = corners[q, 0] - corners[p, 0], corners[q, 1] - corners[p, 1], corners[q, 2] - corners[p, 2]
            size = math.sqrt(x * x + y * y + z * z)
            x, y, z = x / size, y / size, z / size
            if side == 1:
                u, v, w = turned(patch, 0, x, y, z), turned(patch, 1, x, y, z), turned(patch, 2, x, y, z)
                x, y, z = u, v, w
            _climb(solids, patch, i, j, x, y, z, 0.0, False)
            if at_first:
                _climb(solids, patch, i, j, x, y, z, 0.0, True)


@rare_kernel
def _climb(
    solids: Solids, patch: Patch, i: int, j: int, x: float, y: float, z: float, part: float, outwards: bool
) -> None:
    """Search the unit vectors with a given component along an axis for the best one, from the best so far or outwards.

    At the maximum the derivative changes its sign; where it jumps, two edges cross.
    """
    best, basis = patch.axis if patch.axis[3] >= patch.edge_axis[3] else patch.edge_axis, patch.basis
    sign = 1.0
    if outwards:
        best, sign = patch.relative[ORIGIN:], -1.0
    along, size = best[0] * x + best[1] * y + best[2] * z, 0.0
    basis[6], basis[7], basis[8] = x, y, z
    for k in range(3):
        basis[k] = sign * (best[k] - along * basis[6 + k])
        size += basis[k] ** 2
    if not size > 1e-20:
        basis[0], basis[1], basis[2] = (0.0, -z, y) if abs(x) < 0.7 else (-z, 0.0, x)
        size = basis[0] ** 2 + basis[1] ** 2 + basis[2] ** 2
    for k in range(3):
        basis[k] /= math.sqrt(size)
    basis[3], basis[4] = y * basis[2] - z * basis[1], z * basis[0] - x * basis[2]
    basis[5] = x * basis[1] - y * basis[0]
    left = _slope(solids, patch, i, j, 0.0, part)
    low, high, step = 0.0, 0.0, 0.1
    sign = 1.0 if left > 0.0 else -1.0
    right = sign * left
    left = right
    while right > 0.0 and high < 1.6:
        low, left = high, right
        high += step
        step = 2.0 * step
        right = sign * _slope(solids, patch, i, j, sign * high, part)
    for again in range(60):
        if not (right <= 0.0 and high - low > 1e-15):
            break
        share = left / (left - right) if again % 3 < 2 and left > right else 0.5
        middle = low + min(max(share, 1e-3), 1.0 - 1e-3) * (high - low)
        found = sign * _slope(solids, patch, i, j, sign * middle, part)
        if found > 0.0:
            low, left, right = middle, found, 0.5 * right
        else:
            high, right, left = middle, found, 0.5 * left
    for end in range(2):
        _slope(solids, patch, i, j, sign * (low if end == 0 else high), part)
        _consider(solids, patch, i, j, basis[9], basis[10], basis[11])


@rare_kernel
def _slope(solids: Solids, patch: Patch, i: int, j: int, angle: float, part: float) -> float:
    """Write the unit vector at an angle on a circle behind its basis; return the derivative of the separation."""
    basis, across = patch.basis, math.sqrt(1.0 - part * part)
    c, s = across * math.cos(angle), across * math.sin(angle)
    for k in range(3):
        basis[9 + k] = part * basis[6 + k] + c * basis[k] + s * basis[3 + k]
    apart_along(solids, patch, i, j, basis[9], basis[10], basis[11])
    total = 0.0
    for k in range(3):
        total += (c * basis[3 + k] - s * basis[k]) * patch.found[k]
    return total


@rare_kernel
def _meet_rims(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Consider the axes across the tangents of two rims where these are nearest to each other, for all rims of both."""
    best = patch.axis if patch.axis[3] >= patch.edge_axis[3] else patch.edge_axis
    apart_along(solids, patch, i, j, best[0], best[1], best[2])
    basis, p, q = patch.basis, patch.ends[ON_A:], patch.ends[ON_B:]
    c_x, c_y, v_x, v_y = p[0], p[1], q[0], q[1]
    for one in range(2 if solids.curved[i] == DRUM else 1):
        for two in range(2 if solids.curved[j] == DRUM else 1):
            for again in range(2):
                basis[0], basis[1], basis[2], basis[3] = c_x, c_y, v_x, v_y
                basis[4], basis[5] = _rim_height(solids, i, one), _rim_height(solids, j, two)
                for _ in range(1 + 3 * again):
                    _project(solids, patch, i, j, again == 0)
                _newton(solids, patch, i, j)


@kernel
def _rim_height(solids: Solids, i: int, rim: int) -> float:
    """Return where on the axis a rim is."""
    if solids.curved[i] == PEAK:
        return float(-0.25 * solids.sizes[i, 1])
    return float(solids.sizes[i, 1] if rim == 0 else -solids.sizes[i, 1])


@rare_kernel
def _project(solids: Solids, patch: Patch, i: int, j: int, if_needed: bool) -> None:
    """Write the direction of the point of each rim that is nearest to that of the other one into `basis`."""
    u, o = patch.basis, patch.relative[ORIGIN:]
    for side in range(2):
        at = 2 * side
        if not (if_needed and u[at] ** 2 + u[at + 1] ** 2 > 0.0):
            r, s = solids.sizes[i, 0], solids.sizes[j, 0]
            if side == 0:
                x, y = (
                    turned(patch, 0, s * u[2], s * u[3], u[5]) + o[0],
                    turned(patch, 1, s * u[2], s * u[3], u[5]) + o[1],
                )
            else:
                d, e, f = r * u[0] - o[0], r * u[1] - o[1], u[4] - o[2]
                x, y = component(patch, 0, d, e, f), component(patch, 1, d, e, f)
            u[at], u[at + 1] = x, y
        size = math.sqrt(u[at] ** 2 + u[at + 1] ** 2)
        u[at], u[at + 1] = (u[at] / size, u[at + 1] / size) if size > 1e-14 else (1.0, 0.0)


@rare_kernel
def _newton(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Consider the axis across both tangents where the distance of two rims is stationary, by Newton's method.

    With r = c + R u the point of a rim, t its tangent and d the vector between both points, d·t vanishes for both.
    """
    basis = patch.basis
    u_x, u_y, v_x, v_y, p_z, q_z = basis[0], basis[1], basis[2], basis[3], basis[4], basis[5]
    r, s = solids.sizes[i, 0], solids.sizes[j, 0]
    for _ in range(12):
        d_u, d_t, d_v, d_s, across = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            u, t = (u_x if k == 0 else (u_y if k == 1 else 0.0)), (-u_y if k == 0 else (u_x if k == 1 else 0.0))
            v, w = turned(patch, k, v_x, v_y, 0.0), turned(patch, k, -v_y, v_x, 0.0)
            d = r * u - s * v + (p_z if k == 2 else 0.0) - q_z * patch.relative[6 + k] - patch.relative[ORIGIN + k]
            d_u += d * u
            d_t += d * t
            d_v += d * v
            d_s += d * w
            across += t * w
            basis[k], basis[3 + k] = t, w
        e, f, g = r * (r - d_u), s * (s + d_v), -r * s * across
        whole = e * f - g * g
        if not (whole > 1e-12 * r * r * s * s):
            return
        step, other = -(r * d_t * f + s * d_s * g) / whole, (e * s * d_s + g * r * d_t) / whole
        one, two = min(max(step, -0.3), 0.3), min(max(other, -0.3), 0.3)
        u_x, u_y = u_x - one * u_y, u_y + one * u_x
        v_x, v_y = v_x - two * v_y, v_y + two * v_x
        one, two = math.sqrt(u_x * u_x + u_y * u_y), math.sqrt(v_x * v_x + v_y * v_y)
        u_x, u_y, v_x, v_y = u_x / one, u_y / one, v_x / two, v_y / two
        if abs(step) + abs(other) < 1e-15:
            break
    x, y = basis[1] * basis[5] - basis[2] * basis[4], basis[2] * basis[3] - basis[0] * basis[5]
    z = basis[0] * basis[4] - basis[1] * basis[3]
    size = math.sqrt(x * x + y * y + z * z)
    if size > 1e-6:
        _consider(solids, patch, i, j, x / size, y / size, z / size)
        _consider(solids, patch, i, j, -x / size, -y / size, -z / size)


@rare_kernel
def _consider_ends(solids: Solids, patch: Patch, i: int, j: int) -> None:
    """Consider the axes from each corner of a rounded shape to the nearest point of each rim, and to the apex."""
    is_first = solids.curved[i] > NO_CURVE
    curved, other, basis = (i if is_first else j), (j if is_first else i), patch.basis
    radius, length = solids.sizes[curved, 0], solids.sizes[curved, 1]
    for c in range(solids.first_corner[other], solids.first_corner[other + 1]):
        corner = solids.corners[c]
        x, y, z = corner[0], corner[1], corner[2]
        if is_first:  # into the axes of the curved shape
            for k in range(3):
                basis[k] = turned(patch, k, corner[0], corner[1], corner[2]) + patch.relative[ORIGIN + k]
        else:
            o = patch.relative[ORIGIN:]
            for k in range(3):
                basis[k] = component(patch, k, x - o[0], y - o[1], z - o[2])
        x, y, z = basis[0], basis[1], basis[2]
        out = math.sqrt(x * x + y * y)
        for end in range(2):
            share, height = (radius / out if out > 1e-14 else 0.0), (length if end == 0 else -length)
            if solids.curved[curved] == PEAK:
                share, height = (0.0, 0.75 * length) if end == 0 else (share, -0.25 * length)
            u, v, w = x - share * x, y - share * y, z - height
            if not is_first:
                d, e, f = turned(patch, 0, u, v, w), turned(patch, 1, u, v, w), turned(patch, 2, u, v, w)
                u, v, w = d, e, f
            size = math.sqrt(u * u + v * v + w * w)
            sign = -1.0 if is_first else 1.0
            if size > 0.0:
                _consider(solids, patch, i, j, sign * u / size, sign * v / size, sign * w / size)
