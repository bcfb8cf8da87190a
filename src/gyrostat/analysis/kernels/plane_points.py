"""Points of contact of a solid and a plane: its lowest corners."""

from __future__ import annotations

from gyrostat.analysis.kernels.problem import Floats
from gyrostat.analysis.kernels.separation import see
from gyrostat.analysis.kernels.solid_tables import LINE_B, POINT_A, POINT_B, ROUND_A, ROUND_B, SIGN, Patch, Solids
from gyrostat.program.translation import kernel, rare_kernel

_PLANE_B = 1
"""The mode of a corner and a plane (`model.contacts.features.Mode`)."""


@rare_kernel
def find_plane_points(solids: Solids, patch: Patch, a: Floats, plane: Floats, i: int) -> None:
    """Write the lowest corners of shape i in frame a over a plane, as many as there is room for, in rising order."""
    patch.number[0] = 0
    patch.axis[3] = 1e300
    for c in range(solids.first_corner[i + 1] - solids.first_corner[i]):
        corner = solids.corners[solids.first_corner[i] + c]
        see(plane, a, corner, patch.found, 1.0)
        height = patch.found[2] - solids.rounding[i]
        patch.axis[3] = min(patch.axis[3], height)
        _insert(solids, patch, i, c, height)
    for p in range(patch.number[0]):
        feature = patch.features[p]
        for k in range(3):
            feature[POINT_A + k] = solids.corners[solids.first_corner[i] + patch.ids[p], k]
            feature[POINT_B + k], feature[LINE_B + k] = 0.0, 1.0 if k == 2 else 0.0
        feature[SIGN], feature[ROUND_A], feature[ROUND_B] = 1.0, solids.rounding[i], 0.0
        patch.modes[p] = _PLANE_B


@kernel
def _insert(solids: Solids, patch: Patch, i: int, c: int, height: float) -> None:
    """Enter a corner in the list of the lowest ones, by their heights."""
    count, room = patch.number[0], patch.weights.size
    if count == room and height >= patch.distances[room - 1, 0]:
        return
    place = min(count, room - 1)
    while place > 0 and patch.distances[place - 1, 0] > height:
        patch.distances[place, 0] = patch.distances[place - 1, 0]
        patch.ids[place] = patch.ids[place - 1]
        place -= 1
    patch.distances[place, 0] = height
    patch.ids[place] = c
    patch.number[0] = min(count + 1, room)
    for p in range(patch.number[0]):
        patch.weights[p] = 1.0
