"""Support of convex shapes: the point that is lowest along a vector, in closed form for cylinders and cones."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.separation import see
from gyrostat.analysis.kernels.solid_tables import DRUM, NO_CURVE, ON_A, ON_B, ORIGIN, Patch, Solids
from gyrostat.program.translation import kernel, rare_kernel

_SLOPE_TOLERANCE = 1e-7
"""Slope of a line below which it counts as level."""


@rare_kernel
def relate(patch: Patch, a: Floats, b: Floats) -> None:
    """Write the axes of frame b in those of frame a, one after the other, and the origin of b."""
    for axis in range(3):
        for k in range(3):
            patch.found[k] = 1.0 if k == axis else 0.0
        see(a, b, patch.found, patch.relative[3 * axis :], 0.0)
    for k in range(3):
        patch.found[k] = 0.0
    see(a, b, patch.found, patch.relative[ORIGIN:], 1.0)


@kernel
def component(patch: Patch, axis: int, x: float, y: float, z: float) -> float:
    """Return the component along an axis of b of a vector in the axes of a."""
    return float(x * patch.relative[3 * axis] + y * patch.relative[3 * axis + 1] + z * patch.relative[3 * axis + 2])


@kernel
def turned(patch: Patch, k: int, x: float, y: float, z: float) -> float:
    """Return component k in the axes of a of a vector in those of b."""
    return float(x * patch.relative[k] + y * patch.relative[3 + k] + z * patch.relative[6 + k])


@rare_kernel
def find_support(solids: Solids, i: int, x: float, y: float, z: float, point: Floats) -> float:
    """Write the point of a shape that is lowest along a vector, all in its own axes; return the product of both."""
    what, first = solids.curved[i], solids.first_corner[i]
    if what == NO_CURVE:
        least, found = 1e300, first
        for c in range(first, solids.first_corner[i + 1]):
            corner = solids.corners[c]
            along = x * corner[0] + y * corner[1] + z * corner[2]
            if along < least:
                least, found = along, c
        for k in range(3):
            point[k] = solids.corners[found, k]
        return float(least)
    radius, length, across = solids.sizes[i, 0], solids.sizes[i, 1], math.sqrt(x * x + y * y)
    share = -radius / across if across > 1e-14 else 0.0
    point[0], point[1] = share * x, share * y
    if what == DRUM:
        point[2] = -length if z > 0.0 else length
        return float(-radius * across + point[2] * z)
    point[2] = -0.25 * length
    if 0.75 * length * z < -radius * across - 0.25 * length * z:
        point[0], point[1], point[2] = 0.0, 0.0, 0.75 * length
        return float(0.75 * length * z)
    return float(-radius * across - 0.25 * length * z)


@rare_kernel
def apart_along(solids: Solids, patch: Patch, i: int, j: int, x: float, y: float, z: float) -> float:
    """Return the separation along a unit vector from b to a; write the vector between the supports into `found`."""
    u, v, w = component(patch, 0, x, y, z), component(patch, 1, x, y, z), component(patch, 2, x, y, z)
    low = find_support(solids, i, x, y, z, patch.ends[ON_A:])
    high = find_support(solids, j, -u, -v, -w, patch.ends[ON_B:])
    q = patch.ends[ON_B:]
    for k in range(3):
        patch.found[k] = patch.ends[ON_A + k] - turned(patch, k, q[0], q[1], q[2]) - patch.relative[ORIGIN + k]
    origin = patch.relative[ORIGIN:]
    return float(low + high - x * origin[0] - y * origin[1] - z * origin[2])


@rare_kernel
def find_support_line(solids: Solids, i: int, x: float, y: float, z: float, ends: Floats) -> int:
    """Write the one or two ends of the part of a shape that is lowest along a unit vector; return their number."""
    least, what, length = find_support(solids, i, x, y, z, ends), solids.curved[i], solids.sizes[i, 1]
    second = ends[3:]
    if what == NO_CURVE:
        best = 1e300
        for c in range(solids.first_corner[i], solids.first_corner[i + 1]):
            corner = solids.corners[c]
            away = math.sqrt((corner[0] - ends[0]) ** 2 + (corner[1] - ends[1]) ** 2 + (corner[2] - ends[2]) ** 2)
            above = x * corner[0] + y * corner[1] + z * corner[2] - least
            if away > 0.0 and above < _SLOPE_TOLERANCE * away and above < best:
                best = above
                for k in range(3):
                    second[k] = corner[k]
        return 2 if best < 1e300 else 1
    if what == DRUM:
        second[0], second[1], second[2] = ends[0], ends[1], -ends[2]
        return 2 if abs(z) < _SLOPE_TOLERANCE else 1
    radius, across = solids.sizes[i, 0], math.sqrt(x * x + y * y)
    rim, apex = -radius * across - 0.25 * length * z, 0.75 * length * z
    if abs(rim - apex) > _SLOPE_TOLERANCE * (radius + length) or across <= 1e-14:
        return 1
    ends[0], ends[1], ends[2] = -radius * x / across, -radius * y / across, -0.25 * length
    second[0], second[1], second[2] = 0.0, 0.0, 0.75 * length
    return 2
