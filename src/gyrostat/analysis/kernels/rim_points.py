"""Points of rigid contact of a cylinder or cone and a plane: four on each rim, of which one is the lowest, and apex."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.separation import see
from gyrostat.analysis.kernels.solid_tables import DRUM, LINE_B, POINT_A, POINT_B, ROUND_A, ROUND_B, SIGN, Patch, Solids
from gyrostat.program.translation import kernel, rare_kernel

_PLANE_B = 1
"""The mode of a corner and a plane (`model.contacts.features.Mode`)."""
_ALIGNMENT_TOLERANCE = 1e-12
"""Sine of the angle to the plane below which no point of a rim is the lowest."""


@rare_kernel
def find_rim_points(solids: Solids, patch: Patch, a: Floats, plane: Floats, i: int) -> None:
    """Write the points of the round shape i in frame a that support it on a plane.

    Points beside the lowest one bear where the shape stands flat; one alone would change its place from step to step.
    """
    patch.number[0] = 0
    patch.axis[3] = 1e300
    x = -plane[5] * a[3] - plane[8] * a[6] - plane[11] * a[9]
    y = -plane[5] * a[4] - plane[8] * a[7] - plane[11] * a[10]
    size = math.sqrt(x * x + y * y)
    x, y = (x / size if size > _ALIGNMENT_TOLERANCE else 1.0), (y / size if size > _ALIGNMENT_TOLERANCE else 0.0)
    radius, length = solids.sizes[i, 0], solids.sizes[i, 1]
    if solids.curved[i] == DRUM:
        _enter_rim(patch, a, plane, radius * x, radius * y, length)
        _enter_rim(patch, a, plane, radius * x, radius * y, -length)
    else:
        _enter_rim(patch, a, plane, radius * x, radius * y, -0.25 * length)
        _enter(patch, a, plane, 0.0, 0.0, 0.75 * length)


@kernel
def _enter_rim(patch: Patch, a: Floats, plane: Floats, x: float, y: float, z: float) -> None:
    """Enter four points of a rim, from its lowest one on."""
    for _ in range(4):
        _enter(patch, a, plane, x, y, z)
        kept = x
        x = -y
        y = kept


@kernel
def _enter(patch: Patch, a: Floats, plane: Floats, x: float, y: float, z: float) -> None:
    """Enter a point, numbered in the order of entry."""
    p = patch.number[0]
    feature = patch.features[p]
    feature[POINT_A], feature[POINT_A + 1], feature[POINT_A + 2] = x, y, z
    for k in range(3):
        feature[POINT_B + k], feature[LINE_B + k] = 0.0, 1.0 if k == 2 else 0.0
    feature[SIGN], feature[ROUND_A], feature[ROUND_B] = 1.0, 0.0, 0.0
    see(plane, a, feature[POINT_A:], patch.found, 1.0)
    patch.axis[3] = min(patch.axis[3], patch.found[2])
    patch.modes[p], patch.ids[p], patch.weights[p] = _PLANE_B, p, 1.0
    patch.number[0] = p + 1
